// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("Guests' pages of a portal that is no organizer's node")
    struct PagesTests {
        @Test(
            "The pages are open to the network while the node has the role, and the others know their address"
        )
        func role() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let anna = try stage.host("Anna", on: 1)
                let invitation = try await anna.invitation
                let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"])
                _ = try await anna.waitForStatus("Ben is there") { $0.peers?.contains { $0.name == "Ben" } == true }
                /// Whether Ben's pages accept a connection from Anna's machine, and from his own.
                @Sendable func isOpen(to host: Int) async throws -> Bool {
                    let address = host == 2 ? "127.0.0.1" : "10.77.0.2"
                    let connecting = ["/usr/bin/timeout", "60", "/bin/bash", "-c", "exec 3<>/dev/tcp/\(address)/8027"]
                    return try await Command.run(stage.lan.on(host, connecting)).exitCode == 0
                }
                // Each change of addresses closes all listeners for a moment.
                func waitUntilOpen(to host: Int) async throws {
                    try await watchdog(.patience, { "pages that are open to host \(host)" }) {
                        while try await !isOpen(to: host) { try await Task.sleep(for: .milliseconds(100)) }
                    }
                }
                try await waitUntilOpen(to: 2)
                #expect(try await !isOpen(to: 1))
                let link = try #require(try await stage.command("Anna", on: 1, ["invite"]).lines[0].guestURL)
                let token = try #require(link.split(separator: "#").last)

                #expect(try await stage.command("Anna", on: 1, ["role", "grant", "page", "Ben"]).exitCode == 0)
                _ = try await ben.waitForStatus("Ben serves") { $0.guestURL == "http://10.77.0.2:8027/#\(token)" }
                _ = try await anna.waitForStatus("Anna knows") {
                    $0.otherPages?.contains { $0.name == "Ben" && $0.addresses == ["10.77.0.2:8027"] } == true
                }
                for host in 1...2 { try await waitUntilOpen(to: host) }
                _ = try await ben.waitFor("its line") { $0.first { $0.type == "pages" && $0.guestURL != nil } }

                #expect(try await stage.command("Anna", on: 1, ["role", "revoke", "page", "Ben"]).exitCode == 0)
                _ = try await ben.waitForStatus("Ben serves nobody") { $0.guestURL == nil }
                _ = try await anna.waitForStatus("Anna knows it, too") { $0.otherPages?.isEmpty == true }
                _ = try await ben.waitFor("its line") {
                    $0.drop { $0.type != "pages" || $0.guestURL == nil }.first {
                        $0.type == "pages" && $0.guestURL == nil
                    }
                }
                try await waitUntilOpen(to: 2)
                #expect(try await !isOpen(to: 1))
            }
        }
    }
}
