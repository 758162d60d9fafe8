// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposablePortal
import DisposableStore
import DisposableSystem
import DisposableWeb
import Foundation
import Synchronization

/// The album that the desk makes as one file and keeps for saving: one at a time of all events, so that the disk never
/// has two. The file stays for an hour, since a broken download continues in it; it is in the folder of its event.
final class DeskAlbums: Sendable {
    private static let keptFor = Duration.seconds(3_600)
    /// Room for the bytes that `FolderArchive` has twice at most, and for the pages.
    private static let spareByteCount: UInt64 = 128 << 20

    private struct Album {
        let id: UUID
        let event: EventID
        var shown: DeskAlbum
        var failure: DeskError?
        var task: Task<Void, Never>?

        var isBeingMade: Bool { failure == nil && shown.state != .ready }
    }

    private let held = Mutex<Album?>(nil)

    /// Returns the album of the event. Throws the error that ended the making of it.
    func album(of event: EventID) throws(DeskError) -> DeskAlbum? {
        guard let album = held.withLock(\.self), album.event == event else { return nil }
        if let failure = album.failure { throw failure }
        return album.shown
    }

    /// Returns the file of a finished album. Throws `.notFound` if there is none.
    func file(of event: EventNode) throws -> DeskAlbumFile {
        guard let album = held.withLock(\.self), album.event == event.event, album.failure == nil,
            album.shown.state == .ready, let byteCount = album.shown.byteCount,
            let file = try? DiskFile(Self.archivePath(of: event), .reading)
        else { throw DeskError(.notFound, "there is no finished album", reason: "no-album") }
        return DeskAlbumFile(
            name: album.shown.name + ".zip", tag: album.id.uuidString,
            bytes: PhotoBytes(byteCount: byteCount, mediaType: .other) { range in
                try file.read(range.count, at: range.lowerBound)
            })
    }

    /// Begins to make an album, in place of a finished one. Throws `DeskError` and `Failure`.
    func make(_ wish: DeskAlbumWish, named eventName: String, of event: EventNode, in node: Node) async throws {
        let album = Album(
            id: UUID(), event: event.event,
            shown: DeskAlbum(name: Self.name(eventName, isSealed: wish.isSealed), isSealed: wish.isSealed))
        let earlier = try held.withLock { held throws(DeskError) in
            guard held?.isBeingMade != true else {
                throw DeskError(.refused, "another album is being made", reason: "album-busy")
            }
            let earlier = held?.task
            held = album
            return earlier
        }
        earlier?.cancel()
        await earlier?.value
        do {
            let passphrase = wish.passphrase?.isEmpty == false ? wish.passphrase : nil
            let sealed = wish.isSealed ? try await offTheLoops { try SealedAlbum(passphrase: passphrase) } : nil
            let byteCount = try await event.albumByteCount(
                hasOriginals: wish.hasOriginals, onlyFavourites: wish.onlyFavourites)
            try Self.checkRoom(at: event, for: wish.isSealed ? byteCount / 3 * 4 : byteCount)
            let task = Task { await run(album.id, wish, sealed, of: event, in: node) }
            // It may have been removed meanwhile.
            let isHeld = change(album.id) { $0.task = task }
            if !isHeld { task.cancel() }
        } catch {
            forget(album.id)
            throw error
        }
    }

    /// Ends the making of an album, and removes its file.
    /// - Parameter event: that of the album; `nil` for any.
    func remove(of event: EventID? = nil) async {
        let task = held.withLock { held -> Task<Void, Never>? in
            guard event == nil || held?.event == event else { return nil }
            defer { held = nil }
            return held?.task
        }
        task?.cancel()
        await task?.value
    }

    /// Makes the album, keeps it, and removes it in every case.
    private func run(
        _ id: UUID, _ wish: DeskAlbumWish, _ sealed: SealedAlbum?, of event: EventNode, in node: Node
    ) async {
        do {
            let made = try await write(id, wish, sealed, of: event, in: node)
            if change(id, { $0.shown = made }) { try await Task.sleep(for: Self.keptFor) }
            forget(id)
        } catch is CancellationError {
            forget(id)
        } catch {
            let failure = Self.failure(error, at: event)
            _ = change(id) { $0.failure = failure }
        }
        do { try Disk.removeTree(event.albumPath) } catch {
            Console.say("disposable: warning: an album was not removed: \(error)")
        }
    }

    private func write(
        _ id: UUID, _ wish: DeskAlbumWish, _ sealed: SealedAlbum?, of event: EventNode, in node: Node
    ) async throws -> DeskAlbum {
        let photos = event.albumPath + "/photos"
        try Disk.removeTree(event.albumPath)
        for folder in [event.albumPath, photos] { _ = try Disk.makeFolder(folder) }
        let name = event.event.description
        let request: ControlRequest =
            if let sealed {
                .exportWebAlbum(
                    event: name, folder: photos, key: sealed.key, hasOriginals: wish.hasOriginals,
                    onlyFavourites: wish.onlyFavourites, onlyHighlights: false)
            } else {
                .export(
                    event: name, folder: photos, isAlbum: true, onlyFavourites: wish.onlyFavourites,
                    onlyHighlights: false, hasSidecars: false)
            }
        let counts = Mutex((photos: 0, leftOut: 0))
        try await node.execute(request) { reply in
            switch reply {
            case .exported(let file):
                counts.withLock { if file.problem == nil { $0.photos += 1 } else { $0.leftOut += 1 } }
            case .webAlbum(let album):
                counts.withLock { $0 = (album.photoCount, album.lackingCount + album.sealedCount) }
            case .progress(let done, let total):
                _ = change(id) { ($0.shown.done, $0.shown.total) = (UInt64(done), UInt64(total)) }
            default: break
            }
        }
        try Task.checkCancellation()
        let (photoCount, leftOutCount) = counts.withLock(\.self)
        guard photoCount > 0 else {
            throw DeskError(.refused, "there are no photos to save here yet", reason: "no-photos-here")
        }
        var lacksSheet = false
        if let sealed {
            try sealed.writePage(in: photos)
        } else {
            let joined =
                wish.onlyFavourites ? [] : try await writeJoined(into: photos, wish.language, of: name, in: node)
            lacksSheet = try await AlbumPages.write(in: photos, with: joined, wish.language) != nil
        }
        try Task.checkCancellation()
        var made = try await pack(photos, id, as: Self.archivePath(of: event))
        (made.photoCount, made.leftOutCount, made.lacksSheet) = (photoCount, leftOutCount, lacksSheet)
        made.passphrase = sealed?.passphrase
        return made
    }

    private func writeJoined(
        into folder: String, _ language: Language, of event: String, in node: Node
    ) async throws -> [JoinedAlbum] {
        try await JoinedAlbum.write(
            into: folder, of: event, ask: { request, show in try await node.execute(request) { show($0) } },
            photos: { twin, path in
                let hasPhotos = Mutex(false)
                let request = ControlRequest.export(
                    event: twin, folder: path, isAlbum: true, onlyFavourites: false, onlyHighlights: false,
                    onlyShown: true)
                try await node.execute(request) { reply in
                    if case .exported(let file) = reply, file.problem == nil { hasPhotos.withLock { $0 = true } }
                }
                return hasPhotos.withLock(\.self)
            }, pages: { _ = try await AlbumPages.write(in: $0, language) })
    }

    /// Puts the folder into one file; the files in it are removed on the way.
    private func pack(_ folder: String, _ id: UUID, as path: String) async throws -> DeskAlbum {
        guard var made = held.withLock({ $0?.id == id ? $0?.shown : nil }) else { throw CancellationError() }
        let name = made.name
        made.byteCount = try await offTheLoops {
            let archive = try FolderArchive(folder, named: name)
            try archive.move(to: path) { done in
                let isHeld = self.change(id) {
                    ($0.shown.state, $0.shown.done, $0.shown.total) = (.packing, done, archive.byteCount)
                }
                if !isHeld { throw CancellationError() }
            }
            try Disk.removeTree(folder)
            return archive.byteCount
        }
        made.state = .ready
        return made
    }

    /// Returns false if the album is no longer held.
    private func change(_ id: UUID, _ body: (inout Album) -> Void) -> Bool {
        held.withLock { held in
            guard var album = held, album.id == id else { return false }
            body(&album)
            held = album
            return true
        }
    }

    private func forget(_ id: UUID) {
        held.withLock { held in if held?.id == id { held = nil } }
    }

    private static func archivePath(of event: EventNode) -> String { event.albumPath + "/album.zip" }

    /// The file of an encrypted album names nothing of the event.
    private static func name(_ eventName: String, isSealed: Bool) -> String {
        guard !isSealed else { return "album" }
        let name = eventName.precomposedStringWithCanonicalMapping
        return FileName.component(name, byteCountMax: 60, orElse: "event") + "-album"
    }

    private static func checkRoom(at event: EventNode, for byteCount: UInt64) throws {
        let folder = (event.albumPath as NSString).deletingLastPathComponent
        do { try DiskRoom(at: folder).check(for: byteCount + spareByteCount) } catch {
            guard error.isDiskFull else { throw error }
            throw DeskError(
                .unavailable, "the disk has too little room for the album: \(error)", reason: "no-room-for-album")
        }
    }

    private static func failure(_ error: any Error, at event: EventNode) -> DeskError {
        do { try checkRoom(at: event, for: 0) } catch let full as DeskError { return full } catch {}
        switch error {
        case let error as DeskError: return error
        case let error as NodeError: return DeskError(error)
        case let error as Failure:
            return DeskError(.unavailable, error.message, hint: error.hint, reason: error.reason, about: error.about)
        default: return DeskError(.unavailable, "the album was not made: \(error)")
        }
    }
}

/// The choices of the organizer for an album.
struct DeskAlbumWish: Decodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case isSealed, passphrase, hasOriginals, onlyFavourites, language
    }

    /// Encrypted, for any web host or stick.
    let isSealed: Bool
    /// `nil` or empty for seven random words.
    let passphrase: String?
    let hasOriginals: Bool
    let onlyFavourites: Bool
    /// That of the pages of an album that is not encrypted.
    let language: Language

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        isSealed = try fields.decodeIfPresent(Bool.self, forKey: .isSealed) ?? false
        passphrase = try fields.decodeIfPresent(String.self, forKey: .passphrase)
        // Only an encrypted album can be without them.
        hasOriginals = try !isSealed || fields.decodeIfPresent(Bool.self, forKey: .hasOriginals) ?? true
        onlyFavourites = try fields.decodeIfPresent(Bool.self, forKey: .onlyFavourites) ?? false
        language = try fields.decodeIfPresent(String.self, forKey: .language).flatMap { Language(tag: $0) } ?? .english
    }
}

/// An album that is being made or can be saved.
struct DeskAlbum: Encodable, Sendable {
    /// `writing` photos, `packing` them into the file, or `ready`.
    enum State: String, Encodable { case writing, packing, ready }

    /// That of the file, without its suffix, and of the folder in it.
    let name: String
    let isSealed: Bool
    var state = State.writing
    /// Photos while `writing`, bytes while `packing`.
    var done: UInt64 = 0
    var total: UInt64 = 0
    /// Absent until it is ready, as the fields below.
    var photoCount: Int?
    /// The photos that are sealed, or whose originals have not arrived.
    var leftOutCount: Int?
    /// Whether a program for the contact sheet is missing.
    var lacksSheet: Bool?
    /// The length of the file.
    var byteCount: UInt64?
    /// Opens an encrypted album.
    var passphrase: String?

    init(name: String, isSealed: Bool) { (self.name, self.isSealed) = (name, isSealed) }
}

/// The event's album; without a field if there is none.
struct DeskAlbumAnswer: Encodable { let album: DeskAlbum? }
