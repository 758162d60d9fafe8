// SPDX-License-Identifier: Apache-2.0

/// A connectivity check: the request over plain HTTP by which a phone, a computer or a browser finds out whether its
/// network leads to the Internet, and the answer of the check's own server. docs/venue.md has the source of each.
///
/// The table has names that serve nothing but such checks. Without a name that also serves other things
/// (`www.google.com`, `www.gstatic.com`, `www.apple.com`, `fedoraproject.org`) phones find a check that they know.
package struct ConnectivityProbe: Equatable, Sendable {
    /// Status, type and body of the answer.
    package enum Answer: Equatable, Sendable {
        /// 204 without a body.
        case nothing
        /// 200 with `text/plain`.
        case text(String)
        /// 200 with `text/html`.
        case page(String)
    }

    /// The system or the browser that sends the request.
    package let client: String
    /// In lower case.
    package let host: String
    /// Without a query: clients may add one.
    package let path: String
    package let answer: Answer
    /// Whether the answer has the field `X-NetworkManager-Status: online`.
    package let isMarkedOnline: Bool

    private init(_ client: String, _ host: String, _ path: String, _ answer: Answer, isMarkedOnline: Bool = false) {
        (self.client, self.host, self.path) = (client, host, path)
        (self.answer, self.isMarkedOnline) = (answer, isMarkedOnline)
    }

    package static let all: [ConnectivityProbe] =
        noContent.map { ConnectivityProbe($0.client, $0.host, $0.path, .nothing) } + [
            ConnectivityProbe("iOS, macOS", "captive.apple.com", "/hotspot-detect.html", .page(applePage)),
            ConnectivityProbe("iOS, macOS", "captive.apple.com", "/", .page(applePage)),
            ConnectivityProbe(
                "Windows", "www.msftconnecttest.com", "/connecttest.txt", .text("Microsoft Connect Test")),
            ConnectivityProbe("Windows before 10", "www.msftncsi.com", "/ncsi.txt", .text("Microsoft NCSI")),
            ConnectivityProbe("Firefox", "detectportal.firefox.com", "/canonical.html", .page(firefoxPage)),
            ConnectivityProbe("Firefox", "detectportal.firefox.com", "/success.txt", .text("success\n")),
            ConnectivityProbe(
                "NetworkManager of GNOME", "nmcheck.gnome.org", "/check_network_status.txt", .text(online)),
            ConnectivityProbe(
                "NetworkManager of Debian", "network-test.debian.org", "/nm", .text(online + "\n"),
                isMarkedOnline: true),
            ConnectivityProbe(
                "NetworkManager of Ubuntu", "connectivity-check.ubuntu.com", "/", .nothing, isMarkedOnline: true),
            ConnectivityProbe(
                "NetworkManager of openSUSE", "conncheck.opensuse.org", "/", .nothing, isMarkedOnline: true),
            ConnectivityProbe(
                "NetworkManager of Arch Linux", "ping.archlinux.org", "/nm-check.txt", .text(online + "\n")),
            ConnectivityProbe("NetworkManager of KDE", "networkcheck.kde.org", "/", .text("OK")),
            ConnectivityProbe(
                "Kindle", "spectrum.s3.amazonaws.com", "/kindle-wifi/wifistub.html", .page(kindlePage)),
            ConnectivityProbe(
                "Kindle", "spectrum.s3.amazonaws.com", "/kindle-wifi/wifistub-eink.html", .page(kindlePage)),
        ]

    private static let noContent: [(client: String, host: String, path: String)] = [
        ("Android, ChromeOS", "connectivitycheck.gstatic.com", "/generate_204"),
        ("Android before 8", "connectivitycheck.android.com", "/generate_204"),
        ("Edge", "edge-http.microsoft.com", "/captiveportal/generate_204"),
        ("Fire OS", "fireoscaptiveportal.com", "/generate_204"),
        ("Samsung in China", "connectivity.samsung.com.cn", "/generate_204"),
        ("Huawei", "connectivitycheck.platform.hicloud.com", "/generate_204"),
        ("Honor", "connectivitycheck.platform.hihonorcloud.com", "/generate_204"),
        ("Xiaomi", "connect.rom.miui.com", "/generate_204"),
        ("OPPO", "conn1.oppomobile.com", "/generate_204"),
        ("vivo", "wifi.vivo.com.cn", "/generate_204"),
        ("GrapheneOS", "connectivitycheck.grapheneos.network", "/generate_204"),
    ]

    private static let online = "NetworkManager is online"
    private static let applePage = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n"
    private static let firefoxPage =
        "<meta http-equiv=\"refresh\" content=\"0;url=https://support.mozilla.org/kb/captive-portal\"/>"
    private static let kindlePage = """
        <!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">
        <html>
        <head>
        <title>Kindle Reachability Probe Page</title>
        <META http-equiv="Content-Type" content="text/html; charset=iso-8859-1">
        <!--81ce4465-7167-4dcb-835b-dcc9e44c112a created with python 2.5 uuid.uuid4()-->
        </head>
        <body bgcolor="#ffffff" text="#000000">
        81ce4465-7167-4dcb-835b-dcc9e44c112a
        </body>
        </html>

        """

    private static let byHost = Dictionary(grouping: all) { $0.host }

    /// The names of the checks, each once, in order.
    package static let hosts = byHost.keys.sorted()

    /// - Parameter host: in lower case.
    package static func probes(of host: String) -> [ConnectivityProbe] { byHost[host] ?? [] }
}
