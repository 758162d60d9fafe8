// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("Given frames on real nodes")
    struct GiftTests {
        @Test("A frame given behind a cut is the recipient's once the nodes have met, and no longer the giver's")
        func apart() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--frames", "2", "--as", "Anna"])
                let (ben, chloe) = try await stage.join(anna)
                func ask(_ name: String, _ arguments: [String]) async throws -> Command {
                    try await stage.command(name, on: ["Anna": 1, "Ben": 2, "Chloe": 3][name]!, arguments)
                }
                func add(_ number: UInt64, _ name: String) async throws -> Command {
                    try await ask(name, ["add", Pictures.paint(1, seed: 2_800 + number, in: pictures)[0]])
                }
                #expect(try await add(1, "Chloe").exitCode == 0)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 1)

                try await stage.lan.cut(3)
                let asked = try await ask("Ben", ["give", "Chloe", "1"])
                #expect(asked.exitCode == 2, "\(asked.errorText)")
                #expect(asked.errorText.contains("giving cannot be undone"), "\(asked.errorText)")
                let given = try await ask("Ben", ["give", "Chloe", "1", "--yes"])
                #expect(given.exitCode == 0, "\(given.errorText)")
                #expect(try given.lines.first?.name == "Chloe")
                let more = try await ask("Ben", ["give", "Chloe", "2", "--yes"])
                #expect(more.exitCode == 1 && more.errorText.contains("you can give only 1"), "\(more.errorText)")
                let organizer = try await ask("Anna", ["give", "Ben", "1", "--yes"])
                #expect(organizer.exitCode == 1, "\(organizer.errorText)")
                #expect(try await add(2, "Chloe").exitCode == 0)
                let full = try await add(3, "Chloe")
                #expect(full.exitCode == 1 && full.errorText.contains("the quota is full"), "\(full.errorText)")

                try await stage.lan.heal(3)
                try await stage.waitUntilHeard(by: [anna, ben, chloe]) { $0.photoCount == 2 }
                let third = try await add(3, "Chloe")
                #expect(third.exitCode == 0, "\(third.errorText)")
                #expect(try await add(4, "Ben").exitCode == 0)
                #expect(try await add(5, "Ben").exitCode == 1)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 4)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 4)
            }
        }
    }
}
