// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Synchronization

/// A gallery in memory, for what adds photos to it and saves them. Whatever begins like a JPEG is a photo.
final class UploadTestGallery: Gallery {
    struct Added: Sendable {
        let photo: PortalPhoto
        let bytes: [UInt8]
    }

    struct State: Sendable {
        /// The oldest first.
        var added: [Added] = []
        /// Paths given to `add`, and their permissions then.
        var paths: [String] = []
        var permissions: [Int] = []
        var addCount = 0
        var mostAtOnce = 0
        var underWay = 0
        /// Thrown by the next calls of `add`, before anything is added.
        var refusals: [GalleryError] = []
        /// Thrown by the next calls of `add`, after the photo was added: the machine stops just then.
        var stopsAfterAdding = 0
        var addDelay: Duration = .zero
        /// Photos whose bytes vanish while they are read, and from where.
        var vanishing: [PhotoID: UInt64] = [:]
        var readCount = 0
    }

    struct Stopped: Error {}

    let event = EventID(Bytes32.zero)
    let eventKey = VerifyingKey(Bytes32.zero)
    let portalToken = SecretBytes(copying: [UInt8](repeating: 1, count: 16).span)
    let portalCode = "AAAAAAAA"
    let node = DeviceID(Bytes32.zero)
    let folderPath: String
    let name: String
    private let state = Mutex(State())

    init(folderPath: String, name: String = "Anna & Ben") {
        self.folderPath = folderPath
        self.name = name
    }

    /// A copy.
    var now: State { state.withLock { $0 } }
    func change(_ change: (inout sending State) -> Void) { state.withLock { change(&$0) } }
    var added: [Added] { state.withLock { $0.added } }

    func charter() async -> Charter? { Charter(name: name, startsAtMilliseconds: 1_764_000_000_000) }
    func subKey(of guest: AuthorID) async throws -> DeviceID { node }
    func enter(_ guest: AuthorID, delegation: Delegation) async throws {}
    func guest(_ guest: AuthorID) async throws -> GuestStatus {
        GuestStatus(hasEntered: true, name: nil, usedFrameCount: 0, frameLimit: nil)
    }
    func setName(_ name: String, of guest: AuthorID) async throws {}
    func remove(_ id: PhotoID, by guest: AuthorID) async throws {}
    func updates() async -> any AsyncSequence<GalleryUpdate, Never> & Sendable { AsyncStream<GalleryUpdate> { $0.finish() } }

    func photos(before cursor: PhotoCursor?, limit: Int, by author: AuthorID?) async throws -> PhotoPage {
        let all = added.map(\.photo).filter { author == nil || $0.author == author }.reversed()
        let rest = cursor.map { cursor in Array(all.drop { $0.id != cursor.photo }.dropFirst()) } ?? Array(all)
        let page = Array(rest.prefix(limit))
        let next = rest.count > limit ? page.last.map { PhotoCursor($0.id) } : nil
        return PhotoPage(photos: page, next: next, totalCount: all.count)
    }

    func photo(_ id: PhotoID, for viewer: AuthorID?) async throws -> PortalPhoto {
        guard let found = added.first(where: { $0.photo.id == id }) else { throw GalleryError.unknownPhoto }
        return found.photo
    }

    func bytes(_ blobClass: BlobClass, of id: PhotoID, for viewer: AuthorID?) async throws -> PhotoBytes {
        guard let found = added.first(where: { $0.photo.id == id }) else { throw GalleryError.unknownPhoto }
        return PhotoBytes(byteCount: UInt64(found.bytes.count), mediaType: found.photo.mediaType) { range in
            let end = self.state.withLock { state in
                state.readCount += 1
                return state.vanishing[id]
            }
            if let end, range.upperBound > end { throw GalleryError.notHere }
            return Array(found.bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        }
    }

    func add(fileAt path: String, by guest: AuthorID) async throws -> PhotoID {
        let delay = state.withLock { state in
            state.addCount += 1
            state.underWay += 1
            state.mostAtOnce = max(state.mostAtOnce, state.underWay)
            state.paths.append(path)
            return state.addDelay
        }
        defer { state.withLock { $0.underWay -= 1 } }
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        state.withLock { $0.permissions.append(permissions ?? -1) }
        if delay > .zero { try await Task.sleep(for: delay) }
        if let refusal = state.withLock({ $0.refusals.isEmpty ? nil : $0.refusals.removeFirst() }) { throw refusal }
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        guard bytes.starts(with: [0xFF, 0xD8]) else { throw GalleryError.refused(reason: "this is no photo") }
        let id = PhotoID(BLAKE2b.hash(guest.bytes, bytes))
        return try state.withLock { state in
            if !state.added.contains(where: { $0.photo.id == id }) {
                let photo = Self.photo(id, by: guest, frame: UInt64(state.added.count + 1), byteCount: bytes.count)
                state.added.append(Added(photo: photo, bytes: bytes))
            }
            guard state.stopsAfterAdding == 0 else {
                state.stopsAfterAdding -= 1
                throw Stopped()
            }
            return id
        }
    }

    static func photo(_ id: PhotoID, by author: AuthorID, frame: UInt64, byteCount: Int) -> PortalPhoto {
        PortalPhoto(
            id: id, author: author, authorName: "Anna", state: .frame(frame), addedAtMilliseconds: 1_764_000_000_000,
            takenAtMilliseconds: nil, width: 4, height: 3, mediaType: .jpeg, byteCount: UInt64(byteCount),
            available: [.original])
    }
}
