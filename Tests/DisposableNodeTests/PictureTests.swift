// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import Foundation
import Testing

/// The event's cover and plan on a node.
@Suite(.timeLimit(.minutes(60))) struct PictureTests {
    private let folder: TestFolder
    init() throws { folder = try TestFolder() }

    private func set(
        _ role: PictureRole, _ node: Node, photo: String? = nil, file: String? = nil
    ) async throws -> String? {
        let replies = await ask(node, .setPicture(event: nil, role: role, photo: photo, file: file))
        for case .picture(role, let photo) in replies {
            #expect(replies.last == .finished(exitCode: 0))
            return photo
        }
        Issue.record("\(replies)")
        return nil
    }

    private func galleryIDs(_ node: Node) async -> [String] {
        await ask(node, .gallery(event: nil, onlyMine: false)).compactMap {
            if case .photo(let photo) = $0 { photo.id } else { nil }
        }
    }

    @Test("a file becomes the plan, the same file is the same photo, and neither export nor page lists it")
    func file() async throws {
        try await folder.node("host").runOffline { node in
            let event = try await node.host(
                Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000), organizerName: nil)
            let picture = try await folder.picture(1)
            _ = await ask(node, .add(event: nil, paths: [try await folder.picture(2)], keepsMetadata: false))
            let plan = try #require(try await set(.plan, node, file: picture))
            #expect(try await set(.cover, node, file: picture) == plan)
            #expect(await galleryIDs(node).count == 1)
            let served = try await node.event(event)
            let page = try await served.page(before: nil, limit: 9, by: nil, for: nil)
            #expect(page.totalCount == 1 && page.photos.allSatisfy { $0.id.description != plan })
            let shown = try #require(try await served.picture(.plan))
            #expect((shown.photo.description, shown.width, shown.height) == (plan, 640, 480))
            _ = await ask(node, .export(event: nil, folder: folder.path("home"), isAlbum: false))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("home")).count == 1)

            #expect(try await set(.plan, node) == nil)
            #expect(await galleryIDs(node).count == 2)
            let text = folder.path("text.jpg")
            try Data("no picture".utf8).write(to: URL(fileURLWithPath: text))
            for request in [
                ControlRequest.setPicture(event: nil, role: .plan, photo: nil, file: text),
                .setPicture(event: nil, role: .plan, photo: nil, file: folder.path("none.jpg")),
                .setPicture(event: nil, role: .plan, photo: "ffff", file: nil),
                .setPicture(event: nil, role: .plan, photo: nil, file: nil),
            ] {
                guard case .failed? = await ask(node, request).last else {
                    Issue.record("\(request)")
                    continue
                }
            }
        }
    }

    @Test("where photos are sealed, picking one of one's own opens it for everybody, and no other")
    func sealed() async throws {
        var charter = Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000)
        charter.reveal = .byHost
        let sealed = charter
        try await folder.node("host").runOffline { node in
            let event = try await node.host(sealed, organizerName: nil)
            let served = try await node.event(event)
            _ = await ask(node, .add(event: nil, paths: [try await folder.picture(1)], keepsMetadata: false))
            let cover = try #require(try await set(.cover, node, file: try await folder.picture(2)))
            let page = try await served.page(before: nil, limit: 9, by: nil, for: nil)
            #expect(page.photos.map(\.id.description) == [cover], "the other one stays sealed")
            #expect(try await served.picture(.cover)?.photo.description == cover)
            #expect(await served.sealed?.count == 1)
            #expect(
                try await served.reader(.preview, of: page.photos[0].id, for: nil) != nil, "its bytes can be read")
        }
    }

    @Test("a person's photo on the plan is told with the photo, and in what is known of the person")
    func spot() async throws {
        try await folder.node("host").runOffline { node in
            let event = try await node.host(
                Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000), organizerName: nil)
            _ = await ask(node, .add(event: nil, paths: [try await folder.picture(1)], keepsMetadata: false))
            let photo = try #require(await galleryIDs(node).first)
            let place = Spot(x: 9, y: 65_535)
            guard case .failed? = await ask(node, .say(event: nil, remark: .spot(photo: photo, place))).last else {
                Issue.record("placed without a plan")
                return
            }
            _ = try await set(.plan, node, file: try await folder.picture(2))
            #expect(
                await ask(node, .say(event: nil, remark: .spot(photo: photo, place))).last == .finished(exitCode: 0))
            for case .photo(let shown) in await ask(node, .gallery(event: nil, onlyMine: false)) {
                #expect(shown.spot == place)
            }
            let served = try await node.event(event)
            #expect(await served.pins(in: .all, by: nil, limit: 9).pins.map(\.photo.description) == [photo])
            let corner = SpotBox(from: Spot(x: 0, y: 0), to: Spot(x: 8, y: 65_535))
            #expect(await served.pins(in: corner, by: nil, limit: 9).totalCount == 0)
            let now = UInt64(Date().timeIntervalSince1970 * 1_000)
            let (today, before) = (now - 3_600_000..<now + 3_600_000, 0..<now - 3_600_000)
            #expect(await served.pins(in: .all, by: nil, added: today, limit: 9).totalCount == 1)
            #expect(await served.pins(in: .all, by: nil, added: before, limit: 9).totalCount == 0)
            _ = await ask(node, .exportMe(event: nil, folder: folder.path("me")))
            let me = try String(contentsOfFile: folder.path("me") + "/me.json", encoding: .utf8)
            #expect(me.contains("\"spot\""))
            #expect(await ask(node, .say(event: nil, remark: .spot(photo: photo, nil))).last == .finished(exitCode: 0))
            #expect(await served.pins(in: .all, by: nil, limit: 9).totalCount == 0)
        }
    }
}
