// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// Annotations by page guests of photos that they are shown.
extension EventNode {
    /// Returns the newest comments, or those before `comment`, oldest first, and the number of older ones. Throws
    /// `Refusal.unknownPhoto` for a photo that `viewer` may not see, `.unknownComment` for an id that is no comment on
    /// the photo.
    /// - Parameters:
    ///   - photo: the photo.
    ///   - comment: the earliest comment of the page before; `nil` for the newest ones.
    ///   - limit: comments at most, at least 1.
    ///   - viewer: the guest; `nil` for somebody who is no guest yet.
    public func comments(
        on photo: PhotoID, before comment: OperationID?, limit: Int, for viewer: AuthorID?
    ) throws -> CommentPage {
        try self.photo(photo, seenBy: viewer)
        return try comments(on: photo, before: comment, limit: limit)
    }

    /// Returns the same without a check of the viewer.
    func comments(on photo: PhotoID, before comment: OperationID?, limit: Int) throws -> CommentPage {
        let album = replica.state.album
        let all = album.comments(on: photo).filter { $0.text != nil }
        var end = all.count
        if let comment {
            guard let place = all.firstIndex(where: { $0.id == comment }) else {
                throw NodeError.refused(.unknownComment(comment.short))
            }
            end = place
        }
        let start = max(0, end - limit)
        let page = all[start..<end].compactMap { comment in
            let author = album.membership.author(of: comment.device)
            return comment.text.map {
                PhotoComment(
                    id: comment.id, author: author, authorName: album.shownName(of: author),
                    saidAtMilliseconds: comment.timestamp.milliseconds, text: $0)
            }
        }
        return CommentPage(comments: page, earlierCount: start)
    }

    public func comment(
        _ text: String, on photo: PhotoID, by guest: AuthorID
    ) async throws -> OperationID {
        try check(remark: text)
        try self.photo(photo, seenBy: guest)
        try check(isOpen: photo)
        return try await say(.comment(photo, text), by: guest)
    }

    /// Sets the caption of the guest's own photo; `nil` deletes it with all earlier ones. No operation if there is no
    /// change. Throws `Refusal.unknownPhoto`, `.notYours`, `.notShownYet`, `.malformedText`, `.tooFast`.
    public func setCaption(_ text: String?, of photo: PhotoID, by guest: AuthorID) async throws {
        guard try self.photo(photo, seenBy: guest).author == guest else { throw NodeError.refused(.notYours(photo)) }
        guard let text else {
            // Without the latest one, the one before it counts.
            while let caption = replica.state.album.caption(of: photo) {
                try await signRemoval(of: PhotoID(caption.id), by: guest)
            }
            return
        }
        try check(remark: text)
        try check(isOpen: photo)
        do { _ = try await say(.caption(photo, text), by: guest) } catch NodeError.refused(.nothingToDo) {}
    }

    /// Returns the turns of those photos that their authors have turned.
    public func turns(of photos: [PhotoID]) -> [PhotoID: PhotoTurn] {
        let album = replica.state.album
        return photos.reduce(into: [:]) { turns, photo in
            let turn = album.turn(of: photo)
            if turn != .none { turns[photo] = turn }
        }
    }

    /// Turns the guest's own photo; no operation if there is no change. Throws `Refusal.unknownPhoto`, `.notYours`,
    /// `.tooFast`.
    public func setTurn(_ turn: PhotoTurn, of photo: PhotoID, by guest: AuthorID) async throws {
        guard try self.photo(photo, seenBy: guest).author == guest else { throw NodeError.refused(.notYours(photo)) }
        do { _ = try await say(.turn(photo, turn), by: guest) } catch NodeError.refused(.nothingToDo) {}
    }

    /// Sets a reaction; no operation if there is no change.
    public func react(
        _ emoji: Unicode.Scalar, isOn: Bool, to photo: PhotoID, by guest: AuthorID
    ) async throws {
        try self.photo(photo, seenBy: guest)
        do {
            _ = try await say(.reaction(photo, emoji, isOn: isOn), by: guest)
        } catch NodeError.refused(.nothingToDo) {}
    }

    /// Deletes a comment. Throws `Refusal.unknownComment` if it is no comment on the photo.
    public func removeComment(_ id: OperationID, on photo: PhotoID, by guest: AuthorID) async throws {
        let comments = replica.state.album.comments(on: photo)
        guard comments.contains(where: { $0.id == id }) else { throw NodeError.refused(.unknownComment(id.short)) }
        try await signRemoval(of: PhotoID(id), by: guest)
    }

    @discardableResult
    func say(_ saying: Saying, by guest: AuthorID) async throws -> OperationID {
        let salt = Entropy.bytes(OperationBody.saltByteCount)
        let ids = try await author(.say(saying, salt: salt), by: subKey(of: guest))
        guard let id = ids.first else { throw NodeError.stopped }
        return id
    }
}
