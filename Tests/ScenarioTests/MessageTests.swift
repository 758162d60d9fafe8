// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("Messages to the organizers on real nodes")
    struct MessageTests {
        @Test("A message written behind a cut is read by the host alone once they meet, and is gone from all when deleted")
        func apart() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.host("Anna", on: 1)
                let (ben, carol) = try await stage.join(anna)
                func ask(_ name: String, _ arguments: [String]) async throws -> Command {
                    try await stage.command(name, on: ["Anna": 1, "Ben": 2, "Chloe": 3][name]!, arguments)
                }
                let own = try await Pictures.paint(1, seed: 1_700, in: pictures)
                let photo = try #require(try await stage.add(own, "Anna", on: 1)[0].id)
                try await stage.waitUntilEqual([anna, ben, carol], photoCount: 1)
                #expect(try await ask("Anna", ["messages"]).exitCode == 3, "there are none")

                try await stage.lan.cut(1)
                let written = try await ask("Chloe", ["message", "Where is the cake?\nI am hungry.", "--photo", photo])
                #expect(written.exitCode == 0, "\(written.errorText)")
                let id = try #require(written.lines.first?.id)
                let other = try await ask("Ben", ["message", "Not this one"])
                let mistaken = try #require(other.lines.first?.id)
                let refused = try await ask("Ben", ["messages"])
                #expect(refused.exitCode == 1 && refused.errorText.contains("organizer"), "\(refused.errorText)")
                #expect(try await ask("Anna", ["messages"]).exitCode == 3, "the host is apart")
                // Ben takes his back before the host could read it.
                #expect(try await ask("Ben", ["remove", mistaken]).exitCode == 0)
                try await stage.lan.heal(1)
                try await stage.waitUntilHeard(by: [anna, ben, carol])
                let read = try await ask("Anna", ["messages"]).lines
                #expect(read.map(\.id) == [id] && read[0].photo == photo)
                #expect(read[0].text == "Where is the cake?\nI am hungry." && read[0].author == "Chloe")

                // Neither the node that has passed it on nor the one that wrote it can read it.
                for name in ["Ben", "Chloe"] { #expect(try await ask(name, ["messages"]).exitCode == 1, "\(name)") }
                let hidden = try await ask("Anna", ["hide", id])
                #expect(hidden.exitCode == 3, "\(hidden.errorText)")
                #expect(try await ask("Anna", ["erase", id, "--yes"]).exitCode == 0)
                #expect(try await ask("Anna", ["messages"]).exitCode == 3)
                try await stage.waitUntilHeard(by: [anna, ben, carol])
                try await anna.kill()
                let again = try stage.start("Anna", on: 1, ["run"])
                try await stage.waitUntilHeard(by: [again, ben, carol])
                #expect(try await ask("Anna", ["messages"]).exitCode == 3)
            }
        }
    }
}
