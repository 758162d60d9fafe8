// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    /// Hostile multicast packets: nodes survive, and find each other afterwards.
    @Suite("Hostile mDNS")
    struct HostileMulticastTests {
        @Test(
            "packets that once crashed every node, and variants of them: nodes survive and find each other")
        func packets() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let anna = try stage.host("Anna", on: 1)
                let invitation = try await anna.invitation
                _ = try await anna.waitFor("its own announcement") { $0.first { $0.type == "ready" } }
                let nearby = try stage.start("somebody", on: 2, ["nearby", "--for", "3600s"])
                _ = try await nearby.waitFor("Anna's node") { $0.first { $0.address == "10.77.0.1:8028" } }

                try await Self.multicast("all", from: 3, in: stage)
                #expect(anna.isRunning)
                #expect(nearby.isRunning)

                // No machine has the address in the invitation any longer: only mDNS knows the new one.
                try await stage.lan.readdress(1, to: "10.77.0.101")
                let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"])
                try await ben.waitUntilIn()
                _ = try await ben.waitForStatus("a peer") { $0.peers?.isEmpty == false }
                #expect(anna.isRunning)
                #expect(nearby.isRunning)
                try await nearby.kill()
            }
        }

        @Test("a device that claims every name sixteen times a second cannot hide a node")
        func conflicts() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                try await Self.multicast("conflicts", from: 3, in: stage)
                #expect(anna.isRunning)
                try await stage.hear("Anna's node", on: 2) { $0.contains { $0.address == "10.77.0.1:8028" } }
            }
        }

        /// Sends the packets of one kind and ends.
        private static func multicast(_ kind: String, from host: Int, in stage: Stage) async throws {
            let script = Product.file("Tests/Interop/hostile_mdns.py")
            try await Command.succeed(stage.lan.on(host, ["/usr/bin/python3", script, kind]))
        }
    }
}
