// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("Removed members, on real nodes")
    struct RevocationTests {
        private static let hosts = ["Anna": 1, "Ben": 2, "Chloe": 3]
        private static let places = [("Anna", 1), ("Ben", 2), ("Chloe", 3)]

        /// Anna's event with three members, each with a photo.
        private struct Party {
            let stage: Stage
            var nodes: [String: RunningNode] = [:]
            private(set) var ids: [String] = []

            init(_ stage: Stage) async throws {
                self.stage = stage
                let anna = try stage.host("Anna", on: 1)
                let invitation = try await anna.invitation
                nodes = ["Anna": anna]
                for name in ["Ben", "Chloe"] {
                    nodes[name] = try stage.start(name, on: hosts[name]!, ["join", invitation, "--as", name])  // there
                }
                for (number, name) in ["Anna", "Ben", "Chloe"].enumerated() {
                    ids.append(try await add(by: name, seed: 2_100 + UInt64(number)))
                    try await waitUntilEqual(["Anna", "Ben", "Chloe"], photoCount: number + 1)
                }
            }

            func ask(_ name: String, _ arguments: String...) async throws -> Command {
                try await stage.command(name, on: hosts[name]!, arguments)  // of the table
            }

            func tell(
                _ name: String, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
            ) async throws {
                let command = try await stage.command(name, on: hosts[name]!, arguments)  // of the table
                #expect(command.exitCode == 0, "\(command.errorText)", sourceLocation: sourceLocation)
            }

            func add(by name: String, seed: UInt64) async throws -> String {
                let picture = try await Pictures.paint(1, seed: seed, in: stage.makeFolder("pictures"))
                return try #require(try await stage.add(picture, name, on: hosts[name]!)[0].id)  // of the table
            }

            func waitUntilEqual(_ names: [String], photoCount: Int) async throws {
                try await stage.waitUntilEqual(names.compactMap { nodes[$0] }, photoCount: photoCount)
            }

            func photos(of name: String) async throws -> Set<String> {
                Set(try await ask(name, "gallery").lines.filter { $0.type == "photo" }.compactMap(\.id))
            }

            /// Waits until a node knows whether it is a member.
            func waitUntil(_ name: String, isIn: Bool) async throws {
                let node = nodes[name]!  // one of the three
                try await node.waitForStatus("\(name) knows that it is \(isIn ? "a member" : "removed")") {
                    $0.isAdmitted == isIn
                }
            }

            mutating func restart() async throws {
                for (name, host) in places {
                    try await nodes[name]?.stop()
                    nodes[name] = try stage.start(name, on: host, ["run"])
                }
            }
        }

        @Test(
            "What a moderator does in one partition after its removal in the other does not count once they merge"
        )
        func behindACut() async throws {
            try await Stage.with(hostCount: 3) { stage in
                var party = try await Party(stage)
                let ids = party.ids
                try await party.tell("Anna", "role", "grant", "moderator", "Ben")
                try await stage.waitForRole("moderator", of: "Ben", on: Self.places)

                try await stage.lan.cut(1)
                try await party.tell("Anna", "role", "revoke", "participant", "Ben")
                let late = try await party.add(by: "Ben", seed: 2_110)
                try await party.waitUntilEqual(["Ben", "Chloe"], photoCount: 4)
                try await party.tell("Ben", "hide", ids[0])
                try await party.waitUntilEqual(["Ben", "Chloe"], photoCount: 3)
                let hers = try await party.add(by: "Chloe", seed: 2_111)
                try await party.waitUntilEqual(["Ben", "Chloe"], photoCount: 4)
                try await party.tell("Ben", "role", "revoke", "participant", "Chloe")
                try await party.waitUntil("Chloe", isIn: false)
                #expect(try await party.photos(of: "Chloe") == [ids[1], ids[2], late, hers])

                try await stage.lan.heal(1)
                try await party.waitUntil("Ben", isIn: false)
                try await party.waitUntil("Chloe", isIn: true)
                #expect(try await party.ask("Ben", "status").lines.first?.isPutOut == true)
                #expect(try await party.ask("Chloe", "status").lines.first?.isPutOut == false)
                let news = try await party.nodes["Ben"]!.waitFor("the notification of Ben") {
                    $0.first { $0.message?.contains("was removed from") == true }
                }
                #expect(news.type == "warning")
                try await party.waitUntilEqual(["Anna", "Chloe"], photoCount: 4)
                for name in ["Anna", "Chloe"] { #expect(try await party.photos(of: name) == Set(ids + [hers])) }
                for arguments in [["hide", ids[0]], ["remove", ids[0]], ["role", "revoke", "participant", "Chloe"]] {
                    let refused = try await stage.command("Ben", on: 2, arguments)
                    #expect(refused.exitCode == 1, "\(arguments): \(refused.output)")
                    #expect(refused.errorText.contains("you have been removed from this event"), "\(refused.errorText)")
                }
                try await party.restart()
                try await party.waitUntilEqual(["Anna", "Chloe"], photoCount: 4)
                let after = try await party.add(by: "Chloe", seed: 2_112)
                try await party.waitUntilEqual(["Anna", "Chloe"], photoCount: 5)
                #expect(try await party.photos(of: "Anna") == Set(ids + [hers, after]))
                try await stage.expectSameGallery([("Anna", 1), ("Chloe", 3)], photoCount: 5)
            }
        }

        @Test(
            "Of two organizers that remove each other in two partitions, the one whose role was revoked loses"
        )
        func organizers() async throws {
            try await Stage.with(hostCount: 3) { stage in
                var party = try await Party(stage)
                let ids = party.ids
                try await party.tell("Anna", "role", "grant", "organizer", "Ben")
                try await stage.waitForRole("organizer", of: "Ben", on: Self.places)
                let host = try await party.ask("Ben", "role", "revoke", "participant", "Anna")
                #expect(host.exitCode == 1 && host.output.isEmpty, "\(host.errorText)")

                try await stage.lan.cut(2)
                try await party.tell("Anna", "role", "grant", "organizer", "Chloe")
                try await stage.waitForRole("organizer", of: "Chloe", on: [("Anna", 1), ("Chloe", 3)])
                let equal = try await party.ask("Chloe", "role", "revoke", "participant", "Ben")
                #expect(equal.exitCode == 1 && equal.output.isEmpty, "ranks are equal: \(equal.errorText)")
                try await party.tell("Anna", "role", "revoke", "organizer", "Ben")
                let end = ContinuousClock.now + .patience
                while try await party.ask("Chloe", "role", "revoke", "participant", "Ben").exitCode != 0 {
                    try #require(ContinuousClock.now < end, "Chloe does not know that Ben is no longer an organizer")
                    try await Task.sleep(for: .milliseconds(100))
                }
                // In his partition Ben is an organizer, and Chloe is not.
                try await party.tell("Ben", "role", "revoke", "participant", "Chloe")
                try await party.tell("Ben", "erase", ids[0], "--yes")
                let late = try await party.add(by: "Ben", seed: 2_120)
                #expect(try await party.photos(of: "Ben") == [ids[1], ids[2], late])

                try await stage.lan.heal(2)
                try await party.waitUntil("Ben", isIn: false)
                try await party.waitUntilEqual(["Anna", "Chloe"], photoCount: 3)
                for _ in 0..<2 {
                    for name in ["Anna", "Chloe"] { #expect(try await party.photos(of: name) == Set(ids)) }
                    try await stage.waitForRole("organizer", of: "Chloe", on: [("Anna", 1), ("Chloe", 3)])
                    try await party.restart()
                    try await party.waitUntilEqual(["Anna", "Chloe"], photoCount: 3)
                }

                // Reinstated, he is a participant: his photo is shown again, and the photo that he erased as an
                // organizer is back.
                try await party.tell("Anna", "role", "grant", "participant", "Ben")
                try await party.waitUntilEqual(["Anna", "Ben", "Chloe"], photoCount: 4)
                #expect(try await party.photos(of: "Ben") == Set(ids + [late]))
                try await stage.expectSameGallery(Self.places, photoCount: 4)
            }
        }
    }
}
