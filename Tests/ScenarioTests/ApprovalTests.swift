// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("Approval before display on real nodes")
    struct ApprovalTests {
        @Test("Photos wait on all nodes; approved behind a cut and declined before it they end alike everywhere")
        func apart() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.start("Anna", on: 1, ["host", "Garden party", "--approve", "all", "--as", "Anna"])
                let (ben, chloe) = try await stage.join(anna)
                func ask(_ name: String, _ arguments: [String]) async throws -> Command {
                    try await stage.command(name, on: ["Anna": 1, "Ben": 2, "Chloe": 3][name]!, arguments)
                }
                #expect(try await ask("Anna", ["role", "grant", "moderator", "Ben"]).exitCode == 0)
                try await stage.waitForRole("moderator", of: "Ben", on: [("Anna", 1), ("Ben", 2), ("Chloe", 3)])

                var ids: [String] = []
                for number in 0..<3 {
                    let picture = try await Pictures.paint(1, seed: 1_300 + UInt64(number), in: pictures)
                    ids.append(try #require(try await stage.add(picture, "Chloe", on: 3)[0].id))
                }
                try await stage.waitUntilHeard(by: [anna, ben, chloe]) { $0.pendingCount == 3 && $0.photoCount == 0 }
                let listed = try await ask("Ben", ["gallery", "--pending"]).lines
                #expect(listed.count == 3 && listed.allSatisfy { $0.state == "pending" })
                let refused = try await ask("Chloe", ["approve", ids[0]])
                #expect(refused.exitCode == 1 && refused.output.isEmpty, "\(refused.errorText)")
                // Nothing of it is taken home either.
                let home = try stage.makeFolder("home")
                _ = try await ask("Anna", ["export", home])
                #expect(try await Stage.hashes(ofFilesIn: home).isEmpty)

                try await stage.lan.cut(1)
                #expect(try await ask("Ben", ["approve", ids[0], ids[1]]).exitCode == 0)
                try await stage.waitUntilEqual([ben, chloe], photoCount: 2)
                #expect(try await ask("Anna", ["decline", ids[1]]).exitCode == 0)
                #expect(try await ask("Anna", ["role", "revoke", "moderator", "Ben"]).exitCode == 0)
                try await stage.lan.heal(1)
                // Anna's node named what it knew of Ben's: nothing. So nothing that he approved counts.
                try await stage.waitUntilHeard(by: [anna, ben, chloe]) { $0.pendingCount == 2 && $0.photoCount == 0 }

                // The same revocation, better informed, leaves his approvals.
                let again = try await ask("Anna", ["role", "revoke", "moderator", "Ben"])
                #expect(again.exitCode == 0, "\(again.errorText)")
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 1)
                #expect(try await ask("Anna", ["unhide", ids[1]]).exitCode == 0)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 2)
                #expect(try await ask("Anna", ["approve", "--all"]).exitCode == 0)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 3)
                #expect(try await ask("Anna", ["approve", "--undo", ids[2]]).exitCode == 0)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 2)
                #expect(try await ask("Anna", ["event", "edit", "--approve", "none"]).exitCode == 0)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 3)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 3)
            }
        }
    }
}
