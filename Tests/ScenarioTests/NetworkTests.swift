// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    /// Three people, three nodes, one gallery, on networks of many kinds and with many faults.
    @Suite("One gallery on any network")
    struct NetworkTests {
        private struct Party {
            let stage: Stage
            var anna: RunningNode
            var ben: RunningNode
            var chloe: RunningNode
            var places: [(name: String, host: Int)]
            var nodes: [RunningNode] { [anna, ben, chloe] }
        }

        /// Anna hosts; the others join with an invitation whose address no machine has any longer: her host gets
        /// another one as soon as her node is ready.
        private static func meet(
            _ stage: Stage, hosts: [Int] = [1, 2, 3], wrappers: [[String]] = [[], [], []], movesHost: Bool = true,
            hostOptions: [String] = [], options: [[String]] = [[], []]
        ) async throws -> Party {
            let anna = try stage.start(
                "Anna", on: hosts[0], ["host", "Garden party", "--as", "Anna", "--frames", "unlimited"] + hostOptions,
                through: wrappers[0])
            let invitation = try await anna.invitation
            if movesHost { try await stage.lan.readdress(hosts[0], to: "10.77.0.101") }
            let ben = try stage.start(
                "Ben", on: hosts[1], ["join", invitation, "--as", "Ben"] + options[0], through: wrappers[1])
            let chloe = try stage.start(
                "Chloe", on: hosts[2], ["join", invitation, "--as", "Chloe"] + options[1], through: wrappers[2])
            let party = Party(
                stage: stage, anna: anna, ben: ben, chloe: chloe,
                places: Array(zip(["Anna", "Ben", "Chloe"], hosts)))
            try await expectMesh(party.nodes)
            for node in party.nodes { try await node.waitUntilIn() }
            return party
        }

        /// Waits until all nodes are connected with each other.
        private static func expectMesh(_ nodes: [RunningNode]) async throws {
            _ = try await RunningNode.wait(nodes, for: "connections between all nodes") {
                nodes.allSatisfy { $0.latestStatus?.peers?.count == nodes.count - 1 } ? true : nil
            }
        }

        /// Adds photos on all nodes, and waits until all have all of them, in one order.
        private static func share(_ party: Party, seed: UInt64, photoCount: Int) async throws {
            let pictures = try party.stage.makeFolder("pictures \(seed)")
            for (index, place) in party.places.enumerated() {
                let paths = try await Pictures.paint(
                    1, seed: seed + UInt64(index), width: 1_200, height: 900, in: pictures)
                try await party.stage.add(paths, place.name, on: place.host)
            }
            try await party.stage.waitUntilEqual(party.nodes, photoCount: photoCount)
        }

        private static func expectEqual(_ party: Party, photoCount: Int) async throws {
            try await party.stage.expectSameGallery(party.places, photoCount: photoCount)
        }

        /// Waits until a host hears Anna's node by mDNS.
        private static func expectHeard(_ stage: Stage, on host: Int, at address: String) async throws {
            try await stage.hear("Anna's node at \(address)", on: host) { $0.contains { $0.address == address } }
        }

        @Test("nodes find each other, also if the address changes in the first second")
        func embedded() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let party = try await Self.meet(stage)
                for node in party.nodes { try await node.waitForMode("embedded") }
                try await Self.share(party, seed: 5_000, photoCount: 3)
                try await Self.expectEqual(party, photoCount: 3)
            }
        }

        @Test("with Avahi daemons nodes are found through them; a killed daemon is replaced, and used again")
        func daemons() async throws {
            try await Stage.with(hostCount: 3) { stage in
                for host in 1...3 { try await stage.lan.startAvahi(host) }
                let party = try await Self.meet(stage)
                for node in party.nodes { try await node.waitForMode("daemon") }
                try await Self.share(party, seed: 5_100, photoCount: 3)

                try await stage.lan.killAvahi(1)
                try await party.anna.waitForMode("embedded")
                try await Self.expectHeard(stage, on: 2, at: "10.77.0.101:8028")
                try await stage.lan.startAvahi(1)
                try await party.anna.waitForMode("daemon")
                try await Self.expectHeard(stage, on: 3, at: "10.77.0.101:8028")

                try await Self.share(party, seed: 5_200, photoCount: 6)
                try await Self.expectEqual(party, photoCount: 6)
            }
        }

        @Test("a daemon that hangs is replaced, is used again when it answers, and delays neither start nor end")
        func hangingDaemon() async throws {
            try await Stage.with(hostCount: 2) { stage in
                try await stage.lan.startAvahi(1)
                let anna = try stage.host("Anna", on: 1)
                try await anna.waitForMode("daemon")
                try await stage.lan.hangAvahi(1)
                try await anna.waitForMode("embedded")
                let invitation = try await anna.invitation
                let beginning = ContinuousClock.now
                let ben = try stage.start("Ben", on: 1, ["join", invitation, "--as", "Ben"])
                try await ben.waitForMode("embedded")
                let started = try #require(ben.time { $0.type == "discovery" && $0.mode == "embedded" })
                #expect(started - beginning < Self.daemonAnswerMax)
                try await stage.hear("both", on: 2) {
                    Set($0.map(\.address)).isSuperset(of: ["10.77.0.1:8028", "10.77.0.1:8029"])
                }
                try await Self.expectSoonStopped(ben)

                try await stage.lan.wakeAvahi(1)
                try await anna.waitForMode("daemon")
                try await stage.lan.hangAvahi(1)
                try await Self.expectSoonStopped(anna)
            }
        }

        /// The timeout of D-Bus for one answer, on a machine of any speed. The test reads only times that a node
        /// reports: they do not depend on when the test is scheduled.
        private static let daemonAnswerMax = Duration.seconds(25)

        private static func expectSoonStopped(_ node: RunningNode) async throws {
            let beginning = ContinuousClock.now
            try await node.stop()
            let end = try #require(node.endedAt)
            #expect(end - beginning < daemonAnswerMax, "\(node.name)")
        }

        @Test("a node with a daemon, one without on the same machine, and one on another all find each other")
        func mixed() async throws {
            try await Stage.with(hostCount: 2) { stage in
                try await stage.lan.startAvahi(1)
                let alone = ["/usr/bin/env", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere"]
                let party = try await Self.meet(stage, hosts: [1, 1, 2], wrappers: [[], alone, []])
                try await party.anna.waitForMode("daemon")
                try await party.ben.waitForMode("embedded")
                try await party.chloe.waitForMode("embedded")
                try await stage.hear("both nodes of the first machine", on: 2) {
                    Set($0.map(\.address)).isSuperset(of: ["10.77.0.101:8028", "10.77.0.101:8029"])
                }
                try await Self.share(party, seed: 5_300, photoCount: 3)
                try await Self.expectEqual(party, photoCount: 3)
            }
        }

        @Test("nodes find each other although three of ten mDNS packets are lost", arguments: [false, true])
        func loss(withDaemons: Bool) async throws {
            try await Stage.with(hostCount: 3) { stage in
                for host in 1...3 {
                    if withDaemons { try await stage.lan.startAvahi(host) }
                    try await stage.lan.lose(host, percent: 30)
                }
                let party = try await Self.meet(stage)
                try await Self.share(party, seed: 5_400, photoCount: 3)
                try await Self.expectEqual(party, photoCount: 3)
            }
        }

        @Test("without mDNS one typed address leads to all nodes, and is remembered")
        func typedAddress() async throws {
            try await Stage.with(hostCount: 3) { stage in
                for host in 1...3 { try await stage.lan.lose(host, percent: 100) }
                // Chloe knows only Ben, and addresses that no machine has.
                let stale = (0..<5).flatMap { ["--peer", "10.77.0.\(200 + $0):8028"] }
                var party = try await Self.meet(
                    stage, options: [["--peer", "10.77.0.101:8028"], stale + ["--peer", "10.77.0.2:8028"]])
                try await Self.share(party, seed: 5_500, photoCount: 3)

                try await party.chloe.stop()
                try await party.ben.stop()
                party.chloe = try stage.start("Chloe", on: 3, ["run"])
                party.ben = try stage.start("Ben", on: 2, ["run"])
                try await Self.expectMesh(party.nodes)
                try await Self.share(party, seed: 5_600, photoCount: 6)
                try await Self.expectEqual(party, photoCount: 6)
            }
        }

        @Test("link-local IPv6 is enough")
        func linkLocal() async throws {
            try await Stage.with(hostCount: 3) { stage in
                for host in 1...3 { try await stage.lan.leaveLinkLocal(host) }
                let party = try await Self.meet(stage, movesHost: false)
                for node in party.nodes {
                    let peers = node.latestStatus?.peers ?? []
                    #expect(peers.allSatisfy { $0.address.contains("fe80:") }, "\(peers.map(\.address))")
                }
                try await Self.share(party, seed: 5_700, photoCount: 3)
                try await Self.expectEqual(party, photoCount: 3)
            }
        }

        @Test("IPv4 is enough, as on the network of a hotspot")
        func onlyIPv4() async throws {
            try await Stage.with(hostCount: 3) { stage in
                for host in 1...3 { try await stage.lan.leaveIPv4(host) }
                let party = try await Self.meet(stage, movesHost: false)
                for node in party.nodes {
                    let peers = node.latestStatus?.peers ?? []
                    #expect(peers.allSatisfy { $0.address.contains("10.77.0.") }, "\(peers.map(\.address))")
                }
                try await Self.share(party, seed: 5_710, photoCount: 3)
                try await Self.expectEqual(party, photoCount: 3)
            }
        }

        @Test("a clock in 1970 and one ten years ahead cause nothing but a warning if photos of any time are accepted")
        func clocks() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let seconds = Int(Date().timeIntervalSince1970)
                try await stage.lan.setClock(2, aheadBy: 86_400 - seconds)
                try await stage.lan.setClock(3, aheadBy: 3_650 * 86_400)
                let party = try await Self.meet(stage, hostOptions: ["--late", "any"])
                try await Self.share(party, seed: 5_800, photoCount: 3)
                for word in ["behind", "ahead of"] {
                    _ = try await party.anna.waitFor("a warning about a clock \(word)") { lines in
                        lines.first { $0.message?.contains(word) == true }
                    }
                }
                try await Self.expectEqual(party, photoCount: 3)
            }
        }

        @Test("an address that changes and an interface that goes down and up, both during a transfer")
        func moving() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let party = try await Self.meet(stage, movesHost: false)
                let pictures = try stage.makeFolder("pictures")
                _ = try await Pictures.paint(20, seed: 5_900, width: 3_600, height: 2_700, in: pictures)
                try await stage.add([pictures], "Anna", on: 1)
                try await stage.lan.readdress(2, to: "10.77.0.102")
                try await stage.lan.restartInterface(3)
                try await Self.expectMesh(party.nodes)
                try await Self.share(party, seed: 6_000, photoCount: 23)
                try await Self.expectEqual(party, photoCount: 23)
                // Both are heard at their current addresses.
                try await stage.hear("both", on: 1) {
                    Set($0.map(\.address)).isSuperset(of: ["10.77.0.102:8028", "10.77.0.3:8028"])
                }
            }
        }

        @Test("a node on a system that refuses to list the interfaces keeps its connections when an address is added")
        func refusedInterfaces() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let library = stage.path("refused-interfaces.so")
                try await Command.succeed(
                    ["/usr/bin/gcc", "-O2", "-Wall", "-shared", "-fPIC", "-o", library]
                        + [Product.file("examples/lan/refused-interfaces.c"), "-ldl"])
                let refusal = stage.path("the interfaces are refused")
                let wrapper = ["/usr/bin/env", "LD_PRELOAD=\(library)", "REFUSED_INTERFACES=\(refusal)"]
                let party = try await Self.meet(stage, wrappers: [[], wrapper, []], movesHost: false)
                #expect(FileManager.default.createFile(atPath: refusal, contents: nil))
                let lineCount = party.ben.lines.count
                try await Command.succeed(
                    stage.lan.on(2, ["ip", "address", "add", "10.77.0.202/24", "dev", "eth0"]))
                // It checks within three seconds.
                try await Task.sleep(for: .seconds(5))
                let asked = try await stage.command("Ben", on: 2, ["status"]).lines
                #expect(asked.first { $0.type == "status" }?.peers?.count == 2)
                // A node prints a status when it changes.
                let printed = party.ben.lines.dropFirst(lineCount).filter { $0.type == "status" }
                #expect(printed.allSatisfy { $0.peers?.count == 2 })
                #expect(party.ben.isRunning)
                try FileManager.default.removeItem(atPath: refusal)
                try await Self.share(party, seed: 6_100, photoCount: 3)
                try await Self.expectEqual(party, photoCount: 3)
            }
        }

        @Test("an interface that is removed and added again is used again, through the daemon as well")
        func reinserting() async throws {
            try await Stage.with(hostCount: 3) { stage in
                try await stage.lan.startAvahi(2)
                _ = try stage.host("Anna", on: 1)
                let nearby = try stage.start("somebody", on: 2, ["nearby", "--interface", "eth0", "--for", "3600s"])
                _ = try await nearby.waitFor("Anna's node") { $0.first { $0.address == "10.77.0.1:8028" } }
                try await stage.lan.reinsertInterface(2)
                _ = try stage.host("Chloe", on: 3, event: "Barn party")
                _ = try await nearby.waitFor("Chloe's node") { $0.first { $0.address == "10.77.0.3:8028" } }
                try await nearby.kill()
            }
        }

        @Test("an interface that is added after the start is used from then on")
        func lateInterface() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.start("Anna", on: 1, ["host", "Garden party", "--interface", "late0"])
                _ = try await anna.waitFor("a warning about late0") { lines in
                    lines.first { $0.type == "warning" && $0.message?.contains("late0") == true }
                }
                try await Command.succeed(stage.lan.on(1, ["ip", "link", "add", "late0", "type", "bridge"]))
                _ = try await anna.waitFor("mDNS being off") { $0.first { $0.type == "discovery" && $0.mode == "off" } }
                for command in ["address add 10.78.0.1/24 dev late0", "link set late0 up"] {
                    try await Command.succeed(
                        stage.lan.on(1, ["ip"] + command.split(separator: " ").map(String.init)))
                }
                try await anna.waitForMode("embedded")
                _ = try await anna.waitFor("the end of the problem") { lines in lines.first { $0.type == "solved" } }
            }
        }
    }
}
