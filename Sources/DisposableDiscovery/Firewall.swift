// SPDX-License-Identifier: Apache-2.0
internal import DisposableSystem
internal import Foundation

/// The visible firewall of this machine, with the commands that open it for a node.
public struct Firewall: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case ufw, firewalld, nftables, iptables
    }

    public let kind: Kind
    /// The blocked ports, as "8028/tcp"; `nil` if only root may see them.
    public let blocked: [String]?
    /// The commands that open them.
    public let commands: [String]

    /// Returns the active firewall, `nil` if there is none or none is visible.
    /// - Parameter ports: as "8028/tcp".
    public static func active(ports: [String]) async -> Firewall? {
        let ufw = (try? String(contentsOfFile: "/etc/ufw/ufw.conf", encoding: .utf8)) ?? ""
        if ufw.split(separator: "\n").contains("ENABLED=yes") {
            return Firewall(ufwStatus: await SystemProgram.output(of: ["ufw", "status"]), ports: ports)
        }
        if let state = await SystemProgram.output(of: ["firewall-cmd", "--state"]), state.hasPrefix("running") {
            return Firewall(
                firewalldPorts: await SystemProgram.output(of: ["firewall-cmd", "--list-all"]), ports: ports)
        }
        if let rules = await SystemProgram.output(of: ["nft", "list", "ruleset"]),
            let found = Firewall(nftables: rules, ports: ports)
        {
            return found
        }
        return await SystemProgram.output(of: ["iptables", "-S", "INPUT"]).flatMap {
            Firewall(iptables: $0, ports: ports)
        }
    }

    private init(kind: Kind, blocked: [String]?, commands: [String]) {
        self.kind = kind
        self.blocked = blocked
        self.commands = commands
    }

    /// - Parameter ufwStatus: the output of `ufw status`, `nil` if it is not permitted.
    package init(ufwStatus: String?, ports: [String]) {
        let allowed = ufwStatus?.split(separator: "\n").filter { $0.contains("ALLOW") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        let blocked = allowed.map { allowed in
            ports.filter { port in !allowed.contains(port) && !allowed.contains { $0 == port.prefix { $0 != "/" } } }
        }
        self.init(kind: .ufw, blocked: blocked, commands: (blocked ?? ports).map { "sudo ufw allow \($0)" })
    }

    /// - Parameter firewalldPorts: the output of `firewall-cmd --list-all`, `nil` if it is not permitted.
    package init(firewalldPorts text: String?, ports: [String]) {
        func words(_ key: String) -> [String] {
            let line = text?.split(separator: "\n").first { $0.drop { $0 == " " }.hasPrefix("\(key):") }
            return line?.split(separator: " ").dropFirst().map(String.init) ?? []
        }
        let open = words("ports") + (words("services").contains("mdns") ? ["5353/udp"] : [])
        let blocked = text.map { _ in ports.filter { port in !open.contains { Self.covers($0, port) } } }
        let wanted = blocked ?? ports
        self.init(
            kind: .firewalld, blocked: blocked,
            commands: wanted.isEmpty
                ? [] : wanted.map { "sudo firewall-cmd --permanent --add-port=\($0)" } + ["sudo firewall-cmd --reload"])
    }

    /// Whether "8000-8100/tcp" covers "8028/tcp".
    private static func covers(_ range: String, _ port: String) -> Bool {
        let (one, other) = (range.split(separator: "/"), port.split(separator: "/"))
        guard one.count == 2, other.count == 2, one[1] == other[1], let number = Int(other[0]) else { return false }
        return contains(one[0], number)
    }

    private static func contains(_ range: some StringProtocol, _ number: Int) -> Bool {
        let ends = range.split(separator: "-").compactMap { Int($0) }
        guard let low = ends.first, let high = ends.last else { return false }
        return low <= number && number <= high
    }

    /// Returns `nil` if no rule blocks anything: no policy drops other input.
    /// - Parameter nftables: the output of `nft list ruleset`.
    package init?(nftables: String, ports: [String]) {
        var (family, table, chain) = ("", "", "")
        var accepted: [String: [Substring]] = [:]
        var closed: (name: String, table: String)?
        for line in nftables.split(separator: "\n").map({ $0.drop { $0.isWhitespace } }) {
            let words = line.split(separator: " ").map(String.init)
            if words.count >= 3, words[0] == "table" { (family, table) = (words[1], "\(words[1]) \(words[2])") }
            if words.count >= 2, words[0] == "chain" { chain = words[1] }
            guard ["inet", "ip", "ip6"].contains(family) else { continue }
            if line.contains("hook input"), line.contains("policy drop") { closed = ("\(table) \(chain)", table) }
            if line.contains("dport"), line.contains("accept") { accepted[table, default: []].append(line) }
        }
        guard let closed else { return nil }
        let blocked = ports.filter { port in
            !(accepted[closed.table] ?? []).contains { Self.accepts(String($0), port) }
        }
        self.init(
            kind: .nftables, blocked: blocked,
            commands: blocked.map { port in
                let parts = port.split(separator: "/")
                return "sudo nft insert rule \(closed.name) \(parts[1]) dport \(parts[0]) accept"
            })
    }

    /// Whether a rule such as `tcp dport { 22, 8000-8100 } accept` lets a port through.
    private static func accepts(_ rule: String, _ port: String) -> Bool {
        let parts = port.split(separator: "/")
        guard parts.count == 2, let number = Int(parts[0]), let dport = rule.range(of: "\(parts[1]) dport ") else {
            return false
        }
        let rest = rule[dport.upperBound...].prefix { !$0.isLetter }
        return rest.split { !($0.isNumber || $0 == "-") }.contains { contains($0, number) }
    }

    /// Returns `nil` if the policy accepts other input.
    /// - Parameter iptables: the output of `iptables -S INPUT`.
    package init?(iptables: String, ports: [String]) {
        let lines = iptables.split(separator: "\n")
        guard lines.contains("-P INPUT DROP") else { return nil }
        let blocked = ports.filter { port in
            let parts = port.split(separator: "/")
            return !lines.contains {
                $0.contains("-p \(parts[1]) ") && $0.contains("--dport \(parts[0]) ") && $0.hasSuffix("-j ACCEPT")
            }
        }
        self.init(
            kind: .iptables, blocked: blocked,
            commands: blocked.map { port in
                let parts = port.split(separator: "/")
                return "sudo iptables -I INPUT -p \(parts[1]) --dport \(parts[0]) -j ACCEPT"
            })
    }
}
