// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableNode
import DisposableStore
import DisposableWire
import Foundation
import Glibc
import Testing

/// A node's services for guests without a node, without its pages.
@Suite(.timeLimit(.minutes(60))) struct GuestTests {
    private let folder: TestFolder
    private let guest = Self.newKey()
    private static func newKey() -> SigningKey {
        var seed = (0..<32).map { _ in UInt8.random(in: 0...255) }
        return SigningKey(seed: SecretBytes(consuming: &seed))
    }
    private var author: AuthorID { AuthorID(guest.verifyingKey) }

    init() throws { folder = try TestFolder() }

    private func onHost<Result: Sendable>(
        _ body: @Sendable (Node, EventID) async throws -> Result
    ) async throws -> Result {
        var configuration = NodeConfiguration.offline
        configuration.removals.delay = .seconds(3_600)
        return try await folder.node("host", configuration).runOffline { node in
            let charter = Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000, frames: 3)
            let events = await node.events
            let event = try await events.isEmpty ? node.host(charter, organizerName: "Anna") : events[0]
            return try await body(node, event)
        }
    }

    private func enter(_ node: Node, _ event: EventID, _ key: SigningKey? = nil) async throws {
        let key = key ?? guest
        let subKey = try await node.event(event).subKeyID(of: AuthorID(key.verifyingKey))
        let device = try await node.event(event).hosting().device
        try await node.event(event).enter(Delegation(to: subKey, at: device, event: event, by: key))
    }

    @Test("a guest enters, takes a name and adds photos, which are the guest's own after a restart, too")
    func lifeOfAGuest() async throws {
        let (first, second) = (try await folder.picture(1), try await folder.picture(2))
        let (photo, subKey) = try await onHost { node, event in
            #expect(try await node.event(event).guest(author).hasEntered == false)
            await #expect(throws: NodeError.refused(.notAdmitted)) {
                try await node.event(event).add(fileAt: first, by: author)
            }
            try await enter(node, event)
            try await enter(node, event)  // once more changes nothing
            try await node.event(event).setName("Zoë", of: author)
            let photo = try await node.event(event).add(fileAt: first, by: author)
            return (photo, try await node.event(event).subKeyID(of: author))
        }
        try await onHost { node, event in
            // The chain goes on where it was.
            let later = try await node.event(event).add(fileAt: second, by: author)
            let page = try await node.event(event).page(before: nil, limit: 10, by: nil, for: nil)
            #expect(page.photos.map(\.id) == [later, photo])
            #expect(page.photos.allSatisfy { $0.author == author && $0.authorName == "Zoë" })
            #expect(page.photos.map(\.state) == [.frame(2), .frame(1)])
            #expect(try await node.event(event).subKeyID(of: author) == subKey)
            let guest = try await node.event(event).guest(author)
            #expect(guest.hasEntered && guest.name == "Zoë")
            #expect((guest.usedFrameCount, guest.frameLimit) == (2, 3))
            #expect(try await node.event(event).status.operations.memberCount == 2)
        }
    }

    @Test("one file sent ten times at once is one photo; sent again after its deletion it is a new one")
    func sameFile() async throws {
        let path = try await folder.picture(3)
        try await onHost { node, event in
            try await enter(node, event)
            let photos = try await withThrowingTaskGroup(of: PhotoID.self) { group in
                for _ in 0..<10 { group.addTask { try await node.event(event).add(fileAt: path, by: author) } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            let photo = try #require(photos.first)
            #expect(photos == [photo])
            #expect(try await node.event(event).guest(author).usedFrameCount == 1)
            try await node.event(event).signRemoval(of: photo, by: author)
            #expect(try await node.event(event).page(before: nil, limit: 10, by: author, for: author).photos.isEmpty)
            let again = try await node.event(event).add(fileAt: path, by: author)
            #expect(again != photo)
            #expect(try await node.event(event).guest(author).usedFrameCount == 2)
        }
    }

    @Test("a file whose photo is about to be deleted is a new photo, which keeps its bytes after that deletion")
    func sameFileAgain() async throws {
        let path = try await folder.picture(4)
        try await onHost { node, event in
            try await enter(node, event)
            let photo = try await node.event(event).add(fileAt: path, by: author)
            _ = try await node.event(event).remove(photo, by: author)
            let again = try await node.event(event).add(fileAt: path, by: author)
            #expect(again != photo)
            try await node.event(event).signRemoval(of: photo, by: author)
            #expect(try await node.event(event).add(fileAt: path, by: author) == again)
            let page = try await node.event(event).page(before: nil, limit: 10, by: author, for: author)
            #expect(page.photos.map(\.id) == [again])
            #expect(try await node.event(event).reader(.original, of: page.photos[0].id, for: author) != nil)
        }
    }

    @Test("a guest's file in which metadata may be left is refused; a person that adds it at the node is warned")
    func metadataLeft() async throws {
        let picture = try Data(contentsOf: URL(fileURLWithPath: try await folder.picture(5)))
        let path = folder.path("damaged.jpg")
        // In front a segment of a length that none has: nobody can tell where the next one begins.
        try (Data([0xFF, 0xD8, 0xFF, 0xE1, 0, 1]) + picture.dropFirst(2)).write(to: URL(fileURLWithPath: path))
        try await onHost { node, event in
            try await enter(node, event)
            await #expect(throws: NodeError.refused(.metadataLeft)) {
                try await node.event(event).add(fileAt: path, by: author)
            }
            #expect(try await node.event(event).page(before: nil, limit: 10, by: author, for: author).photos.isEmpty)
            #expect(try await node.event(event).guest(author).usedFrameCount == 0)
            let replies = await ask(node, .add(event: nil, paths: [path], keepsMetadata: false))
            let added = replies.compactMap { if case .added(let photo) = $0 { photo } else { nil } }
            #expect(added.map { $0.warnings.contains { $0.contains("may be left in it") } } == [true])
        }
    }

    @Test("the copy of a file that `add` makes is overwritten before its name is removed")
    func copyErased() async throws {
        let path = try await folder.picture(8)
        let links = folder.path("links")
        try FileManager.default.createDirectory(atPath: links, withIntermediateDirectories: false)
        try await onHost { node, event in
            let incoming = EventFolder(data: folder.data("host").path, event: event).incomingPath
            // Another link to each temporary file keeps its content after its own name is removed.
            let watch = Task.detached {
                while !Task.isCancelled {
                    for name in (try? FileManager.default.contentsOfDirectory(atPath: incoming)) ?? [] {
                        _ = link("\(incoming)/\(name)", "\(links)/\(name)")
                    }
                    usleep(500)
                }
            }
            let replies = await ask(node, .add(event: nil, paths: [path], keepsMetadata: false))
            #expect(replies.contains { if case .added = $0 { true } else { false } })
            watch.cancel()
            await watch.value
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: links).map {
            try Data(contentsOf: URL(fileURLWithPath: "\(links)/\($0)"))
        }
        // Blobs hold ciphertext and stay as they are.
        #expect(files.contains { !$0.isEmpty && $0.allSatisfy { $0 == 0 } }, "the copy was not seen, or not overwritten")
        #expect(!files.contains { $0.starts(with: [0xFF, 0xD8, 0xFF]) })
    }

    @Test("blobs of a photo that was never stated go at the next start, those of photos stay")
    func unstatedBlobs() async throws {
        let path = try await folder.picture(6)
        let (event, photo) = try await onHost { node, event in
            try await enter(node, event)
            return (event, try await node.event(event).add(fileAt: path, by: author))
        }
        let events = EventFolder(data: folder.data("host").path, event: event)
        let (known, orphan) = try {
            let store = try EventStore.open(events)
            #expect(try store.blobs.unstated().isEmpty)
            let known = Set(try store.blobs.inventory().complete.keys)
            let blob = try store.blobs.prepare(
                [UInt8](repeating: 7, count: 300_000), blobClass: .original, importSecret: store.keys.importSecret)
            try store.blobs.commit([blob])
            #expect(try store.blobs.unstated() == [blob.reference.root])
            return (known, blob.reference.root)
        }()
        #expect(known.count == 3 && !known.contains(orphan))
        try await onHost { node, event in
            let page = try await node.event(event).page(before: nil, limit: 10, by: author, for: author)
            #expect(page.photos.map(\.id) == [photo])
            #expect(try await node.event(event).reader(.original, of: page.photos[0].id, for: author) != nil)
        }
        let store = try EventStore.open(events)
        #expect(Set(try store.blobs.inventory().complete.keys) == known)
        #expect(try store.blobs.unstated().isEmpty)
    }

    @Test("guests cannot take back each other's photos, nor use more frames than the roll has")
    func limits() async throws {
        var paths: [String] = []
        for seed in 10..<14 { paths.append(try await folder.picture(UInt64(seed))) }
        let (roll, last) = (paths.prefix(3), paths[3])
        try await onHost { node, event in
            try await enter(node, event)
            for path in roll { _ = try await node.event(event).add(fileAt: path, by: author) }
            await #expect(throws: NodeError.refused(.rollFull(limit: 3))) {
                try await node.event(event).add(fileAt: last, by: author)
            }
            let rival = Self.newKey()
            let rivalAuthor = AuthorID(rival.verifyingKey)
            let subKey = try await node.event(event).subKeyID(of: rivalAuthor)
            let device = try await node.event(event).hosting().device
            try await node.event(event).enter(Delegation(to: subKey, at: device, event: event, by: rival))
            let photo = try #require(
                try await node.event(event).page(before: nil, limit: 1, by: nil, for: nil).photos.first?.id)
            await #expect(throws: NodeError.refused(.notYours(photo))) {
                try await node.event(event).signRemoval(of: photo, by: rivalAuthor)
            }
            // Somebody else's consent lets nobody in.
            await #expect(throws: NodeError.refused(.notAdmitted)) {
                let stolen = Delegation(to: subKey, at: device, event: event, by: guest)
                try await node.event(event).enter(Delegation(guest: rivalAuthor, signature: stolen.signature))
            }
        }
    }

    @Test("a guest captions its own photo and deletes that; its data has both, and what others said about the photo")
    func captionAndData() async throws {
        let path = try await folder.picture(9)
        try await onHost { node, event in
            try await enter(node, event)
            let served = try await node.event(event)
            let photo = try await served.add(fileAt: path, by: author)
            func caption() async throws -> String? { try await served.albumPhoto(photo, for: nil).caption }
            try await served.setName("Zoë", of: author)
            for text in ["Cake", "Cake", "The cake"] { try await served.setCaption(text, of: photo, by: author) }
            #expect(try await caption() == "The cake")
            await #expect(throws: NodeError.refused(.notYours(photo))) {
                try await served.setCaption("Mine", of: photo, by: AuthorID(Self.newKey().verifyingKey))
            }
            let comment = ControlRemark.comment(photo: photo.description, text: "so nice")
            #expect(await ask(node, .say(event: nil, remark: comment)).last == .finished(exitCode: 0))
            try await served.setCaption(nil, of: photo, by: author)
            #expect(try await caption() == nil)

            let bytes = try await served.personalData(of: author, files: [photo: "1-Zoë-1.jpg"])
            let me = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
            #expect(me["name"] as? String == "Zoë" && me["key"] as? String == author.description)
            let photos = try #require(me["photos"] as? [[String: Any]])
            #expect(photos.map { $0["file"] as? String } == ["1-Zoë-1.jpg"])
            let about = try #require(photos.first?["about"] as? [String: Any])
            #expect((about["comments"] as? [[String: Any]])?.map { $0["text"] as? String } == ["so nice"])
            let said = try #require(me["said"] as? [[String: Any]])
            let captions = said.filter { $0["kind"] as? String == "caption" }
            #expect(captions.count == 2 && captions.allSatisfy { $0["isTakenAway"] as? Bool == true })
            let byOthers = try #require(me["saidByOthers"] as? [[String: Any]])
            #expect(byOthers.contains { $0["kind"] as? String == "comment" })
            #expect((me["consent"] as? [String: Any])?["isGiven"] as? Bool == false)
            // Several requests are answered one after the other.
            async let one = served.personalData(of: author, files: [:])
            async let other = served.personalData(of: author, files: [:])
            let counts = try await [one.count, other.count]
            #expect(counts[0] == counts[1] && counts[0] > 500)
        }
    }

    @Test("a photo is a highlight, and veiled, for everybody at once, and is it no longer at once")
    func listsFollow() async throws {
        let path = try await folder.picture(10)
        try await onHost { node, event in
            try await enter(node, event)
            let served = try await node.event(event)
            let photo = try await served.add(fileAt: path, by: author)
            #expect(await served.highlightCount == 0)
            let done = ControlReply.finished(exitCode: 0)
            #expect(await ask(node, .favourite(event: nil, photo: "\(photo)", isOn: true)).last == done)
            for isOn in [true, false] {
                #expect(await ask(node, .shareFavourites(event: nil, isOn: isOn)).last == done)
                #expect(await served.highlightCount == (isOn ? 1 : 0))
            }
            var parameters = EventParameters()
            parameters.photos.veils = true
            #expect(await ask(node, .rule(event: nil, act: .edit(parameters))).last == done)
            for isOn in [true, false] {
                let veil = ControlRemark.veil(photo: "\(photo)", isOn: isOn)
                #expect(await ask(node, .say(event: nil, remark: veil)).last == done)
                let page = try await served.page(before: nil, limit: 10, by: nil, withVeiled: true, for: nil)
                #expect(page.photos.map(\.isVeiled) == [isOn])
                #expect(try await served.page(before: nil, limit: 10, by: nil, for: nil).totalCount == (isOn ? 0 : 1))
            }
        }
    }

    @Test("pages go back through the gallery without gap or repetition while photos come and go")
    func pages() async throws {
        var paths: [String] = []
        for seed in 20..<26 { paths.append(try await folder.picture(UInt64(seed))) }
        let all = paths
        try await onHost { node, event in
            await ask(node, .add(event: nil, paths: Array(all.prefix(5)), keepsMetadata: false))
            let first = try await node.event(event).page(before: nil, limit: 2, by: nil, for: nil)
            #expect(first.totalCount == 5)
            let cursor = try #require(first.next)
            // The photo at the cursor goes, and a newer one comes.
            await ask(node, .remove(event: nil, photo: cursor.description))
            await ask(node, .add(event: nil, paths: [all[5]], keepsMetadata: false))
            let second = try await node.event(event).page(before: cursor, limit: 2, by: nil, for: nil)
            #expect(second.next != nil)
            let third = try await node.event(event).page(before: second.next, limit: 2, by: nil, for: nil)
            #expect(third.next == nil)
            let seen = (first.photos + second.photos + third.photos).map(\.id)
            #expect(seen.count == 5)
            #expect(Set(seen).count == 5)
            let whole = try await node.event(event).page(before: nil, limit: 100, by: nil, for: nil).photos.map(
                \.id)
            #expect(Array(whole.dropFirst(2)) == Array(seen.dropFirst(2)))
            await #expect(throws: NodeError.refused(.unknownPhoto("00000000"))) {
                try await node.event(event).page(before: PhotoID(Bytes32.zero), limit: 2, by: nil, for: nil)
            }
        }
    }

    @Test("quarters of an hour count the photos of all or of one author, and name the newest with a thumbnail")
    func quarters() async throws {
        let first = try await folder.picture(30)
        let own = try await folder.picture(31)
        try await onHost { node, event in
            await ask(node, .add(event: nil, paths: [first], keepsMetadata: false))
            try await enter(node, event)
            let photo = try await node.event(event).add(fileAt: own, by: author)
            let all = try await node.event(event).photoQuarters(limit: 10, by: nil, for: nil)
            #expect(all.map(\.count).reduce(0, +) == 2)
            // The event is long over, so the gallery's order is not only that of times.
            let page = try await node.event(event).page(before: nil, limit: 2, by: nil, for: nil)
            let photos = page.photos
            for quarter in all {
                let newest = photos.first { $0.addedAtMilliseconds / 900_000 == quarter.number }
                #expect(quarter.example == newest?.id && newest != nil)
            }
            #expect(page.earliestMilliseconds == photos.last?.addedAtMilliseconds)
            for viewer in [nil, author] {
                let mine = try await node.event(event).photoQuarters(limit: 10, by: author, for: viewer)
                #expect(mine.map(\.count) == [1])
                #expect(mine.map(\.example) == [photo])
            }
            #expect(try await node.event(event).photoQuarters(limit: 0, by: nil, for: nil).isEmpty)
        }
    }

    @Test("readers hear of a photo that comes and of one that goes")
    func updates() async throws {
        let path = try await folder.picture(30)
        try await onHost { node, event in
            try await enter(node, event)
            var updates = try await node.event(event).hosting().updates().makeAsyncIterator()
            let photo = try await node.event(event).add(fileAt: path, by: author)
            #expect(await updates.next() == .photo(photo))
            try await node.event(event).signRemoval(of: photo, by: author)
            while let update = await updates.next(), update != .removed(photo) { #expect(update == .photo(photo)) }
        }
    }

    @Test("frames can be given to people with a name, those with photos first, and a stranger is told of nobody")
    func recipients() async throws {
        let (picture, zoe, abe) = (try await folder.picture(1), Self.newKey(), Self.newKey())
        try await onHost { node, event in
            let party = try await node.event(event)
            for (key, name) in [(abe, "Abe"), (zoe, "Zoe")] {
                try await enter(node, event, key)
                try await party.setName(name, of: AuthorID(key.verifyingKey))
            }
            _ = try await party.add(fileAt: picture, by: AuthorID(zoe.verifyingKey))
            let unknown = await party.gifts(of: author, limit: 10)
            #expect(unknown.left == 3 && unknown.people.isEmpty)
            try await enter(node, event)
            let all = await party.gifts(of: author, limit: 10)
            #expect(all.people.map(\.name) == ["Abe", "Zoe"] && all.people.map(\.count) == [3, 3])
            let first = await party.gifts(of: author, limit: 1)
            #expect(first.people.map(\.name) == ["Zoe"] && first.peopleCount == 2)
            try await party.give(2, to: AuthorID(zoe.verifyingKey), by: author, left: 3)
            let after = await party.gifts(of: author, limit: 10)
            #expect(after.left == 1 && after.given.map(\.name) == ["Zoe"] && after.people.map(\.count) == [3, 1])
        }
    }
}
