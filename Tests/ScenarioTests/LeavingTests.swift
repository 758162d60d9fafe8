// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Leaving, on real nodes")
    struct LeavingTests {
        private static let soon = ["--destruction-delay", "3"]

        private func hasEvents(_ name: String, _ stage: Stage) throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: stage.path(name) + "/events").isEmpty == false
        }

        @Test("A member that leaves with its photos leaves no byte on any node, including one that was away meanwhile")
        func withPhotos() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--frames", "unlimited"] + Self.soon)
                let invitation = try await anna.invitation
                let (ben, chloe) = try await stage.join(anna, Self.soon)
                var ids: [String] = []
                for (name, host) in [("Ben", 2), ("Ben", 2), ("Chloe", 3)] {
                    let picture = try await Pictures.paint(
                        1, seed: 300 + UInt64(ids.count), width: 1_400, height: 1_050, in: pictures)
                    ids.append(try #require(try await stage.add(picture, name, on: host)[0].id))
                    try await stage.waitUntilEqual([anna, ben, chloe], photoCount: ids.count)
                }
                let traces = try ids.map { try stage.traces(of: $0, by: anna) }

                try await stage.lan.cut(3)
                let asked = try await stage.command("Ben", on: 2, ["leave", "--delete-my-photos"])
                #expect(asked.exitCode == 2 && asked.errorText.contains("add --yes"), "\(asked.errorText)")
                let left = try await stage.command(
                    "Ben", on: 2, ["leave", "--delete-my-photos", "--yes", "--wait", "600"])
                #expect(left.exitCode == 0, "\(left.errorText)")
                #expect(try left.lines.last?.type == "left")
                #expect(try await ben.end == 0, "a node without an event has nothing to do")
                #expect(try !hasEvents("Ben", stage))
                for photo in traces { #expect(try photo.left(in: stage.path("Ben")).isEmpty, "Ben's machine") }
                _ = try await anna.waitForStatus("Ben's deleted photos are purged") {
                    $0.photoCount == 1 && $0.toDestroyCount == 0 && $0.memberCount == 2
                }
                for photo in traces.prefix(2) { #expect(try stage.left(of: photo, on: anna).isEmpty, "Anna's") }
                for photo in traces { #expect(try !stage.left(of: photo, on: chloe).isEmpty, "she was away") }

                try await stage.lan.heal(3)
                _ = try await chloe.waitForStatus("Ben's deleted photos are purged here, too") {
                    $0.photoCount == 1 && $0.toDestroyCount == 0 && $0.memberCount == 2
                }
                for photo in traces.prefix(2) { #expect(try stage.left(of: photo, on: chloe).isEmpty, "Chloe's") }
                try await stage.expectSameGallery([("Anna", 1), ("Chloe", 3)], photoCount: 1)

                let again = try await stage.command("Ben", on: 2, ["join", invitation, "--timeout", "5"])
                #expect(again.exitCode == 3 && again.errorText.contains("left Garden party"), "\(again.errorText)")
                let rejoined = try stage.start("Ben", on: 2, ["join", invitation, "--again", "--as", "Ben"] + Self.soon)
                try await stage.waitUntilEqual([anna, rejoined, chloe], photoCount: 1)
            }
        }

        @Test("A node that leaves in a partition stays until others have its photos, whatever is killed between")
        func apart() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.host("Anna", on: 1)
                let (ben, chloe) = try await stage.join(anna)
                let shared = try await Pictures.paint(1, seed: 330, in: pictures)
                try await stage.add(shared, "Chloe", on: 3)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 1)

                try await stage.lan.cut(2)
                for seed in UInt64(331)..<334 {
                    try await stage.add(Pictures.paint(1, seed: seed, in: pictures), "Ben", on: 2)
                }
                let unheard = try await stage.command("Ben", on: 2, ["leave", "--yes", "--wait", "2"])
                #expect(
                    unheard.exitCode == 1 && unheard.errorText.contains("no other node has received the leave"),
                    "\(unheard.errorText)")
                try await ben.kill()
                let refused = try await stage.command("Ben", on: 2, ["add"] + shared)
                #expect(refused.exitCode == 1, "\(refused.errorText)")

                // If the process ends while it is leaving, the next one continues.
                try await stage.lan.heal(2)
                for milliseconds in [200, 700, 1_500] where try hasEvents("Ben", stage) {
                    let again = try stage.start("Ben", on: 2, ["run"])
                    try await Task.sleep(for: .milliseconds(milliseconds))
                    if again.isRunning { try await again.kill() }
                }
                if try hasEvents("Ben", stage) {
                    let last = try stage.start("Ben", on: 2, ["run"])
                    let limit = ContinuousClock.now + .patience
                    while last.isRunning, try hasEvents("Ben", stage), ContinuousClock.now < limit {
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    // A process that had only files left to remove runs on without an event.
                    try await last.stop()
                }
                #expect(try !hasEvents("Ben", stage))
                _ = try await RunningNode.wait([anna, chloe], for: "Ben's photos without Ben") {
                    [anna, chloe].allSatisfy {
                        $0.latestStatus?.completeCount == 4 && $0.latestStatus?.memberCount == 2
                    } ? true : nil
                }

                // A node that does not run is started until it has left.
                try await chloe.stop()
                let left = try await stage.command("Chloe", on: 3, ["leave", "--yes", "--wait", "600"])
                #expect(left.exitCode == 0, "\(left.errorText)")
                #expect(try !hasEvents("Chloe", stage))
                _ = try await anna.waitForStatus("Anna is alone with all photos") {
                    $0.completeCount == 4 && $0.memberCount == 1
                }
            }
        }
    }
}
