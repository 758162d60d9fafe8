// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("One device on two machines")
    struct CloneTests {
        @Test(
            "Two copies of a folder that used the same frames apart show one quota; extra frames show the rest"
        )
        func roll() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                func paint(_ count: Int, _ seed: UInt64) async throws -> [String] {
                    try await Pictures.paint(count, seed: seed, in: pictures)
                }
                let anna = try stage.start("Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--frames", "3"])
                let first = try stage.start("Ben", on: 2, ["join", try await anna.invitation, "--as", "Ben"])
                try await first.waitUntilIn()
                try await stage.add(try await paint(1, 2_000), "Ben", on: 2)
                try await stage.waitUntilEqual([anna, first], photoCount: 1)
                try await first.stop()
                try FileManager.default.copyItem(atPath: stage.path("Ben"), toPath: stage.path("Copy"))

                // In separate partitions both use the whole quota: the same frames, in the same sequences of one chain.
                try await stage.lan.cut(3)
                let ben = try stage.start("Ben", on: 2, ["run"])
                let copy = try stage.start("Copy", on: 3, ["run"])
                _ = try await (ben.invitation, copy.invitation)
                for (name, host, seed) in [("Ben", 2, UInt64(2_010)), ("Copy", 3, 2_020)] {
                    let files = try await paint(3, seed)
                    try await stage.add(Array(files.prefix(2)), name, on: host)
                    let full = try await stage.command(name, on: host, ["add", files[2]])
                    #expect(full.exitCode == 1 && full.errorText.contains("all 3 frames are used"), "\(full.errorText)")
                }
                try await stage.waitUntilEqual([anna, ben], photoCount: 3)
                try await copy.waitForStatus("its own three photos") { $0.photoCount == 3 }

                try await stage.lan.heal(3)
                let nodes = [anna, ben, copy]
                try await stage.waitUntilEqual(nodes, photoCount: 3)
                _ = try await RunningNode.wait(nodes, for: "warnings about the copy") {
                    nodes.allSatisfy { node in
                        node.lines.contains { $0.type == "warning" && $0.message?.contains("in use") == true }
                    } ? true : nil
                }
                let places = [("Anna", 1), ("Ben", 2), ("Copy", 3)]
                try await waitForWaiting(2, places, stage)
                for (name, host) in places.dropFirst() {
                    let full = try await stage.command(name, on: host, ["add"] + paint(1, 2_030))
                    #expect(full.exitCode == 1 && full.errorText.contains("all 3 frames are used"), "\(full.errorText)")
                }

                // Both know the waiting photos and the free frame, and claim it alike. Then the same with more frames
                // than needed.
                for (count, photoCount) in [("+1", 4), ("+2", 5)] {
                    let given = try await stage.command("Anna", on: 1, ["event", "frames", "Ben", count])
                    #expect(given.exitCode == 0, "\(given.errorText)")
                    try await stage.waitUntilEqual(nodes, photoCount: photoCount)
                }
                try await waitForWaiting(0, places, stage)
                try await stage.add(try await paint(1, 2_040), "Copy", on: 3)
                try await stage.waitUntilEqual(nodes, photoCount: 6)
                for node in nodes { try await node.stop() }
                let again = try places.map { try stage.start($0.0, on: $0.1, ["run"]) }
                try await stage.waitUntilEqual(again, photoCount: 6)
                try await stage.expectSameGallery(places, photoCount: 6)
            }
        }

        private struct Info: Decodable { let waitingCount: Int }

        /// Waits until these nodes have this many waiting photos.
        private func waitForWaiting(_ count: Int, _ nodes: [(String, Int)], _ stage: Stage) async throws {
            for (name, host) in nodes {
                try await Stage.wait(for: "the photos that wait at \(name)", toBe: count) {
                    let shown = try await stage.command(name, on: host, ["event", "show"])
                    return try JSONDecoder().decode(Info.self, from: Data(shown.output.joined().utf8)).waitingCount
                }
            }
        }
    }
}
