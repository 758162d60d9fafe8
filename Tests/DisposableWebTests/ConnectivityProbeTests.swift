// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Testing

@Suite struct ConnectivityProbeTests {
    /// Length in bytes of the answer to each check, as its own server sends it, by host and path; `nil` for 204.
    private static let byteCounts: [String: Int?] = [
        "captive.apple.com/hotspot-detect.html": 69, "captive.apple.com/": 69,
        "connectivitycheck.gstatic.com/generate_204": nil, "connectivitycheck.android.com/generate_204": nil,
        "www.msftconnecttest.com/connecttest.txt": 22, "www.msftncsi.com/ncsi.txt": 14,
        "edge-http.microsoft.com/captiveportal/generate_204": nil,
        "detectportal.firefox.com/canonical.html": 90, "detectportal.firefox.com/success.txt": 8,
        "nmcheck.gnome.org/check_network_status.txt": 24, "network-test.debian.org/nm": 25,
        "ping.archlinux.org/nm-check.txt": 25, "networkcheck.kde.org/": 2,
        "connectivity-check.ubuntu.com/": nil, "conncheck.opensuse.org/": nil,
        "spectrum.s3.amazonaws.com/kindle-wifi/wifistub.html": 406,
        "spectrum.s3.amazonaws.com/kindle-wifi/wifistub-eink.html": 406,
        "fireoscaptiveportal.com/generate_204": nil, "connectivity.samsung.com.cn/generate_204": nil,
        "connectivitycheck.platform.hicloud.com/generate_204": nil,
        "connectivitycheck.platform.hihonorcloud.com/generate_204": nil, "connect.rom.miui.com/generate_204": nil,
        "conn1.oppomobile.com/generate_204": nil, "wifi.vivo.com.cn/generate_204": nil,
        "connectivitycheck.grapheneos.network/generate_204": nil,
    ]

    private func body(_ probe: ConnectivityProbe) -> String? {
        switch probe.answer {
        case .nothing: nil
        case .text(let text), .page(let text): text
        }
    }

    private func probe(_ host: String, _ path: String) throws -> ConnectivityProbe {
        try #require(ConnectivityProbe.probes(of: host).first { $0.path == path })
    }

    @Test("every check is in the table once, and its answer has as many bytes as that of its own server")
    func table() {
        #expect(ConnectivityProbe.all.count == Self.byteCounts.count)
        for probe in ConnectivityProbe.all {
            let name = probe.host + probe.path
            #expect(Self.byteCounts.keys.contains(name), "\(name)")
            #expect(body(probe)?.utf8.count == Self.byteCounts[name] ?? nil, "\(name)")
            #expect(probe.host == probe.host.lowercased() && probe.path.hasPrefix("/"))
        }
    }

    @Test("clients that compare whole bodies get the exact one")
    func bodies() throws {
        let apple = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n"
        #expect(try probe("captive.apple.com", "/hotspot-detect.html").answer == .page(apple))
        #expect(try probe("captive.apple.com", "/").answer == .page(apple))
        #expect(try probe("www.msftconnecttest.com", "/connecttest.txt").answer == .text("Microsoft Connect Test"))
        #expect(try probe("www.msftncsi.com", "/ncsi.txt").answer == .text("Microsoft NCSI"))
        let firefox = #"<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>"#
        #expect(try probe("detectportal.firefox.com", "/canonical.html").answer == .page(firefox))
        #expect(try probe("detectportal.firefox.com", "/success.txt").answer == .text("success\n"))
        #expect(
            try probe("nmcheck.gnome.org", "/check_network_status.txt").answer == .text("NetworkManager is online"))
        #expect(try probe("networkcheck.kde.org", "/").answer == .text("OK"))
        let kindle = try #require(body(probe("spectrum.s3.amazonaws.com", "/kindle-wifi/wifistub.html")))
        #expect(kindle.split(separator: "\n").contains("81ce4465-7167-4dcb-835b-dcc9e44c112a"))
        #expect(kindle.hasPrefix("<!DOCTYPE html PUBLIC") && kindle.hasSuffix("</body>\n</html>\n"))
    }

    @Test("NetworkManager finds its field where it expects no body")
    func field() {
        let marked = ConnectivityProbe.all.filter(\.isMarkedOnline).map(\.host)
        #expect(
            marked.sorted()
                == ["conncheck.opensuse.org", "connectivity-check.ubuntu.com", "network-test.debian.org"])
    }

    @Test("names that serve more than checks are not in the table")
    func otherNames() {
        for host in [
            "www.google.com", "www.gstatic.com", "google.com", "www.apple.com", "apple.com", "fedoraproject.org",
            "www.microsoft.com", "s3.amazonaws.com", "",
        ] {
            #expect(ConnectivityProbe.probes(of: host).isEmpty, "\(host)")
        }
    }

    @Test("the name server gets two lines for each name, and the two addresses that Windows compares")
    func names() {
        let lines = CaptiveNames.dnsmasqLines(address: "10.42.0.1")
        #expect(lines.count == 2 * (ConnectivityProbe.hosts.count + 1))
        #expect(ConnectivityProbe.hosts.count == Set(ConnectivityProbe.all.map(\.host)).count)
        for host in ConnectivityProbe.hosts {
            #expect(lines.contains("host-record=\(host),10.42.0.1"))
            #expect(lines.contains("local=/\(host)/"))
        }
        #expect(lines.contains("host-record=dns.msftncsi.com,131.107.255.255,fd3e:4f5a:5b81::1"))
        #expect(lines.contains("local=/dns.msftncsi.com/"))
        // A line with an address for a whole domain would lead other names here.
        #expect(!lines.contains { $0.hasPrefix("address=") || $0.contains("#") })
    }
}
