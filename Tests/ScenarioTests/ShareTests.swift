// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Photos that organizers reveal together, on real nodes")
    struct ShareTests {
        private struct Party {
            let stage: Stage
            static let hosts = ["Anna": 1, "Ben": 2, "Chloe": 3]

            func ask(_ name: String, _ arguments: String...) async throws -> Command {
                try await stage.command(name, on: Self.hosts[name]!, arguments)  // of the table above
            }

            func text(_ name: String, _ arguments: String...) async throws -> String {
                try await stage.text(name, on: Self.hosts[name]!, arguments)  // of the table above
            }

            /// Returns the states of the photos as a node shows them.
            func states(_ name: String) async throws -> Set<String> {
                let command = try await ask(name, "gallery")
                try #require(command.exitCode == 0, "\(command.errorText)")
                return Set(try command.output.map(Line.init).filter { $0.type == "photo" }.map { $0.state ?? "-" })
            }

            func waitUntil(_ name: String, has states: Set<String>) async throws {
                try await Stage.wait(for: name, toBe: states) { try await self.states(name) }
            }

            func waitForShares(_ name: String, _ words: String) async throws {
                try await Stage.wait(for: "\(words) at \(name)", toBe: true) {
                    try await text(name, "event", "shares").contains(words)
                }
            }

            /// Whether the data folder has a file with shares that nobody has been given.
            func hasUndealtShares(_ name: String) -> Bool {
                let files = FileManager.default.enumerator(atPath: stage.path(name))
                return files?.contains { ($0 as? String)?.hasSuffix("keys/reveal.shares") == true } == true
            }

            /// Anna hosts; Ben and Chloe are organizers, and a photo of Chloe's is sealed.
            func begin(reveal: String) async throws -> (anna: RunningNode, ben: RunningNode, chloe: RunningNode) {
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--reveal", reveal, "--shares", "2"])
                let (ben, chloe) = try await stage.join(anna)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 0)
                #expect(hasUndealtShares("Anna"))
                #expect(try await text("Anna", "event", "shares").contains("2 shares for further organizers"))
                for name in ["Ben", "Chloe"] {
                    let grant = try await ask("Anna", "role", "grant", "organizer", name)
                    #expect(grant.exitCode == 0, "\(grant.errorText)")
                    try await stage.waitForRole("organizer", of: name, on: [("Ben", 2), ("Chloe", 3)])
                }
                #expect(!hasUndealtShares("Anna"), "the host's machine has only its own share")
                let pictures = try stage.makeFolder("pictures")
                let picture = try await Pictures.paint(1, seed: 3_000, width: 1_400, height: 1_050, in: pictures)
                _ = try await stage.add(picture, "Chloe", on: 3)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 1)
                #expect(try await states("Anna") == ["sealed"])
                #expect(try await states("Ben") == ["sealed"])
                return (anna, ben, chloe)
            }
        }

        @Test("Two of three organizers reveal the photos, on every node; one alone cannot, cut off or not")
        func twoOfThree() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let party = Party(stage: stage)
                _ = try await party.begin(reveal: "by-host")
                let shares = try await party.text("Chloe", "event", "shares")
                for name in ["Anna", "Ben", "Chloe"] { #expect(shares.contains("\(name)"), "\(shares)") }
                #expect(shares.contains("2 of 3 shares are published; 2 missing"), "\(shares)")

                try await stage.lan.cut(2)
                let first = try await party.text("Ben", "event", "reveal")
                #expect(first.contains("your share is published"), "\(first)")
                #expect(first.contains("after 1 more share"), "\(first)")
                // Again, and by what else an organizer can do.
                #expect(try await party.text("Ben", "event", "reveal").contains("after 1 more share"))
                #expect(try await party.ask("Ben", "event", "edit", "--reveal", "now", "--yes").exitCode == 0)
                #expect(try await party.ask("Ben", "event", "close", "--yes").exitCode == 0)
                try await Task.sleep(for: .seconds(2))
                #expect(try await party.states("Ben") == ["sealed"])
                #expect(try await party.ask("Ben", "export", stage.path("early")).exitCode == 1)

                try await stage.lan.heal(2)
                try await party.waitForShares("Anna", "1 missing")
                #expect(try await party.states("Anna") == ["sealed"])
                #expect(try await party.states("Ben") == ["sealed"])

                let second = try await party.text("Anna", "event", "reveal")
                #expect(second.contains("revealed 1 photo"), "\(second)")
                for name in ["Anna", "Ben", "Chloe"] { try await party.waitUntil(name, has: ["complete"]) }
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 1)
            }
        }

        @Test("With the host's machine lost, the two others reveal; the event key on paper opens nothing")
        func hostLost() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let party = Party(stage: stage)
                let (anna, _, _) = try await party.begin(reveal: "by-host")
                let words = try await party.text("Anna", "event", "backup")
                try await anna.kill()
                #expect(try await party.text("Ben", "event", "reveal").contains("after 1 more share"))
                #expect(!words.isEmpty)
                #expect(try await party.text("Chloe", "event", "reveal").contains("revealed 1 photo"))
                try await party.waitUntil("Ben", has: ["complete"])
            }
        }

        @Test("Shares that nobody was given are destroyed on command, once organizers have enough of them")
        func finished() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let party = Party(stage: stage)
                let none = try await party.ask("Anna", "host", "X", "--shares", "2")
                #expect(none.exitCode == 2 && none.errorText.contains("--reveal at-end"), "\(none.errorText)")
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--reveal", "by-host", "--shares", "2of4"])
                let (ben, chloe) = try await stage.join(anna)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 0)
                let early = try await party.ask("Anna", "event", "shares", "--finish")
                #expect(early.exitCode == 1 && early.errorText.contains("only 1 of the 2"), "\(early.errorText)")
                #expect(try await party.ask("Anna", "role", "grant", "organizer", "Ben").exitCode == 0)
                #expect(party.hasUndealtShares("Anna"))
                #expect(try await party.ask("Anna", "event", "shares", "--finish").exitCode == 0)
                #expect(!party.hasUndealtShares("Anna"))
                #expect(try await party.text("Anna", "event", "reveal").contains("after 1 more share"))
                let guest = try await party.ask("Chloe", "event", "reveal")
                #expect(guest.exitCode == 3 && guest.errorText.contains("has no share"), "\(guest.errorText)")
            }
        }
    }
}
