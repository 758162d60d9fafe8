// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// What page guests say about photos that they are shown.
extension Node {
    public struct AlbumComment: Sendable {
        public let id: OperationID
        public let author: AuthorID
        public let authorName: String?
        public let saidAtMilliseconds: UInt64
        public let text: String
    }

    /// The oldest first. Throws `NodeError.unknownPhoto` for what `viewer` is not shown.
    public func comments(on photo: PhotoID, for viewer: AuthorID?, in event: EventID) throws -> [AlbumComment] {
        try self.photo(photo, seenBy: viewer, in: event)
        guard let album = sessions[event]?.replica.state.album else { throw NodeError.stopped }
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
        _ text: String, on photo: PhotoID, by guest: AuthorID, in event: EventID
    ) async throws -> OperationID {
        try check(remark: text)
        try self.photo(photo, seenBy: guest, in: event)
        try check(isOpen: photo, in: event)
        return try await say(.comment(photo, text), by: guest, in: event)
    }

    /// Nothing where it is so already.
    public func react(
        _ emoji: Unicode.Scalar, isOn: Bool, to photo: PhotoID, by guest: AuthorID, in event: EventID
    ) async throws {
        try self.photo(photo, seenBy: guest, in: event)
        do { _ = try await say(.reaction(photo, emoji, isOn: isOn), by: guest, in: event) } catch NodeError.nothingToDo
        {}
    }

    /// Throws `NodeError.unknownRemark` for what is no comment on the photo.
    public func removeComment(_ id: OperationID, on photo: PhotoID, by guest: AuthorID, in event: EventID) async throws
    {
        let comments = sessions[event]?.replica.state.album.comments(on: photo) ?? []
        guard comments.contains(where: { $0.id == id }) else { throw NodeError.unknownRemark(id.short) }
        try await remove(PhotoID(id), by: guest, in: event)
    }

    private func say(_ saying: Saying, by guest: AuthorID, in event: EventID) async throws -> OperationID {
        let salt = Entropy.bytes(OperationBody.saltByteCount)
        let ids = try await author(.say(saying, salt: salt), by: subKey(of: guest, in: event), in: event)
        guard let id = ids.first else { throw NodeError.stopped }
        return id
    }
}
