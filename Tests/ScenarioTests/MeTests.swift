// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Personal data, on real nodes")
    struct MeTests {
        private static let soon = ["--destruction-delay", "3"]
        private static let names = ["Benjamin Lindqvist of Uppsala", "Uncle Benjamin, who brought the cake"]
        private static let words = ["nobody but Benjamin can have said this", "Benjamin's caption, and nobody else's"]

        private struct Me: Decodable {
            struct Statement: Decodable {
                var kind: String
                var text: String?
            }
            var name: String?
            var photos: [[String: AnyValue]]
            var said: [Statement]
            struct AnyValue: Decodable { init(from decoder: any Decoder) throws {} }
        }

        /// Returns which of the texts occur in plain in any file below the folder.
        private func texts(in folder: String) -> Set<String> {
            var found: Set<String> = []
            for path in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
                guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(path)")) else { continue }
                for text in Self.names + Self.words where bytes.range(of: Data(text.utf8)) != nil { found.insert(text) }
            }
            return found
        }

        @Test("A person who erases everything is a former guest on every node, without name, text or photo")
        func erase() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--frames", "unlimited"] + Self.soon)
                let invitation = try await anna.invitation
                let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", Self.names[0]] + Self.soon)
                let chloe = try stage.start("Chloe", on: 3, ["join", invitation, "--as", "Chloe"] + Self.soon)
                for node in [ben, chloe] { try await node.waitUntilIn() }
                func paint(_ seed: UInt64) async throws -> [String] {
                    try await Pictures.paint(1, seed: seed, width: 1_400, height: 1_050, in: pictures)
                }
                let own = try #require(
                    try await stage.add(paint(410) + ["--caption", Self.words[1]], "Ben", on: 2)[0].id)
                let annas = try #require(try await stage.add(paint(411), "Anna", on: 1)[0].id)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 2)
                for arguments in [
                    ["rename", Self.names[1]], ["comment", annas, Self.words[0]], ["react", annas, "\u{1F389}"],
                ] {
                    let said = try await stage.command("Ben", on: 2, arguments)
                    #expect(said.exitCode == 0, "\(said.errorText)")
                }
                try await stage.waitUntilHeard(by: [anna, ben, chloe])

                // The texts of the person's operations, by the ids in Ben's own export.
                let mine = stage.path("mine")
                let exported = try await stage.command("Ben", on: 2, ["me", "export", mine])
                #expect(exported.exitCode == 0, "\(exported.errorText)")
                let data = try Data(contentsOf: URL(fileURLWithPath: mine + "/me.json"))
                let me = try JSONDecoder().decode(Me.self, from: data)
                #expect(me.name == Self.names[1] && me.photos.count == 1)
                #expect(Set(me.said.compactMap(\.text)) == Set(Self.names + Self.words))
                let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
                let ids = (json["said"] as? [[String: Any]] ?? []).filter { $0["text"] != nil }.compactMap {
                    $0["id"] as? String
                }
                let traces = try (ids + [own]).map { try stage.traces(of: $0, by: anna) }
                for node in [anna, ben, chloe] {
                    for trace in traces {
                        #expect(try !stage.left(of: trace, on: node).isEmpty, "\(node.name), before")
                    }
                }

                try await stage.lan.cut(3)
                let erased = try await stage.command("Ben", on: 2, ["me", "erase", "--yes"])
                #expect(erased.exitCode == 0, "\(erased.errorText)")
                try await stage.waitUntilDestroyed([anna, ben])
                for node in [anna, ben] {
                    for trace in traces { #expect(try stage.left(of: trace, on: node).isEmpty, "\(node.name), after") }
                    #expect(texts(in: stage.path(node.name)).isEmpty, "\(node.name), after")
                }
                for trace in traces { #expect(try !stage.left(of: trace, on: chloe).isEmpty, "she was away") }
                try await stage.lan.heal(3)
                try await stage.waitUntilDestroyed([anna, ben, chloe])
                for trace in traces { #expect(try stage.left(of: trace, on: chloe).isEmpty, "Chloe, at the end") }
                #expect(texts(in: stage.path("Chloe")).isEmpty)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 1)
                let shown = try await stage.command("Chloe", on: 3, ["event", "show"])
                #expect(shown.output.joined().contains("former guest"), "\(shown.output)")
                // A restart does not bring the name back.
                try await ben.stop()
                let again = try stage.start("Ben", on: 2, ["run"] + Self.soon)
                try await stage.waitUntilEqual([anna, again, chloe], photoCount: 1)
                let still = try await stage.command("Anna", on: 1, ["event", "show"])
                #expect(still.output.joined().contains("former guest"), "\(still.output)")
            }
        }
    }
}
