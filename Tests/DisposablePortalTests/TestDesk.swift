// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Synchronization
import Testing

/// A desk that records its calls.
final class TestDesk: Desk {
    struct Answer: Codable, Equatable {
        var id: String
        var isHidden: Bool
    }

    private struct State {
        var questions: [DeskQuestion] = []
        var acts: [DeskAct] = []
        var files: [DeskFile] = []
        var refusal: DeskError?
        var hidden: Set<PhotoID> = []
        var gone: Set<PhotoID> = []
        var sheet: [AlbumPhoto] = []
        var keys: Set<String> = []
    }
    private let state = Mutex(State())

    var questions: [DeskQuestion] { state.withLock { $0.questions } }
    var acts: [DeskAct] { state.withLock { $0.acts } }
    var files: [DeskFile] { state.withLock { $0.files } }
    func refuse(with error: DeskError?) { state.withLock { $0.refusal = error } }
    func forget(_ photo: PhotoID) { _ = state.withLock { $0.gone.insert(photo) } }

    /// Returns a new key.
    func issueKey() -> String {
        let key = UUID().uuidString
        _ = state.withLock { $0.keys.insert(key) }
        return key
    }

    func use(key: String) async -> Bool { state.withLock { $0.keys.remove(key) } != nil }

    func answer(_ question: DeskQuestion) async throws -> any Encodable & Sendable {
        try state.withLock { state in
            state.questions.append(question)
            if let refusal = state.refusal { throw refusal }
            guard case .photo(_, let id) = question else { return Answer(id: "", isHidden: false) }
            if state.gone.contains(id) { throw DeskError(.notFound, "there is no such photo") }
            return Answer(id: id.description, isHidden: state.hidden.contains(id))
        }
    }

    func perform(_ act: DeskAct) async throws -> any Encodable & Sendable {
        try state.withLock { state in
            if let refusal = state.refusal { throw refusal }
            state.acts.append(act)
            switch act {
            case .hide(_, let photo): state.hidden.insert(photo)
            case .unhide(_, let photo): state.hidden.remove(photo)
            default: break
            }
            return Answer(id: "", isHidden: false)
        }
    }

    func file(_ file: DeskFile) async throws -> DeskBytes {
        state.withLock { $0.files.append(file) }
        return DeskBytes(bytes: Array("picture".utf8), mediaType: "image/png", name: "code.png")
    }

    /// The favourites, and those that wait for approval: the same, in two pages. The other selections are empty.
    func photos(
        _ which: DeskPhotos, by author: AuthorID?, before cursor: PhotoID?, limit: Int, in event: DeskEvent
    ) async throws -> (photos: [AlbumPhoto], next: PhotoID?) {
        let photos = state.withLock { which == .favourites || which == .pending ? $0.sheet : [] }
        return cursor == nil ? (Array(photos.prefix(1)), photos.first?.id) : (Array(photos.dropFirst()), nil)
    }

    func show(_ photos: [AlbumPhoto]) { state.withLock { $0.sheet = photos } }

    /// An album of these bytes, once one was asked for.
    static let album = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    func albumFile(in event: DeskEvent) async throws -> DeskAlbumFile {
        let isMade = state.withLock { state in
            state.acts.contains { if case .makeAlbum(event, _) = $0 { true } else { false } }
                && !state.acts.contains(.removeAlbum(event))
        }
        guard isMade else { throw DeskError(.notFound, "there is no finished album", reason: "no-album") }
        let bytes = Self.album
        return DeskAlbumFile(
            name: "Été-album.zip", tag: "album-1",
            bytes: PhotoBytes(byteCount: UInt64(bytes.count), mediaType: .other) {
                Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)])
            })
    }

    func bytes(_ blobClass: BlobClass, of photo: PhotoID, in event: DeskEvent) async throws -> PhotoBytes {
        let bytes = Array("jpeg".utf8)
        return PhotoBytes(byteCount: 4, mediaType: .jpeg) { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
    }
}

/// Runs a portal with a desk, and passes the client and a fresh key to `body`.
/// - Parameter isFromHere: whether this machine counts as the node's own.
func withDesk<Result: Sendable>(
    _ desk: TestDesk, _ gallery: TestGallery? = nil, isFromHere: Bool = true, limits: PortalLimits = PortalLimits(),
    _ body: @escaping @Sendable (HTTPClient, _ key: @Sendable () throws -> String) async throws -> Result
) async throws -> Result {
    var configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(0))
    configuration.limits = limits
    configuration.isFromHere = { _, _ in isFromHere }
    return try await withPortal(configuration, desk: desk, { gallery.map { [$0] } ?? [] }) { _, client in
        try await body(client) { desk.issueKey() }
    }
}

extension HTTPClient {
    /// Returns the same client with a session of the desk.
    func sitting(with key: String) async throws -> HTTPClient {
        let reply = try await post("/desk/api/session", ["key": key])
        try #require(reply.status == 200, "\(reply.text)")
        var client = self
        client.headers["Cookie"] = try #require(reply["set-cookie"]?.split(separator: ";").first).description
        return client
    }
}
