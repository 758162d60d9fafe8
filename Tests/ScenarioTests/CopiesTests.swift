// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("Inventories of photos")
    struct CopiesTests {
        @Test("Inventories show a spreading photo, the last report of an absent node, and each node's purge")
        func copies() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let soon = ["--destruction-delay", "2"]
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--frames", "unlimited"] + soon)
                let (ben, chloe) = try await stage.join(anna, soon)
                _ = try await RunningNode.wait([ben, chloe], for: "the event") {
                    [ben, chloe].allSatisfy { $0.latestStatus?.digest != nil && $0.latestStatus?.memberCount == 3 }
                        ? true : nil
                }
                // Ben is alone with his photo: no other node has it.
                try await stage.lan.cut(2)
                let picture = try await Pictures.paint(1, seed: 970, width: 1_000, height: 750, in: pictures)
                let id = try #require(try await stage.add(picture, "Ben", on: 2)[0].id)
                func shown(_ name: String, _ host: Int) async throws -> Line {
                    let lines = try await stage.command(name, on: host, ["show", id]).lines
                    return try #require(lines.first { $0.type == "copies" })
                }
                let alone = try await shown("Ben", 2)
                #expect(alone.isHere == true && alone.isOnTwoMachines == false && alone.isOnOrganizers == false)
                #expect(alone.confirmedBy?.isEmpty == true && alone.nodeCount == 3)
                #expect(ben.latestStatus?.copies?.confirmed ?? 0 == 0)

                try await stage.lan.heal(2)
                try await ben.waitForStatus("his photo confirmed by the others") {
                    $0.copies == .init(here: 1, onTwoMachines: 1, onOrganizers: 1, confirmed: 1)
                        && $0.nodes?.filter { $0.originalCount == 1 }.count == 2
                }
                let spread = try await shown("Ben", 2)
                #expect(spread.isOnTwoMachines == true && spread.isOnOrganizers == true)
                #expect(Set(spread.confirmedBy?.map(\.name) ?? []) == ["Anna", "Chloe"])
                let text = try await stage.text("Ben", on: 2, ["show", id])
                #expect(text.contains("✓ on an organizer's") && text.contains("by 2 of 2 other nodes"), "\(text)")

                // Chloe is away while the photo is purged: her last report stays, marked as that of an absent node.
                try await stage.lan.cut(3)
                #expect(try await stage.command("Ben", on: 2, ["remove", id]).exitCode == 0)
                try await ben.waitForStatus("Anna's report that it is purged") {
                    $0.nodes?.contains { $0.name == "Anna" && $0.destroyedCount == 1 } == true && $0.toDestroyCount == 0
                }
                let gone = try await shown("Ben", 2)
                #expect(gone.isDestroyedHere == true && gone.isHere == false)
                #expect(gone.destroyedBy?.map(\.name) == ["Anna"])
                #expect(ben.latestStatus?.nodes?.first { $0.name == "Chloe" }?.originalCount == 1)
                try await stage.lan.heal(3)
                try await ben.waitForStatus("Chloe's word, too") {
                    $0.nodes?.filter { $0.destroyedCount == 1 && $0.originalCount == 0 }.count == 2
                }
                // Kept over a restart, and available without a network.
                try await ben.stop()
                #expect(Set(try await shown("Ben", 2).destroyedBy?.map(\.name) ?? []) == ["Anna", "Chloe"])
            }
        }
    }
}
