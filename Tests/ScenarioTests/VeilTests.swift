// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("Veiled photos on real nodes")
    struct VeilTests {
        @Test("Photos asked for behind a cut, lifted and hidden before it, end alike on all nodes and in no export")
        func apart() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.start("Anna", on: 1, ["host", "Garden party", "--veils", "on", "--as", "Anna"])
                let (ben, chloe) = try await stage.join(anna)
                func ask(_ name: String, _ arguments: [String]) async throws -> Command {
                    try await stage.command(name, on: ["Anna": 1, "Ben": 2, "Chloe": 3][name]!, arguments)
                }
                var ids: [String] = []
                for number in 0..<3 {
                    let picture = try await Pictures.paint(1, seed: 1_500 + UInt64(number), in: pictures)
                    ids.append(try #require(try await stage.add(picture, "Anna", on: 1)[0].id))
                }
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 3)
                #expect(try await ask("Ben", ["veil", ids[0]]).exitCode == 0)
                try await stage.waitUntilHeard(by: [anna, ben, chloe]) { $0.veiledCount == 1 && $0.photoCount == 2 }
                let refused = try await ask("Chloe", ["lift", ids[0]])
                #expect(refused.exitCode == 1 && refused.errorText.contains("moderator"), "\(refused.errorText)")
                let own = try await ask("Anna", ["veil", ids[1]])
                #expect(own.exitCode == 1 && own.errorText.contains("your own"), "\(own.errorText)")
                // Nothing of it is taken home.
                let home = try stage.makeFolder("home")
                _ = try await ask("Chloe", ["export", home])
                #expect(try await Stage.hashes(ofFilesIn: home).count == 2)

                try await stage.lan.cut(1)
                // Chloe, apart from Anna, asks for another, and for the first one, which Ben no longer asks for.
                #expect(try await ask("Ben", ["veil", "--off", ids[0]]).exitCode == 0)
                try await stage.waitUntilEqual([ben, chloe], photoCount: 3)
                for id in ids[..<2] { #expect(try await ask("Chloe", ["veil", id]).exitCode == 0) }
                try await stage.waitUntilEqual([ben, chloe], photoCount: 1)
                #expect(try await ask("Anna", ["lift", ids[0]]).exitCode == 0)
                try await stage.lan.heal(1)
                try await stage.waitUntilHeard(by: [anna, ben, chloe]) { $0.veiledCount == 1 && $0.photoCount == 2 }
                let listed = try await ask("Ben", ["gallery", "--veiled"]).lines
                #expect(listed.map(\.id) == [ids[1]] && listed.allSatisfy { $0.state == "veiled" })

                try await ben.kill()
                let again = try stage.start("Ben", on: 2, ["run"])
                #expect(try await ask("Anna", ["hide", ids[1]]).exitCode == 0)
                try await stage.waitUntilHeard(by: [anna, again, chloe]) { $0.veiledCount == 0 && $0.photoCount == 2 }
                #expect(try await ask("Anna", ["lift", "--undo", ids[0]]).exitCode == 0)
                try await stage.waitUntilHeard(by: [anna, again, chloe]) { $0.veiledCount == 1 && $0.photoCount == 1 }
                // Chloe's node alone asks for it, and was let in today.
                let since = ["lift", "--admitted-since", "2026-01-01T00:00"]
                let unsure = try await ask("Anna", since)
                #expect(unsure.exitCode == 2 && unsure.errorText.contains("1 photo would"), "\(unsure.errorText)")
                for (arguments, code) in [([], 2), ([ids[0], "--admitted-since", "21:30"], 2)] as [([String], Int32)] {
                    #expect(try await ask("Anna", ["lift"] + arguments).exitCode == code)
                }
                #expect(try await ask("Anna", since + ["--yes"]).exitCode == 0)
                try await stage.waitUntilHeard(by: [anna, again, chloe]) { $0.veiledCount == 0 && $0.photoCount == 2 }
                #expect(try await ask("Anna", ["event", "edit", "--veils", "off"]).exitCode == 0)
                try await stage.waitUntilEqual([anna, again, chloe], photoCount: 2)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 2)
            }
        }
    }
}
