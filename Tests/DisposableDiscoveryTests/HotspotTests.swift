// SPDX-License-Identifier: Apache-2.0
import DisposableDiscovery
import Foundation
import Testing

@Suite("A Wi-Fi of one's own") struct HotspotTests {
    @Test("adapters are the wireless ones that NetworkManager may use, with the network that they would leave")
    func adapters() {
        let listing = """
            wlan0:wifi:connected:Venue\\: guests \\\\ 5 GHz
            wlan1:wifi:disconnected:
            wlan2:wifi:unavailable:
            wlan3:wifi:unmanaged:
            p2p-dev-wlan0:wifi-p2p:disconnected:
            eth0:ethernet:connected:Wired
            wlan4:wifi:connected:disposable-hotspot
            lo:loopback:connected (externally):lo

            """
        #expect(
            Hotspot.adapters(in: listing) == [
                .init(interface: "wlan0", connection: "Venue: guests \\ 5 GHz"),
                .init(interface: "wlan1", connection: nil),
                .init(interface: "wlan4", connection: nil),
            ])
        #expect(Hotspot.adapters(in: "").isEmpty)
        #expect(Hotspot.adapters(in: "wlan0:wifi\n::::::").isEmpty)
    }

    @Test("name and password are arguments of their own, whatever stands in them")
    func arguments() throws {
        let hotspot = Hotspot(name: "Party; \"rm\" $HOME", password: "-a b:c\\d")
        let arguments = hotspot.addition(interface: "wlan0", channel: 6)
        let name = try #require(arguments.firstIndex(of: "ssid"))
        #expect(arguments[name + 1] == "Party; \"rm\" $HOME")
        let password = try #require(arguments.firstIndex(of: "802-11-wireless-security.psk"))
        #expect(arguments[password + 1] == "-a b:c\\d")
        #expect(arguments.contains("10.42.0.1/24"))
    }

    @Test(
        "it is on the channel with the weakest other networks, of those that every country allows",
        arguments: [
            ("", 1), ("1:80\n6:30\n11:40\n", 6), ("1:80\n6:70\n11:40\n", 11), ("3:50\n8:50\n", 1),
            ("13:90\n1:10\n", 6), ("36:100\n1:5\n140:70\n", 6), ("4:9999999999999999999\n--:--\n:\nx\n", 1),
        ])
    func channel(_ listing: String, _ expected: Int) throws {
        #expect(Hotspot.quietestChannel(in: listing) == expected)
        let arguments = Hotspot(name: "Party", password: "12345678").addition(interface: "wlan0", channel: expected)
        #expect(arguments[try #require(arguments.firstIndex(of: "802-11-wireless.channel")) + 1] == "\(expected)")
        #expect(arguments[try #require(arguments.firstIndex(of: "802-11-wireless.band")) + 1] == "bg")
    }

    @Test("it comes back by itself, before any network that the adapter knows")
    func comingBack() throws {
        // Not before it is up once: a start that is cut off leaves nothing that comes by itself.
        let addition = Hotspot(name: "Party", password: "12345678").addition(interface: "wlan0", channel: 6)
        #expect(addition[try #require(addition.firstIndex(of: "connection.autoconnect")) + 1] == "no")
        let arguments = Hotspot.returning
        for (setting, value) in [("autoconnect", "yes"), ("autoconnect-priority", "999")] {
            let place = try #require(arguments.firstIndex(of: "connection.\(setting)"))
            #expect(arguments[place + 1] == value)
        }
    }

    @Test("the names of its name server are a file of this program's own, replaced as a whole and removed again")
    func names() throws {
        let parent = NSTemporaryDirectory() + "hotspot-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: parent) }
        // Not every distribution makes the folder.
        let folder = parent + "/dnsmasq-shared.d"
        try Hotspot.removeNames(from: folder)
        try Hotspot.write(names: ["host-record=a.example,10.42.0.1", "local=/a.example/"], in: folder)
        try Hotspot.write(names: ["host-record=b.example,10.42.0.1"], in: folder)
        let other = folder + "/other.conf"
        try "other".write(toFile: other, atomically: true, encoding: .utf8)
        let lines = try String(contentsOfFile: folder + "/disposable-captive.conf", encoding: .utf8)
            .split(separator: "\n")
        #expect(lines.first?.hasPrefix("#") == true)
        #expect(lines.dropFirst() == ["host-record=b.example,10.42.0.1"])
        try Hotspot.removeNames(from: folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["other.conf"])
    }
}
