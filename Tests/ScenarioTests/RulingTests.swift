// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("Moderation, on real nodes")
    struct RulingTests {
        @Test("A moderator's hide and an organizer's removal are equal on all nodes after a partition")
        func ruling() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.host("Anna", on: 1)
                let (ben, chloe) = try await stage.join(anna)
                var ids: [String] = []
                for (number, name) in ["Anna", "Ben", "Chloe"].enumerated() {
                    let picture = try await Pictures.paint(1, seed: 900 + UInt64(number), in: pictures)
                    ids.append(try #require(try await stage.add(picture, name, on: number + 1)[0].id))
                    try await stage.waitUntilEqual([anna, ben, chloe], photoCount: number + 1)
                }
                func ask(_ name: String, _ arguments: [String]) async throws -> Command {
                    try await stage.command(name, on: ["Anna": 1, "Ben": 2, "Chloe": 3][name]!, arguments)
                }

                let refused = try await ask("Ben", ["hide", ids[2]])
                #expect(refused.exitCode == 1 && refused.output.isEmpty, "\(refused.errorText)")
                #expect(try await ask("Anna", ["role", "grant", "moderator", "Ben"]).exitCode == 0)
                try await stage.waitForRole("moderator", of: "Ben", on: [("Anna", 1), ("Ben", 2), ("Chloe", 3)])

                try await stage.lan.cut(3)
                let late = try await Pictures.paint(1, seed: 950, in: pictures)
                try await stage.add(late, "Chloe", on: 3)
                let hidden = try await ask("Ben", ["hide", ids[2]])
                #expect(hidden.exitCode == 0, "\(hidden.errorText)")
                try await stage.waitUntilEqual([anna, ben], photoCount: 2)
                // What Ben hid as a moderator stays hidden after he lost the role. Chloe is removed.
                #expect(try await ask("Anna", ["role", "revoke", "moderator", "Ben"]).exitCode == 0)
                #expect(try await ask("Anna", ["role", "revoke", "participant", "Chloe"]).exitCode == 0)
                // The galleries of the two were equal before as well.
                try await stage.waitUntilHeard(by: [anna, ben])
                try await stage.lan.heal(3)
                try await stage.waitUntilEqual([anna, ben], photoCount: 2)
                let again = try await ask("Ben", ["hide", ids[0]])
                #expect(again.exitCode == 1, "\(again.errorText)")

                #expect(try await ask("Anna", ["unhide", ids[2]]).exitCode == 0)
                try await stage.waitUntilEqual([anna, ben], photoCount: 3)
                #expect(try await ask("Anna", ["role", "grant", "participant", "Chloe"]).exitCode == 0)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 4)
                #expect(try await ask("Anna", ["erase", ids[1], "--yes"]).exitCode == 0)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 3)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 3)
            }
        }
    }
}
