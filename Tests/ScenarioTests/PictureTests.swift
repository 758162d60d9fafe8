// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("The cover, the plan and photos on it on real nodes")
    struct PictureTests {
        private struct Event: Decodable {
            let cover: String?
            let plan: String?
        }

        @Test("Two plans picked behind a cut end as one plan, with the photos that were put on it, on all nodes")
        func apart() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.host("Anna", on: 1)
                let (ben, chloe) = try await stage.join(anna)
                let hosts = ["Anna": 1, "Ben": 2, "Chloe": 3]
                func ask(_ name: String, _ arguments: [String]) async throws -> Command {
                    let command = try await stage.command(name, on: hosts[name]!, arguments)
                    try #require(command.exitCode == 0, "\(name) \(arguments): \(command.errorText)")
                    return command
                }
                func event(_ name: String) async throws -> Event {
                    let shown = try await ask(name, ["event", "show"])
                    return try JSONDecoder().decode(Event.self, from: Data(shown.output.joined().utf8))
                }
                func spots(_ name: String) async throws -> [String: Line.Place] {
                    let gallery = try await ask(name, ["gallery"]).lines
                    return Dictionary(
                        uniqueKeysWithValues: gallery.compactMap { line in line.spot.map { (line.id!, $0) } })
                }
                _ = try await ask("Anna", ["role", "grant", "organizer", "Ben"])
                try await stage.waitForRole("organizer", of: "Ben", on: [("Anna", 1), ("Ben", 2), ("Chloe", 3)])
                let own = try await Pictures.paint(2, seed: 1_400, in: pictures)
                let photo = try #require(try await stage.add(own, "Chloe", on: 3)[0].id)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 2)
                _ = try await ask("Anna", ["event", "picture", "cover", photo])

                try await stage.lan.cut(1)
                let sketch = try await Pictures.paint(1, seed: 1_402, in: pictures)[0]
                let bens = try #require(try await ask("Ben", ["event", "picture", "plan", sketch]).lines[0].photo)
                // The plan is not among the photos, and is fetched like one.
                try await stage.waitUntilEqual([ben, chloe], photoCount: 2)
                _ = try await ask("Chloe", ["place", photo, "25", "100"])
                let annas = try await Pictures.paint(1, seed: 1_403, in: pictures)[0]
                let later = try #require(try await ask("Anna", ["event", "picture", "plan", annas]).lines[0].photo)
                let refused = try await stage.command("Chloe", on: 3, ["event", "picture", "plan", "none"])
                #expect(refused.exitCode == 1 && refused.errorText.contains("organizer"), "\(refused.errorText)")
                try await stage.lan.heal(1)

                // Ben's plan is a photo again. The spot belongs to it, and is not shown on Anna's.
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 3)
                for name in hosts.keys {
                    let pictures = try await event(name)
                    #expect(pictures.plan == later && pictures.cover == photo, "\(name)")
                    #expect(try await spots(name).isEmpty, "\(name)")
                }
                _ = try await ask("Chloe", ["place", photo, "75", "0"])
                try await ben.kill()
                let again = try stage.start("Ben", on: 2, ["run"])
                try await stage.waitUntilEqual([anna, again, chloe], photoCount: 3)
                try await stage.waitUntilHeard(by: [anna, again, chloe])
                let place = [photo: Line.Place(x: 49_151, y: 0)]
                for name in hosts.keys { #expect(try await spots(name) == place, "\(name)") }

                _ = try await ask("Ben", ["event", "picture", "plan", bens])
                try await stage.waitUntilHeard(by: [anna, again, chloe]) { $0.photoCount == 3 }
                for name in hosts.keys { #expect(try await event(name).plan == bens, "\(name)") }
                _ = try await ask("Anna", ["hide", bens])
                try await stage.waitUntilHeard(by: [anna, again, chloe]) { $0.photoCount == 3 }
                for name in hosts.keys { #expect(try await event(name).plan == nil, "\(name)") }
                _ = try await ask("Anna", ["event", "picture", "plan", later])
                _ = try await ask("Chloe", ["place", photo, "--off"])
                _ = try await ask("Anna", ["event", "picture", "cover", "none"])
                try await stage.waitUntilEqual([anna, again, chloe], photoCount: 2)
                try await stage.waitUntilHeard(by: [anna, again, chloe])
                for name in hosts.keys {
                    #expect(try await spots(name).isEmpty, "\(name)")
                    #expect(try await event(name).cover == nil, "\(name)")
                }
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 2)
            }
        }
    }
}
