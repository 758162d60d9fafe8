// SPDX-License-Identifier: Apache-2.0

/// A wireless network of this machine's own, as NetworkManager makes one. Its address is always the same, so that
/// posters can be printed days before. (nmcli(1), nm-settings-nmcli(5))
package struct Hotspot: Equatable, Sendable {
    /// What this machine is called on it, and gives addresses beside.
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
        /// The connection that it has now, and loses.
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
        /// NetworkManager does not take the profile, or the adapter does not do it.
        case refused
    }

    package static func adapters() async throws(Failure) -> [Adapter] {
        let arguments = ["nmcli", "--terse", "--fields", "DEVICE,TYPE,STATE,CONNECTION", "device", "status"]
        guard let listing = await SystemProgram.output(of: arguments) else { throw .noManager }
        return adapters(in: listing)
    }

    /// The wireless ones among nmcli's terse lines, where a backslash stands before a colon, or itself, that is meant.
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

    /// Makes the network on `adapter` and returns when it is there. A profile of an earlier time goes.
    package func start(on adapter: Adapter) async throws(Failure) {
        await Self.forget()
        guard await SystemProgram.output(of: addition(interface: adapter.interface)) != nil else { throw .refused }
        guard await SystemProgram.output(of: ["nmcli", "connection", "up", Self.profile]) != nil else {
            await Self.forget()
            throw .refused
        }
        // Only now: what was cut off in between must not come by itself.
        _ = await SystemProgram.output(of: Self.returning)
    }

    /// It comes back by itself, before any network that the adapter knows: after a sleep, and also after a restart of
    /// the machine. Not tried for ever: where it fails a few times, the adapter is free for others.
    package static let returning = [
        "nmcli", "connection", "modify", profile, "connection.autoconnect", "yes", "connection.autoconnect-priority",
        "999",
    ]

    /// Ends the network; the adapter goes back to what it knows. False where there was none.
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

    /// WPA2 with a password, guests that reach each other, addresses from NetworkManager's own server.
    package func addition(interface: String) -> [String] {
        [
            "nmcli", "connection", "add", "type", "wifi", "con-name", Self.profile, "ifname", interface, "ssid", name,
            "connection.autoconnect", "no", "802-11-wireless.mode", "ap",
            "802-11-wireless-security.key-mgmt", "wpa-psk", "802-11-wireless-security.proto", "rsn",
            "802-11-wireless-security.psk", password, "ipv4.method", "shared", "ipv4.addresses",
            "\(Self.address)/24", "ipv6.method", "disabled",
        ]
    }
}
