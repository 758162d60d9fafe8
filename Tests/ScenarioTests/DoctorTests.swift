// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("The doctor")
    struct DoctorTests {
        private struct Diagnosis {
            let command: Command
            let lines: [Line]

            /// The findings with a problem.
            var wrong: [String] { lines.filter { $0.state == "wrong" }.compactMap(\.check) }
            func finding(_ check: String) throws -> Line {
                try #require(lines.first { $0.check == check }, "\(command)")
            }
        }

        private static func examine(
            _ stage: Stage, on host: Int, _ name: String = "nobody", through wrapper: [String] = []
        ) async throws -> Diagnosis {
            let command = try await stage.command(name, on: host, ["doctor", "--for", "12s"], through: wrapper)
            let diagnosis = Diagnosis(command: command, lines: try command.lines)
            #expect(diagnosis.lines.last?.wrong == diagnosis.wrong.count)
            #expect(command.exitCode == (diagnosis.wrong.isEmpty ? 0 : 1), "\(command)")
            return diagnosis
        }

        /// Firewall rules for a host, as a person would write them.
        private static func setFirewall(_ stage: Stage, on host: Int, _ rules: String) async throws {
            let path = stage.path("firewall")
            try rules.write(toFile: path, atomically: true, encoding: .utf8)
            try await Command.succeed(stage.lan.on(host, ["nft", "-f", path]))
        }

        @Test("reports no problem if two machines hear and reach each other")
        func healthy() async throws {
            try await Stage.with(hostCount: 2) { stage in
                _ = try await stage.host("Anna", on: 1).invitation
                let away = try await Self.examine(stage, on: 2)
                #expect(away.wrong == [])
                #expect(try away.finding("reach").text == "1 node heard and reached")
                let here = try await Self.examine(stage, on: 1, "Anna")
                #expect(here.wrong == [])
                #expect(try here.finding("ports").text == "the node of this folder listens on 0.0.0.0:8028")
            }
        }

        @Test("names a firewall and the commands that open it, and they do")
        func firewall() async throws {
            try await Stage.with(hostCount: 1) { stage in
                try await Self.setFirewall(
                    stage, on: 1,
                    """
                    table inet filter {
                      chain input {
                        type filter hook input priority 0; policy drop;
                        iif lo accept
                        tcp dport 22 accept
                      }
                    }

                    """)
                let closed = try await Self.examine(stage, on: 1)
                #expect(closed.wrong == ["multicast", "firewall"])
                let finding = try closed.finding("firewall")
                #expect(finding.text == "nftables blocks 8028/tcp, 8027/tcp, 5353/udp")
                let commands = try #require(finding.hint).replacingOccurrences(of: "sudo ", with: "")
                try await Command.succeed(stage.lan.on(1, ["/bin/sh", "-c", commands]))
                #expect(try await Self.examine(stage, on: 1).wrong == [])
            }
        }

        @Test("suspects client isolation if nodes are heard and cannot be reached")
        func isolation() async throws {
            try await Stage.with(hostCount: 2) { stage in
                _ = try await stage.host("Anna", on: 1).invitation
                try await Self.setFirewall(
                    stage, on: 1,
                    """
                    table inet apart {
                      chain input {
                        type filter hook input priority 0; policy accept;
                        tcp dport 8028 drop
                      }
                    }

                    """)
                let diagnosis = try await Self.examine(stage, on: 2)
                #expect(diagnosis.wrong == ["reach"])
                #expect(try diagnosis.finding("reach").text?.contains("10.77.0.1:8028") == true)
            }
        }

        @Test("notes an address of the Internet, interfaces on one network, two hotspots, and the database's version")
        func addresses() async throws {
            try await Stage.with(hostCount: 1) { stage in
                for words in [
                    "link add eth1 type veth peer name eth2", "link set eth2 up", "address add 10.77.0.99/24 dev eth1",
                    "link set eth1 up", "address add 8.8.4.9/24 dev eth0",
                    "address add 10.42.0.1/24 dev eth1", "address add 10.42.0.7/24 dev eth2",
                ] {
                    try await Command.succeed(stage.lan.on(1, ["ip"] + words.split(separator: " ").map(String.init)))
                }
                let diagnosis = try await Self.examine(stage, on: 1)
                let found = diagnosis.lines.filter { $0.check == "addresses" }.compactMap(\.text).sorted()
                let hotspots = "one network: this machine's hotspot, and that of another machine"
                #expect(found.count { $0.hasSuffix(hotspots) } == 1, "\(diagnosis.command)")
                #expect(
                    found.filter { !$0.hasSuffix(hotspots) } == [
                        "eth0 (10.77.0.1) and eth1 (10.77.0.99) have addresses of one network",
                        "eth0 has an address of the Internet, 8.8.4.9, on this network",
                    ], "\(diagnosis.command)")
                #expect(try diagnosis.finding("database").text?.hasPrefix("SQLite 3.") == true)
            }
        }

        @Test("notices a missing network, a clock that was never set, and a full disk")
        func machine() async throws {
            try await Stage.with(hostCount: 3) { stage in
                try await Command.succeed(stage.lan.on(1, ["ip", "link", "set", "eth0", "down"]))
                #expect(try await Self.examine(stage, on: 1).wrong.contains("interfaces"))

                try await stage.lan.setClock(2, aheadBy: 86_400 - Int(Date().timeIntervalSince1970))
                #expect(try await Self.examine(stage, on: 2).wrong == ["clock"])

                // Only this command sees the mount: it has its own mount namespace.
                let mount =
                    "mkdir -p '\(stage.path("nobody"))' && mount -t tmpfs -o size=8m tmpfs '\(stage.path("nobody"))'"
                    + " && head -c 7500k /dev/zero > '\(stage.path("nobody"))/ballast'"
                let diagnosis = try await Self.examine(
                    stage, on: 3, through: ["/bin/sh", "-c", mount + " && exec \"$@\"", "sh"])
                #expect(diagnosis.wrong == ["disk"])
            }
        }
    }
}
