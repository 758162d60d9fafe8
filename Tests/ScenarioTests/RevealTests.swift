// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Sealed photos, on real nodes")
    struct RevealTests {
        /// The traces of a sealed photo on every node's disk.
        private static let kept: Set<String> = ["sealed original", "sealed preview", "sealed thumbnail", "sealed body"]

        private struct Party {
            let stage: Stage
            static let hosts = ["Anna": 1, "Ben": 2, "Chloe": 3]

            /// Returns the state of each photo as a node shows it.
            func states(_ name: String) async throws -> [String: String] {
                let command = try await stage.command(name, on: Self.hosts[name]!, ["gallery"])  // of the table above
                try #require(command.exitCode == 0, "\(command.errorText)")
                let photos = try command.output.map(Line.init).filter { $0.type == "photo" }
                return Dictionary(uniqueKeysWithValues: photos.map { ($0.id ?? "-", $0.state ?? "-") })
            }

            func add(by name: String, seed: UInt64) async throws -> String {
                let pictures = try stage.makeFolder("pictures-\(seed)")
                let picture = try await Pictures.paint(1, seed: seed, width: 1_400, height: 1_050, in: pictures)
                let node = Self.hosts[name]!  // of the table above
                return try #require(try await stage.add(picture, name, on: node)[0].id)
            }

            func waitUntilAllSee(_ names: [String], _ count: Int) async throws {
                let wanted = [String](repeating: "complete", count: count)
                for name in names {
                    try await Stage.wait(for: name, toBe: wanted) { try await Array(states(name).values) }
                }
            }
        }

        @Test("No disk can open another author's photo before the reveal, and a node that was away shows it on return")
        func reveal() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let party = Party(stage: stage)
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--reveal", "by-host"])
                let (ben, chloe) = try await stage.join(anna)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 0)
                let (bens, chloes) = (
                    try await party.add(by: "Ben", seed: 900), try await party.add(by: "Chloe", seed: 901)
                )
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 2)
                #expect(try await party.states("Anna") == [bens: "sealed", chloes: "sealed"])
                #expect(try await party.states("Ben") == [bens: "complete", chloes: "sealed"])
                #expect(try await party.states("Chloe") == [bens: "sealed", chloes: "complete"])

                let traces = try stage.traces(of: bens, by: ben)
                for node in [anna, ben, chloe] {
                    let (data, copy) = (stage.path(node.name), stage.path("copy"))
                    #expect(try stage.left(of: traces, on: node) == Self.kept, "on the disk of \(node.name)")
                    // The readable bodies hold the encrypted keys, and no key in plain.
                    let readable = try node.standingStill { try traces.readable(in: data, copyingTo: copy) }
                    #expect(readable == ["body"], "to \(node.name)")
                }
                // Annotations would not be sealed, so there are none yet.
                for words in [
                    ["caption", bens, "Early"], ["comment", bens, "Early"], ["add", "no.jpg", "--caption", "Early"],
                ] {
                    let said = try await stage.command("Ben", on: 2, words)
                    #expect(said.exitCode == 1 && said.errorText.contains("texts about them would not be"), "\(words)")
                }
                #expect(try await stage.command("Chloe", on: 3, ["export", stage.path("early")]).exitCode == 1)
                #expect(try FileManager.default.contentsOfDirectory(atPath: stage.path("early")).count == 1)

                try await stage.lan.cut(3)
                let refused = try await stage.command("Ben", on: 2, ["event", "reveal", "--yes"])
                #expect(refused.exitCode == 1 && refused.errorText.contains("not on this machine"))
                #expect(try await stage.command("Anna", on: 1, ["event", "reveal"]).exitCode == 0)
                try await party.waitUntilAllSee(["Anna", "Ben"], 2)
                #expect(try await party.states("Chloe") == [bens: "sealed", chloes: "complete"])
                let late = try await party.add(by: "Chloe", seed: 902)
                #expect(try await party.states("Chloe")[late] == "complete")

                try await stage.lan.heal(3)
                try await party.waitUntilAllSee(["Anna", "Ben", "Chloe"], 3)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 3)
            }
        }

        @Test("Closing and editing need a confirmation if they open the photos before the announced end")
        func early() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--reveal", "at-end"])
                _ = try await anna.invitation
                let closed = try await stage.command("Anna", on: 1, ["event", "close"])
                #expect(closed.exitCode == 2 && closed.errorText.contains("closing shows the photos early"))
                for refused in [["edit", "--reveal", "now"], ["reveal"]] {
                    let early = try await stage.command("Anna", on: 1, ["event"] + refused)
                    #expect(
                        early.exitCode == 1 && early.errorText.contains("the photos are planned to be revealed at"),
                        "\(early.errorText)")
                    #expect(early.errorText.contains("add --yes"))
                }
                // An edit that opens nothing needs no confirmation.
                #expect(try await stage.command("Anna", on: 1, ["event", "edit", "--reveal", "by-host"]).exitCode == 0)
                #expect(try await stage.command("Anna", on: 1, ["event", "close", "--yes"]).exitCode == 0)
                #expect(try await stage.command("Anna", on: 1, ["event", "open"]).exitCode == 0)
                #expect(try await stage.command("Anna", on: 1, ["event", "edit", "--reveal", "at-end"]).exitCode == 0)
                #expect(try await stage.command("Anna", on: 1, ["event", "close", "--yes"]).exitCode == 0)
            }
        }

        @Test("An organizer by grant holds the key as well, and reveals while the host's machine is gone")
        func organizerByGrant() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let party = Party(stage: stage)
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--reveal", "at=tomorrow 18:00"])
                let (ben, chloe) = try await stage.join(anna)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 0)
                _ = try await party.add(by: "Chloe", seed: 910)
                let grant = try await stage.command("Anna", on: 1, ["role", "grant", "organizer", "Ben"])
                #expect(grant.exitCode == 0, "\(grant.errorText)")
                try await stage.waitForRole("organizer", of: "Ben", on: [("Ben", 2), ("Chloe", 3)])
                try await anna.kill()
                let early = try await stage.command("Ben", on: 2, ["event", "reveal"])
                #expect(early.exitCode == 1 && early.errorText.contains("--yes"))
                #expect(try await stage.command("Chloe", on: 3, ["event", "reveal", "--yes"]).exitCode == 1)
                #expect(try await stage.command("Ben", on: 2, ["event", "reveal", "--yes"]).exitCode == 0)
                try await party.waitUntilAllSee(["Ben", "Chloe"], 1)
            }
        }

        @Test("With the 24 words on paper another machine takes over for the lost host's machine")
        func backup() async throws {
            struct Backup: Decodable { let words: [String] }
            try await Stage.with(hostCount: 3) { stage in
                let party = Party(stage: stage)
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--reveal", "by-host"])
                let (ben, chloe) = try await stage.join(anna)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 0)
                _ = try await party.add(by: "Chloe", seed: 930)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 1)
                try await anna.waitForStatus("a warning about the only key") { status in
                    status.problems?.contains { $0.contains("disposable event backup") } == true
                }
                #expect(try await stage.command("Ben", on: 2, ["event", "backup"]).exitCode == 1)
                let printed = try await stage.command("Anna", on: 1, ["event", "backup"])
                let words = try JSONDecoder().decode(Backup.self, from: Data(printed.output.joined().utf8)).words
                #expect(words.count == 24)
                let status = try await stage.command("Anna", on: 1, ["status"])
                #expect(try status.output.map(Line.init).allSatisfy { $0.problems?.isEmpty != false })
                try await anna.kill()

                // The last word with another check bit is always wrong; two exchanged words pass once in 256 times.
                let list = try String(
                    contentsOfFile: Product.file("Sources/DisposablePortal/Public/words.txt"), encoding: .utf8
                ).split(separator: "\n").map(String.init)
                var wrong = words
                wrong[23] = list[try #require(list.firstIndex(of: words[23])) ^ 1]
                #expect(try await stage.command("Ben", on: 2, ["event", "restore"] + wrong).exitCode == 2)
                #expect(try await stage.command("Ben", on: 2, ["event", "restore", "zebra", "qwertz"]).exitCode == 2)
                #expect(try await stage.command("Ben", on: 2, ["event", "reveal"]).exitCode == 1)
                let restored = try await stage.command("Ben", on: 2, ["event", "restore"] + words)
                #expect(restored.exitCode == 0, "\(restored.errorText)")
                #expect(try await stage.command("Ben", on: 2, ["event", "reveal"]).exitCode == 0)
                try await party.waitUntilAllSee(["Ben", "Chloe"], 1)
                #expect(try await stage.command("Ben", on: 2, ["role", "grant", "organizer", "Chloe"]).exitCode == 0)
            }
        }

        @Test("At the planned time the host's node opens all photos; a lone node whose clock is ahead opens none")
        func plannedTime() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let party = Party(stage: stage)
                var anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--reveal", "at=tomorrow 18:00"])
                let invitation = try await anna.invitation
                try await stage.lan.setClock(3, aheadBy: 3 * 86_400)
                var ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"])
                let chloe = try stage.start("Chloe", on: 3, ["join", invitation, "--as", "Chloe"])
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 0)
                _ = try await party.add(by: "Chloe", seed: 920)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 1)
                try await stage.lan.cut(3)
                let aloneSince = ContinuousClock.now
                _ = try await party.add(by: "Ben", seed: 921)
                try await stage.waitUntilEqual([anna, ben], photoCount: 2)
                // Longer than an author's node waits for the host after that time.
                try await Task.sleep(until: aloneSince + .seconds(75))
                try await stage.lan.heal(3)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 2)
                let seen = [try await party.states("Anna"), try await party.states("Ben")].map { $0.values.sorted() }
                #expect(seen == [["sealed", "sealed"], ["complete", "sealed"]])

                // The time is reached on all nodes.
                for (node, host) in [(anna, 1), (ben, 2)] {
                    try await node.stop()
                    try await stage.lan.setClock(host, aheadBy: 3 * 86_400)
                }
                anna = try stage.start("Anna", on: 1, ["run"])
                ben = try stage.start("Ben", on: 2, ["run"])
                try await party.waitUntilAllSee(["Anna", "Ben", "Chloe"], 2)
            }
        }
    }
}
