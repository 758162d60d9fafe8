// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Hosts on one switch, created by `examples/lan/lan`.
struct LAN: Sendable {
    let name: String

    /// - Parameter hostCount: hosts are numbered from 1.
    static func up(hostCount: Int) async throws -> LAN {
        let lan = LAN(name: "t\(ProcessInfo.processInfo.processIdentifier)_\(UInt32.random(in: 0...0xffff))")
        try await lan.run(["up", "\(hostCount)"])
        return lan
    }

    func cut(_ host: Int) async throws { try await run(["cut", "\(host)"]) }
    func heal(_ host: Int) async throws { try await run(["heal", "\(host)"]) }
    /// Drops this percentage of the mDNS packets that reach a host.
    func lose(_ host: Int, percent: Int) async throws { try await run(["lose", "\(host)", "\(percent)"]) }
    /// Sets the wall clock of the programs that start on a host from now on.
    func setClock(_ host: Int, aheadBy seconds: Int) async throws { try await run(["clock", "\(host)", "\(seconds)"]) }
    func startAvahi(_ host: Int) async throws { try await run(["avahi", "\(host)"]) }
    /// Stops the daemon of a host, so that it answers nothing until `wakeAvahi`.
    func hangAvahi(_ host: Int) async throws { try await run(["avahi", "\(host)", "hang"]) }
    func wakeAvahi(_ host: Int) async throws { try await run(["avahi", "\(host)", "wake"]) }
    /// Limits the rate of a host in megabits a second, in each direction; 0 removes the limit.
    func setRate(_ host: Int, megabits: Int) async throws { try await run(["rate", "\(host)", "\(megabits)"]) }
    func killAvahi(_ host: Int) async throws { try await run(["avahi", "\(host)", "kill"]) }
    func down() async throws { try await run(["down"]) }

    /// Returns the command that runs `arguments` on a host. It becomes that program: the process id stays the same.
    func on(_ host: Int, _ arguments: [String]) -> [String] { script + ["exec", "\(host)"] + arguments }

    /// Replaces the IPv4 address of a host.
    func readdress(_ host: Int, to address: String) async throws {
        try await Command.succeed(on(host, ["ip", "address", "flush", "dev", "eth0", "scope", "global"]))
        try await Command.succeed(on(host, ["ip", "address", "add", "\(address)/24", "dev", "eth0"]))
    }

    /// Removes all addresses of a host but its link-local IPv6 address.
    func leaveLinkLocal(_ host: Int) async throws {
        try await Command.succeed(on(host, ["ip", "address", "flush", "dev", "eth0", "scope", "global"]))
    }

    /// Removes the IPv6 addresses of a host: the loopback interface has the only one left.
    func leaveIPv4(_ host: Int) async throws {
        try await Command.succeed(on(host, ["ip", "-6", "address", "flush", "dev", "eth0"]))
    }

    /// Takes the interface of a host down and up again, which flushes its IPv6 addresses.
    func restartInterface(_ host: Int) async throws {
        for state in ["down", "up"] {
            try await Command.succeed(on(host, ["ip", "link", "set", "eth0", state]))
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Removes the interface of a host and adds it again, with another index.
    func reinsertInterface(_ host: Int) async throws {
        try await Command.succeed(on(host, ["ip", "link", "delete", "eth0"]))
        let commands = [
            "link add eth0 type veth peer name port\(host) netns \(name)-switch",
            "-n \(name)-switch link set port\(host) master bridge up",
            "address add 10.77.0.\(host)/24 dev eth0", "link set eth0 up", "route add 224.0.0.0/4 dev eth0",
        ]
        for command in commands {
            try await Command.succeed(on(host, ["ip"] + command.split(separator: " ").map(String.init)))
        }
    }

    private var script: [String] { ["/usr/bin/env", "LAN_NAME=\(name)", Product.file("examples/lan/lan")] }

    private func run(_ arguments: [String]) async throws { try await Command.succeed(script + arguments) }
}
