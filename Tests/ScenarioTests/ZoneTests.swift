// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("Zones on real nodes")
    struct ZoneTests {
        @Test("A photo has the zone of the node that took it in on all nodes, also a zone that is given behind a cut")
        func apart() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.host("Anna", on: 1)
                let (ben, chloe) = try await stage.join(anna)
                func ask(_ name: String, _ arguments: [String]) async throws -> Command {
                    try await stage.command(name, on: ["Anna": 1, "Ben": 2, "Chloe": 3][name]!, arguments)
                }
                func zones(_ name: String) async throws -> [String: String?] {
                    let photos = try await ask(name, ["gallery"]).lines
                    return Dictionary(
                        uniqueKeysWithValues: photos.compactMap { photo in photo.id.map { ($0, photo.zone) } })
                }
                func wait(for names: [String], _ wanted: [String: String?]) async throws {
                    for name in names { try await Stage.wait(for: name, toBe: wanted) { try await zones(name) } }
                }
                let everybody = ["Anna", "Ben", "Chloe"]
                let files = try await Pictures.paint(2, seed: 2_900, in: pictures)
                let annas = try #require(try await stage.add([files[0]], "Anna", on: 1)[0].id)
                let bens = try #require(try await stage.add([files[1]], "Ben", on: 2)[0].id)
                #expect(try await ask("Anna", ["zone", "Kitchen"]).exitCode == 0)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 2)
                try await wait(for: everybody, [annas: "Kitchen", bens: nil])
                let refused = try await ask("Ben", ["zone", "Garden"])
                #expect(refused.exitCode != 0, "a participant names no zone")

                try await stage.lan.cut(1)
                #expect(try await ask("Anna", ["zone", "Garden", "--node", "Ben"]).exitCode == 0)
                try await wait(for: ["Anna"], [annas: "Kitchen", bens: "Garden"])
                #expect(try await zones("Chloe") == [annas: "Kitchen", bens: nil])
                try await stage.lan.heal(1)
                try await wait(for: everybody, [annas: "Kitchen", bens: "Garden"])
                #expect(try await ask("Anna", ["zone", "none", "--node", "Ben"]).exitCode == 0)
                try await wait(for: everybody, [annas: "Kitchen", bens: nil])
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 2)
            }
        }
    }
}
