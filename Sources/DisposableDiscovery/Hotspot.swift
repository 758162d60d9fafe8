// SPDX-License-Identifier: Apache-2.0
package import DisposableSystem

/// A wireless network of this machine's own, created with NetworkManager. Its address is always the same, so that
/// posters can be printed days before. (nmcli(1), nm-settings-nmcli(5))
package struct Hotspot: Equatable, Sendable {
    /// The address of this machine on it; clients get addresses from the same network.
    package static let address = "10.42.0.1"
    /// The connection's name in NetworkManager.
    package static let profile = "disposable-hotspot"

    package let name: String
    package let password: String

    package init(name: String, password: String) {
        self.name = name
        self.password = password
    }

    /// One wireless adapter.
    package struct Adapter: Equatable, Sendable {
        package let interface: String
        /// Its present connection, which it loses.
        package let connection: String?

        package init(interface: String, connection: String?) {
            self.interface = interface
            self.connection = connection
        }
    }

    package enum Failure: Error, Equatable, Sendable {
        /// There is no NetworkManager, or it does not run.
        case noManager
        case noAdapter
        /// NetworkManager refuses the profile, or the adapter does not support it.
        case refused
    }

    package static func adapters() async throws(Failure) -> [Adapter] {
        let arguments = ["nmcli", "--terse", "--fields", "DEVICE,TYPE,STATE,CONNECTION", "device", "status"]
        guard let listing = await SystemProgram.output(of: arguments) else { throw .noManager }
        return adapters(in: listing)
    }

    /// Parses the wireless adapters in nmcli's terse lines, in which a backslash escapes a colon or itself.
    package static func adapters(in listing: String) -> [Adapter] {
        listing.split(separator: "\n").compactMap { line in
            let fields = fields(of: line)
            guard fields.count == 4, fields[1] == "wifi", fields[2] != "unavailable", fields[2] != "unmanaged" else {
                return nil
            }
            let isConnected = !fields[3].isEmpty && fields[3] != profile
            return Adapter(interface: fields[0], connection: isConnected ? fields[3] : nil)
        }
    }

    private static func fields(of line: Substring) -> [String] {
        var (fields, isEscaped) = ([""], false)
        for character in line {
            if !isEscaped, character == "\\" {
                isEscaped = true
            } else if !isEscaped, character == ":" {
                fields.append("")
            } else {
                fields[fields.count - 1].append(character)
                isEscaped = false
            }
        }
        return fields
    }

    /// Creates the network on `adapter` and returns when it is up. An earlier profile is removed.
    package func start(on adapter: Adapter) async throws(Failure) {
        await Self.forget()
        let networks = await SystemProgram.output(
            of: ["nmcli", "--terse", "--fields", "CHAN,SIGNAL", "device", "wifi", "list", "ifname", adapter.interface])
        let addition = addition(interface: adapter.interface, channel: Self.quietestChannel(in: networks ?? ""))
        guard await SystemProgram.output(of: addition) != nil else { throw .refused }
        guard await SystemProgram.output(of: ["nmcli", "connection", "up", Self.profile]) != nil else {
            await Self.forget()
            throw .refused
        }
        // Only now: an interrupted start must not return by itself.
        _ = await SystemProgram.output(of: Self.returning)
    }

    /// Makes the network return by itself, before any network that the adapter knows: after a sleep, and also after a
    /// restart of the machine. The attempts are limited: after a few failures the adapter is free for others.
    package static let returning = [
        "nmcli", "connection", "modify", profile, "connection.autoconnect", "yes", "connection.autoconnect-priority",
        "999",
    ]

    /// Ends the network; the adapter returns to its known networks. Returns false if there was none.
    package static func stop() async throws(Failure) -> Bool {
        guard
            let listing = await SystemProgram.output(of: ["nmcli", "--terse", "--fields", "NAME", "connection", "show"])
        else { throw .noManager }
        guard listing.split(separator: "\n").contains(where: { $0 == profile }) else { return false }
        await forget()
        return true
    }

    private static func forget() async {
        _ = await SystemProgram.output(of: ["nmcli", "connection", "delete", profile])
    }

    // Names

    /// The folder of the files that the name server of a shared network reads when it starts (NetworkManager's
    /// nm-dnsmasq-manager.c), and the file in it that is this program's.
    package static let namesFolder = "/etc/NetworkManager/dnsmasq-shared.d"
    package static let namesFile = "disposable-captive.conf"

    /// Whether the name server of shared networks has lines of this program.
    package static var hasNames: Bool {
        (try? Disk.byteCount(of: "\(namesFolder)/\(namesFile)")) != nil
    }

    /// Gives the name server of the next network these lines, until `removeNames`. Only an administrator may.
    package static func write(names lines: [String], in folder: String = namesFolder) throws(FileError) {
        let text = (["# By `disposable hotspot`, which removes it with --stop."] + lines).joined(separator: "\n") + "\n"
        _ = try Disk.makeFolder(folder)
        try DurableFile.write([UInt8](text.utf8), to: namesFile, in: folder)
    }

    package static func removeNames(from folder: String = namesFolder) throws(FileError) {
        try Disk.remove("\(folder)/\(namesFile)")
    }

    /// Returns the channel of 2.4 GHz on which other networks are weakest, by nmcli's terse lines of channel and
    /// signal: 1, 6 or 11, which do not overlap, and which every phone has and every country allows. NetworkManager's
    /// own choice can be 12 or 13, where an adapter that knows no country may only listen.
    package static func quietestChannel(in listing: String) -> Int {
        let networks = listing.split(separator: "\n").compactMap { line -> (channel: Int, signal: Int)? in
            let fields = fields(of: line)
            guard fields.count == 2, let channel = Int(fields[0]), let signal = Int(fields[1]) else { return nil }
            return (channel, signal)
        }
        func signals(around channel: Int) -> Int {
            networks.filter { (channel - 4...channel + 4).contains($0.channel) }
                .reduce(0) { $0 + min(max(0, $1.signal), 100) }
        }
        return [1, 6, 11].min { signals(around: $0) < signals(around: $1) } ?? 1
    }

    /// Returns the command for WPA2 with a password, guests that reach each other, addresses from NetworkManager's own
    /// server.
    package func addition(interface: String, channel: Int) -> [String] {
        [
            "nmcli", "connection", "add", "type", "wifi", "con-name", Self.profile, "ifname", interface, "ssid", name,
            "connection.autoconnect", "no", "802-11-wireless.mode", "ap", "802-11-wireless.band", "bg",
            "802-11-wireless.channel", "\(channel)",
            "802-11-wireless-security.key-mgmt", "wpa-psk", "802-11-wireless-security.proto", "rsn",
            "802-11-wireless-security.psk", password, "ipv4.method", "shared", "ipv4.addresses",
            "\(Self.address)/24", "ipv6.method", "disabled",
        ]
    }
}
