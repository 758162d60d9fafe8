// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Photo missions on real nodes")
    struct MissionTests {
        private struct Photo: Decodable {
            struct Mission: Decodable, Equatable {
                var id: UInt32
                var text: String
            }
            var id: String
            var mission: Mission?
        }
        private struct Event: Decodable {
            struct Parameters: Decodable { var missions: [Photo.Mission] }
            var parameters: Parameters
        }

        @Test("Missions that are added and answered behind a cut end alike on three nodes, and in the exported album")
        func apart() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.start(
                    "Anna", on: 1,
                    ["host", "Garden party", "--mission", "the first dance", "--mission", "your table", "--as", "Anna"])
                let (ben, chloe) = try await stage.join(anna)
                func ask(_ name: String, _ arguments: [String]) async throws -> Command {
                    try await stage.command(name, on: ["Anna": 1, "Ben": 2, "Chloe": 3][name]!, arguments)
                }
                func answers(_ name: String) async throws -> [String: Photo.Mission?] {
                    let photos = try await ask(name, ["gallery"]).output.map {
                        try JSONDecoder().decode(Photo.self, from: Data($0.utf8))
                    }
                    return Dictionary(uniqueKeysWithValues: photos.map { ($0.id, $0.mission) })
                }
                func add(_ number: UInt64, _ name: String, on host: Int, _ arguments: String...) async throws -> String {
                    let picture = try await Pictures.paint(1, seed: 2_700 + number, in: pictures)
                    let added = try await ask(name, ["add", picture[0]] + arguments)
                    return try #require(try added.lines.first?.id, "\(added.errorText)")
                }
                /// Waits until each of them has this list, and, with `shown`, photos that answer these.
                func wait(_ names: [String], list: [String], shown: [String: String?]? = nil) async throws {
                    for name in names {
                        try await Stage.wait(for: "the missions at \(name)", toBe: list) {
                            let events = try await ask(name, ["event"]).output.compactMap {
                                try? JSONDecoder().decode(Event.self, from: Data($0.utf8))
                            }
                            return events.flatMap(\.parameters.missions).map(\.text)
                        }
                        guard let shown else { continue }
                        try await Stage.wait(for: "the answers at \(name)", toBe: shown) {
                            try await answers(name).mapValues { $0?.text }
                        }
                    }
                }
                let first = try await add(1, "Chloe", on: 3, "--mission", "1")
                let plain = try await add(2, "Chloe", on: 3)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 2)
                let refused = try await ask("Chloe", ["add", pictures, "--mission", "3"])
                #expect(refused.exitCode == 3, "\(refused.errorText)")
                #expect(refused.errorText.contains("there is no mission 3: the event has 2 of them"), "\(refused.errorText)")

                try await stage.lan.cut(3)
                // Nobody on the other side knows of the third mission when Chloe's photo answers the second.
                let asked = try await ask(
                    "Anna",
                    [
                        "event", "edit", "--mission", "the cake", "--mission", "the first dance", "--mission", "your table",
                    ])
                #expect(asked.exitCode == 0, "\(asked.errorText)")
                let list = ["the cake", "the first dance", "your table"]
                try await wait(["Anna", "Ben"], list: list)
                let cake = try await add(3, "Ben", on: 2, "--mission", "1")
                let table = try await add(4, "Chloe", on: 3, "--mission", "2")
                try await stage.waitUntilEqual([anna, ben], photoCount: 3)
                try await stage.lan.heal(3)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 4)
                let expected = [first: "the first dance", plain: nil, cake: "the cake", table: "your table"]
                try await wait(["Anna", "Ben", "Chloe"], list: list, shown: expected)

                let home = try stage.makeFolder("home")
                let exported = try await ask("Ben", ["export", "--album", home])
                #expect(exported.exitCode == 0, "\(exported.errorText)")
                let page = try String(contentsOfFile: home + "/index.html", encoding: .utf8)
                #expect(["the first dance", "the cake", "your table"].allSatisfy { page.contains("<i>\($0)</i>") })
                // Off the list, and on it again with the same words: a new mission, which no photo answers.
                #expect(try await ask("Anna", ["event", "edit", "--mission", "none"]).exitCode == 0)
                let none = expected.mapValues { _ in String?.none }
                try await wait(["Anna", "Ben", "Chloe"], list: [], shown: none)
                #expect(try await ask("Anna", ["event", "edit", "--mission", "the cake"]).exitCode == 0)
                try await wait(["Anna", "Ben", "Chloe"], list: ["the cake"], shown: none)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 4)
            }
        }
    }
}
