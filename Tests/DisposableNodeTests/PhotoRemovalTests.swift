// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableNode
import Foundation
import Testing

/// Removals of guests' photos, which can be undone for a while.
@Suite(.timeLimit(.minutes(60))) struct PhotoRemovalTests {
    private let folder: TestFolder
    private let guest = Self.newKey()
    private static func newKey() -> SigningKey {
        var seed = (0..<32).map { _ in UInt8.random(in: 0...255) }
        return SigningKey(seed: SecretBytes(consuming: &seed))
    }
    private var author: AuthorID { AuthorID(guest.verifyingKey) }

    init() throws { folder = try TestFolder() }

    private func configuration(_ delay: Duration, _ configuration: NodeConfiguration = .offline) -> NodeConfiguration {
        var configuration = configuration
        configuration.removals.delay = delay
        return configuration
    }

    /// Runs a command at a node that nobody reaches. Like a node that crashes, it leaves pending removals to the
    /// next start.
    private func onHost<Result: Sendable>(
        delay: Duration, countByGuestMax: Int = 64, _ body: @Sendable (EventNode) async throws -> Result
    ) async throws -> Result {
        var configuration = configuration(delay)
        configuration.removals.countByGuestMax = countByGuestMax
        return try await folder.node("host", configuration).runOffline { node in
            let charter = Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000, frames: 3)
            let events = await node.events
            let event = try await events.isEmpty ? node.host(charter, organizerName: "Anna") : events[0]
            return try await body(try await node.event(event))
        }
    }

    private func enter(_ event: EventNode, _ other: SigningKey? = nil) async throws {
        let guest = other ?? guest
        let subKey = try await event.subKeyID(of: AuthorID(guest.verifyingKey))
        let device = try await event.hosting().device
        try await event.enter(Delegation(to: subKey, at: device, event: event.event, by: guest))
    }

    private func photos(_ event: EventNode) async throws -> [PhotoID] {
        try await event.page(before: nil, limit: 10, by: nil, for: nil).photos.map(\.id)
    }

    private func files(_ event: EventNode) async throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: try await event.hosting().folderPath + "/removals")
    }

    @Test("a photo is deleted for everybody if its author has not kept it in time")
    func remove() async throws {
        let path = try await folder.picture(1)
        try await onHost(delay: .milliseconds(50)) { event in
            try await enter(event)
            let photo = try await event.add(fileAt: path, by: author)
            let before = UInt64(Date().timeIntervalSince1970 * 1_000)
            let removal = try await event.remove(photo, by: author)
            #expect(removal.photo == photo && removal.dueAtMilliseconds >= before + 50)
            try await wait("the photo is gone") { try await photos(event).isEmpty }
            try await wait("nothing of the removal is left") { try await files(event).isEmpty }
            #expect(try await !event.undoRemoval(of: photo, by: author))
        }
    }

    @Test("a photo that is kept stays, also after a restart, and cannot be kept twice")
    func keep() async throws {
        let path = try await folder.picture(2)
        let photo = try await onHost(delay: .seconds(3_600)) { event in
            try await enter(event)
            let photo = try await event.add(fileAt: path, by: author)
            let first = try await event.remove(photo, by: author)
            let second = try await event.remove(photo, by: author)
            // Each time is computed from two clocks that tick separately.
            #expect(abs(Int64(first.dueAtMilliseconds) - Int64(second.dueAtMilliseconds)) < 1_000)
            #expect(try await files(event) == [photo.description])
            let leaving = await event.leaving(among: [photo, PhotoID(Bytes32.zero)])
            #expect(leaving == [photo])
            #expect(try await photos(event) == [photo])
            #expect(try await !event.undoRemoval(of: photo, by: AuthorID(Self.newKey().verifyingKey)))
            #expect(try await event.undoRemoval(of: photo, by: author))
            #expect(try await !event.undoRemoval(of: photo, by: author))
            #expect(try await files(event) == [])
            return photo
        }
        let node = try folder.node("host", configuration(.zero, .loopback))
        try await running([node]) {
            let event = try await node.event(named: nil)
            let leaving = await event.leaving(among: [photo])
            #expect(leaving.isEmpty)
            #expect(try await photos(event) == [photo])
        }
    }

    @Test("pending removals are signed at once when the node stops")
    func stop() async throws {
        let path = try await folder.picture(3)
        let photo = try await onHost(delay: .seconds(3_600)) { event in
            try await enter(event)
            return try await event.add(fileAt: path, by: author)
        }
        let node = try folder.node("host", configuration(.seconds(3_600), .loopback))
        try await running([node]) {
            let event = try await node.event(named: nil)
            _ = try await event.remove(photo, by: author)
            #expect(try await photos(event) == [photo])
        }
        try await onHost(delay: .seconds(3_600)) { event in
            let (shown, pending) = (try await photos(event), try await files(event))
            #expect(shown == [])
            #expect(pending == [])
        }
    }

    @Test("pending removals of a node that crashes are signed after its next start")
    func restart() async throws {
        let path = try await folder.picture(4)
        let photo = try await onHost(delay: .seconds(3_600)) { event in
            try await enter(event)
            let photo = try await event.add(fileAt: path, by: author)
            _ = try await event.remove(photo, by: author)
            return photo
        }
        // A file that is no removal delays none.
        try await onHost(delay: .seconds(3_600)) { event in
            #expect(try await photos(event) == [photo])
            #expect(try await files(event) == [photo.description])
            let folder = try await event.hosting().folderPath + "/removals"
            try Data("{}".utf8).write(to: URL(filePath: "\(folder)/\(String(repeating: "0", count: 64))"))
        }
        let node = try folder.node("host", configuration(.milliseconds(50), .loopback))
        try await running([node]) {
            let event = try await node.event(named: nil)
            try await wait("the photo is gone") { try await photos(event).isEmpty }
            try await wait("nothing of the removals is left") { try await files(event).isEmpty }
        }
    }

    @Test("a file that is sent again while its photo's removal is pending becomes a new photo, and stays")
    func sentAgain() async throws {
        let path = try await folder.picture(5)
        let again = try await onHost(delay: .seconds(3_600)) { event in
            try await enter(event)
            let photo = try await event.add(fileAt: path, by: author)
            _ = try await event.remove(photo, by: author)
            let again = try await event.add(fileAt: path, by: author)
            #expect(again != photo)
            #expect(try await event.add(fileAt: path, by: author) == again)
            return again
        }
        let node = try folder.node("host", configuration(.zero, .loopback))
        try await running([node]) {
            let event = try await node.event(named: nil)
            try await wait("the first photo is gone") { try await photos(event) == [again] }
            #expect(try await event.reader(.original, of: again, for: author) != nil)
        }
    }

    @Test("a removal that the node cannot sign now is tried again")
    func retry() async throws {
        // One of an earlier process. A guest that has not entered signs nothing.
        let photo = PhotoID(Bytes32.zero)
        try await onHost(delay: .seconds(3_600)) { event in
            let folder = URL(filePath: try await event.hosting().folderPath + "/removals")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(#"{"guest":"\#(author)","dueAt":0}"#.utf8).write(to: folder.appending(path: photo.description))
        }
        let node = try folder.node("host", configuration(.milliseconds(50), .loopback))
        try await running([node]) {
            let event = try await node.event(named: nil)
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await files(event) == [photo.description])
            try await enter(event)
            try await wait("it is tried again") { try await files(event).isEmpty }
        }
    }

    @Test("a node that stops while it signs a removal signs it before it ends, with nothing left of it")
    func stopWhileSigning() async throws {
        let path = try await folder.picture(7)
        let photo = try await onHost(delay: .seconds(3_600)) { event in
            try await enter(event)
            return try await event.add(fileAt: path, by: author)
        }
        let node = try folder.node("host", configuration(.zero, .loopback))
        try await running([node]) {
            // Due at once: the node is signing it, or is about to, when it stops.
            _ = try await node.event(named: nil).remove(photo, by: author)
        }
        try await onHost(delay: .seconds(3_600)) { event in
            let (shown, pending) = (try await photos(event), try await files(event))
            #expect(shown == [])
            #expect(pending == [])
        }
    }

    @Test("a guest cannot delete a photo of somebody else, or one that the guest cannot see")
    func notYours() async throws {
        let path = try await folder.picture(8)
        let ben = Self.newKey()
        try await onHost(delay: .zero) { event in
            try await enter(event)
            try await enter(event, ben)
            let photo = try await event.add(fileAt: path, by: author)
            await #expect(throws: NodeError.refused(.notYours(photo))) {
                _ = try await event.remove(photo, by: AuthorID(ben.verifyingKey))
            }
            let unknown = PhotoID(Bytes32.zero)
            await #expect(throws: NodeError.refused(.unknownPhoto(unknown.short))) {
                _ = try await event.remove(unknown, by: author)
            }
            let leaving = await event.leaving(among: [photo, unknown])
            #expect(leaving.isEmpty)
            #expect(try await photos(event) == [photo])
        }
    }

    @Test("a guest can delete a limited number of photos at once, and others are not delayed")
    func boundByGuest() async throws {
        var paths: [String] = []
        for number in UInt64(9)...12 { paths.append(try await folder.picture(number)) }
        let ben = Self.newKey()
        try await onHost(delay: .seconds(3_600), countByGuestMax: 2) { [paths] event in
            try await enter(event)
            try await enter(event, ben)
            var photos: [PhotoID] = []
            for path in paths.prefix(3) { photos.append(try await event.add(fileAt: path, by: author)) }
            for photo in photos.prefix(2) { _ = try await event.remove(photo, by: author) }
            await #expect(throws: NodeError.refused(.tooFast(seconds: 3_601))) {
                _ = try await event.remove(photos[2], by: author)
            }
            // One that is pending already is none more.
            _ = try await event.remove(photos[0], by: author)
            let other = try await event.add(fileAt: paths[3], by: AuthorID(ben.verifyingKey))
            _ = try await event.remove(other, by: AuthorID(ben.verifyingKey))
            #expect(try await files(event).count == 3)
        }
    }
}
