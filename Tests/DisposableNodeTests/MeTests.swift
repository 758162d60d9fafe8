// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposableWire
import Foundation
import Testing

/// The event's data about a person: exporting and deleting them.
@Suite(.timeLimit(.minutes(60))) struct MeTests {
    private let folder: TestFolder
    private let charter = Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000)

    init() throws { folder = try TestFolder() }
    private func node() throws -> Node { try folder.node("host") }

    /// Two photos of the host's, a caption, a comment, a reaction, two names.
    private func begin(_ node: Node) async throws -> [String] {
        _ = try await node.host(charter, organizerName: nil)
        var ids: [String] = []
        for seed in UInt64(1)...2 {
            let request = ControlRequest.add(
                event: nil, paths: [try await folder.picture(seed)], keepsMetadata: false,
                caption: seed == 1 ? "the cake" : nil)
            for case .added(let photo) in await ask(node, request) { ids.append(photo.id) }
        }
        try #require(ids.count == 2)
        for name in ["Anna", "Anna B."] {
            #expect(await ask(node, .rename(event: nil, name: name)).last == .finished(exitCode: 0))
        }
        for remark in [
            ControlRemark.comment(photo: ids[1], text: "so nice"),
            .reaction(photo: ids[0], emoji: "\u{1F389}", isOn: true),
        ] { #expect(await ask(node, .say(event: nil, remark: remark)).last == .finished(exitCode: 0)) }
        return ids
    }

    @Test("me export holds the photos as they are shared, and all that was said, by the person and about them")
    func export() async throws {
        try await node().runOffline { node in
            let ids = try await begin(node)
            #expect(await ask(node, .remove(event: nil, photo: ids[1])).last == .finished(exitCode: 0))
            let replies = await ask(node, .exportMe(event: nil, folder: folder.path("mine")))
            #expect(replies.last == .finished(exitCode: 0))
            let gallery = await ask(node, .gallery(event: nil, onlyMine: false))
            guard case .photo(let shown)? = gallery.first else {
                Issue.record("\(gallery)")
                return
            }
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("mine") + "/me.json"))
            let me = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect(me["name"] as? String == "Anna B." && me["eventName"] as? String == "Party")
            #expect((me["remains"] as? String)?.contains("public key of your device") == true)
            let photos = try #require(me["photos"] as? [[String: Any]])
            #expect(photos.count == 1)
            let file = try #require(photos[0]["file"] as? String)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path("mine")).sorted()
                    == [file, "me.json"].sorted())
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: folder.path("mine") + "/" + file)).count
                    == Int(shown.picture.byteCount ?? 0))
            let said = try #require(me["said"] as? [[String: Any]])
            let texts = Set(said.compactMap { $0["text"] as? String })
            #expect(texts == ["Anna", "Anna B.", "the cake", "so nice"])
            let kinds = Set(said.compactMap { $0["kind"] as? String })
            #expect(
                kinds == ["join", "photo", "claim", "original", "caption", "comment", "reaction", "name", "remove"])
            #expect(said.filter { $0["isTakenAway"] as? Bool == true }.compactMap { $0["id"] as? String } == [ids[1]])
        }
    }

    @Test("me erase takes all of it back and leaves a former guest; a second time there is nothing to do")
    func erase() async throws {
        try await node().runOffline { node in
            _ = try await begin(node)
            let replies = await ask(node, .eraseMe(event: nil))
            #expect(
                replies.contains(.erasedMe(ErasedData(photoCount: 2, wordCount: 4, reactionCount: 1))), "\(replies)")
            #expect(replies.last == .finished(exitCode: 0))
            #expect(await ask(node, .gallery(event: nil, onlyMine: false)) == [.finished(exitCode: 0)])
            guard case .event(let info)? = await ask(node, .event(event: nil)).first else {
                Issue.record("no event")
                return
            }
            #expect(info.members.people.map(\.name) == ["former guest"] && info.remarks.commentCount == 0)
            #expect(await ask(node, .eraseMe(event: nil)).last == .finished(exitCode: 3))
        }
    }
}
