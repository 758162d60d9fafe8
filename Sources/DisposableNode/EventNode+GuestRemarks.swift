// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// What page guests say about photos that they are shown.
extension EventNode {
    public struct AlbumComment: Sendable {
        public let id: OperationID
        public let author: AuthorID
        public let authorName: String?
        public let saidAtMilliseconds: UInt64
        public let text: String
    }

    /// The oldest first. Throws `NodeError.unknownPhoto` for what `viewer` is not shown.
    public func comments(on photo: PhotoID, for viewer: AuthorID?) throws -> [AlbumComment] {
        try self.photo(photo, seenBy: viewer)
        let album = replica.state.album
        return album.comments(on: photo).compactMap { comment in
            let author = album.membership.author(of: comment.device)
            return comment.text.map {
                AlbumComment(
                    id: comment.id, author: author, authorName: album.shownName(of: author),
                    saidAtMilliseconds: comment.timestamp.milliseconds, text: $0)
            }
        }
    }

    public func comment(
        _ text: String, on photo: PhotoID, by guest: AuthorID
    ) async throws -> OperationID {
        try check(remark: text)
        try self.photo(photo, seenBy: guest)
        try check(isOpen: photo)
        return try await say(.comment(photo, text), by: guest)
    }

    /// Nothing where it is so already.
    public func react(
        _ emoji: Unicode.Scalar, isOn: Bool, to photo: PhotoID, by guest: AuthorID
    ) async throws {
        try self.photo(photo, seenBy: guest)
        do { _ = try await say(.reaction(photo, emoji, isOn: isOn), by: guest) } catch NodeError.nothingToDo {}
    }

    /// Throws `NodeError.unknownRemark` for what is no comment on the photo.
    public func removeComment(_ id: OperationID, on photo: PhotoID, by guest: AuthorID) async throws {
        let comments = replica.state.album.comments(on: photo)
        guard comments.contains(where: { $0.id == id }) else { throw NodeError.unknownRemark(id.short) }
        try await remove(PhotoID(id), by: guest)
    }

    private func say(_ saying: Saying, by guest: AuthorID) async throws -> OperationID {
        let salt = Entropy.bytes(OperationBody.saltByteCount)
        let ids = try await author(.say(saying, salt: salt), by: subKey(of: guest))
        guard let id = ids.first else { throw NodeError.stopped }
        return id
    }
}
