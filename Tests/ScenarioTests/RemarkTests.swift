// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Annotations, on real nodes")
    struct RemarkTests {
        private struct Photo: Decodable, Equatable {
            struct Remark: Decodable, Equatable { var id, author, text: String }
            var id: String
            var caption: Remark?
            var reactions: [String: Int]
            var comments: [Remark]
        }
        private struct Status: Decodable { var notices: [Photo.Remark] }
        private struct Said: Decodable { var id: String }

        private static func decode<Value: Decodable>(_ command: Command) throws -> [Value] {
            try #require(command.exitCode == 0, "\(command.errorText)")
            return try command.output.map { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
        }

        @Test(
            "Captions, comments, reactions and notices reach all, also after a partition, and a moderator hides some"
        )
        func remarks() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let anna = try stage.host("Anna", on: 1)
                let (ben, chloe) = try await stage.join(anna)
                let hosts = ["Anna": 1, "Ben": 2, "Chloe": 3]
                func ask(_ name: String, _ arguments: String...) async throws -> Command {
                    try await stage.command(name, on: hosts[name]!, arguments)
                }
                func photos(_ name: String) async throws -> [Photo] { try Self.decode(await ask(name, "gallery")) }
                /// Waits until all three nodes have equal annotations that satisfy `isWanted`.
                func wait(_ what: String, _ isWanted: ([Photo], [Photo.Remark]) -> Bool) async throws {
                    let end = ContinuousClock.now + .patience
                    while true {
                        var said: [([Photo], [Photo.Remark])] = []
                        for name in hosts.keys {
                            let status: [Status] = try Self.decode(await ask(name, "status"))
                            said.append((try await photos(name), status[0].notices))
                        }
                        if said.allSatisfy({ $0 == said[0] && isWanted($0.0, $0.1) }) { return }
                        guard ContinuousClock.now < end else {
                            Issue.record("\(what) did not arrive: \(said)")
                            return
                        }
                        try await Task.sleep(for: .milliseconds(300))
                    }
                }

                let pictures = try stage.makeFolder("pictures")
                let picture = try await Pictures.paint(1, seed: 1_300, in: pictures)
                let added = try await ask("Chloe", "add", picture[0], "--caption", "The cake")
                let photo = try #require(try added.lines.first?.id, "\(added.errorText)")
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 1)
                try await wait("the caption") { photos, _ in
                    photos[0].caption?.text == "The cake" && photos[0].caption?.author == "Chloe"
                }
                #expect(try await ask("Anna", "role", "grant", "moderator", "Ben").exitCode == 0)
                try await stage.waitForRole("moderator", of: "Ben", on: [("Anna", 1), ("Ben", 2), ("Chloe", 3)])

                try await stage.lan.cut(3)
                // In separate partitions, everybody writes something.
                let rude: [Said] = try Self.decode(await ask("Chloe", "comment", photo, "Who ate it?"))
                #expect(try await ask("Chloe", "react", photo, "\u{2764}\u{FE0F}").exitCode == 0)
                #expect(try await ask("Chloe", "caption", photo, "The late cake").exitCode == 0)
                let other = try await ask("Ben", "caption", photo, "Mine")
                #expect(
                    other.exitCode == 1 && other.errorText.contains("was added by another author"), "\(other.errorText)")
                #expect(try await ask("Ben", "comment", photo, "Delicious").exitCode == 0)
                #expect(try await ask("Ben", "react", photo, "\u{2764}").exitCode == 0)
                #expect(try await ask("Ben", "react", photo, "\u{1F389}").exitCode == 0)
                #expect(try await ask("Ben", "react", photo, "\u{1F389}", "--off").exitCode == 0)
                let emoji = try await ask("Ben", "react", photo, "x")
                #expect(emoji.exitCode == 2 && emoji.errorText.contains("\u{2764}"), "\(emoji.errorText)")
                let notice = try await ask("Ben", "notice", "Dance now")
                #expect(
                    notice.exitCode == 1 && notice.errorText.contains("this requires an organizer"), "\(notice.errorText)")
                #expect(try await ask("Anna", "notice", "Cake at five").exitCode == 0)
                #expect(try await ask("Ben", "rename", "Benjamin").exitCode == 0)
                try await stage.lan.heal(3)
                try await wait("the annotations of both partitions") { photos, notices in
                    photos[0].caption?.text == "The late cake" && photos[0].reactions == ["\u{2764}": 2]
                        && Set(photos[0].comments.map { "\($0.author): \($0.text)" })
                            == ["Chloe: Who ate it?", "Benjamin: Delicious"]
                        && notices.map(\.text) == ["Cake at five"]
                }

                #expect(try await ask("Ben", "hide", rude[0].id).exitCode == 0)
                try await wait("the hidden comment") { photos, _ in photos[0].comments.map(\.text) == ["Delicious"] }
                let delicious = try #require(try await photos("Ben")[0].comments.first?.id)
                let foreign = try await ask("Chloe", "remove", delicious)
                #expect(foreign.exitCode == 1, "\(foreign.errorText)")
                #expect(try await ask("Ben", "remove", String(delicious.prefix(10))).exitCode == 0)
                let spoken: [Status] = try Self.decode(await ask("Anna", "status"))
                #expect(try await ask("Anna", "erase", spoken[0].notices[0].id, "--yes").exitCode == 0)
                try await wait("silence") { photos, notices in photos[0].comments.isEmpty && notices.isEmpty }
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 1)
            }
        }
    }
}
