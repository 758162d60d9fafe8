// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension Scenarios {
    /// Signals that ask a program to end, at any time of its life.
    @Suite("Stopping")
    struct StoppingTests {
        private static let says = "disposable: stopping; press Ctrl-C again to stop at once"

        @Test(
            "Ctrl-C, `kill` and a closed terminal end a node with its photos on the disk, and it says so",
            arguments: [SIGINT, SIGTERM, SIGHUP])
        func signals(number: Int32) async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let pictures = try await Pictures.paint(1, seed: 930, in: try stage.makeFolder("pictures"))
                try await stage.add(pictures, "Anna", on: 1)
                anna.send(number)
                #expect(try await anna.end == 0, "\(anna.errorText)")
                #expect(anna.errorText.contains(Self.says), "\(anna.errorText)")
                #expect(try await stage.command("Anna", on: 1, ["gallery"]).output.count == 1)
            }
        }

        @Test("A node that is ended while it starts leaves a folder that the next one opens, at any moment of it")
        func start() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let pictures = try await Pictures.paint(1, seed: 940, in: try stage.makeFolder("pictures"))
                try await stage.add(pictures, "Anna", on: 1)
                try await anna.stop()
                for milliseconds in [0, 10, 30, 60, 100, 150, 250, 500] {
                    let node = try stage.start("Anna", on: 1, ["run"])
                    try await Task.sleep(for: .milliseconds(milliseconds))
                    node.send(SIGTERM)
                    let exitCode = try await node.end
                    // Before it listens to signals, the system ends it.
                    #expect([0, 128 + SIGTERM].contains(exitCode), "after \(milliseconds) ms: \(node.errorText)")
                }
                let again = try stage.start("Anna", on: 1, ["run"])
                _ = try await again.invitation
                #expect(try await stage.command("Anna", on: 1, ["gallery"]).output.count == 1)
                try await again.stop()
            }
        }

        @Test("A node that is ended while photos are added keeps each one that it has acknowledged")
        func adding() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let pictures = try await Pictures.paint(12, seed: 950, in: try stage.makeFolder("pictures"))
                async let adding = stage.command("Anna", on: 1, ["add"] + pictures)
                try await anna.waitForStatus("the first photo") { ($0.photoCount ?? 0) > 0 }
                anna.send(SIGTERM)
                #expect(try await anna.end == 0, "\(anna.errorText)")
                let acknowledged = try await adding.lines.filter { $0.type == "added" }.count
                let again = try stage.start("Anna", on: 1, ["run"])
                _ = try await again.invitation
                let kept = try await stage.command("Anna", on: 1, ["gallery"]).output.count
                #expect(kept >= max(acknowledged, 1), "\(acknowledged) acknowledged, \(kept) kept")
                // The same files again are the same photos, and the others are added.
                _ = try await stage.command("Anna", on: 1, ["add"] + pictures)
                #expect(try await stage.command("Anna", on: 1, ["gallery"]).output.count == 12)
                try await again.stop()
            }
        }

        @Test("A second signal ends a node at once, and the next one opens its folder")
        func twice() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                // Both wait while the process stands still, so that it gets them together.
                anna.suspend()
                anna.send(SIGTERM)
                anna.send(SIGINT)
                anna.resume()
                let exitCode = try await anna.end
                #expect([128 + SIGTERM, 128 + SIGINT].contains(exitCode), "\(exitCode): \(anna.errorText)")
                let again = try stage.start("Anna", on: 1, ["run"])
                _ = try await again.invitation
                try await again.stop()
            }
        }

        @Test("Ctrl-C ends a node that waits for a sponsor, without a failure")
        func joining() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let anna = try stage.host("Anna", on: 1)
                let invitation = try await anna.invitation
                try await anna.stop()
                let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"])
                try await ben.waitForText("looking for a node of the event")
                try await ben.stop()
                #expect(ben.errorText.contains(Self.says), "\(ben.errorText)")
            }
        }
    }
}
