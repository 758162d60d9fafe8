// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire

/// Captions, comments, reactions, the organizers' notices, and messages to the organizers.
extension EventNode {
    func say(_ remark: ControlRemark) async throws -> ControlReply {
        let salt = Entropy.bytes(OperationBody.saltByteCount)
        switch remark {
        case .caption(let name, let text):
            try check(remark: text)
            let photo = try seenPhoto(named: name)
            try check(isOpen: photo)
            return try await reply(author(.say(.caption(photo, text), salt: salt)), about: photo)
        case .comment(let name, let text):
            try check(remark: text)
            let photo = try seenPhoto(named: name)
            try check(isOpen: photo)
            return try await reply(author(.say(.comment(photo, text), salt: salt)), about: photo)
        case .reaction(let name, let text, let isOn):
            // A variation selector may follow, which selects the style of the emoji.
            guard let emoji = text.unicodeScalars.first, Remarks.emoji.contains(emoji), text.count == 1 else {
                throw NodeError.unknownEmoji(text)
            }
            let photo = try seenPhoto(named: name)
            return try await reply(
                author(.say(.reaction(photo, emoji, isOn: isOn), salt: salt)), about: photo)
        case .spot(let name, let spot):
            let photo = try seenPhoto(named: name)
            if spot != nil { try check(isOpen: photo) }
            return try await reply(author(.say(.spot(photo, spot), salt: salt)), about: photo)
        case .turn(let name, let degrees):
            guard let turn = PhotoTurn(degrees: degrees) else { throw NodeError.control("a photo is turned by 0, 90, 180 or 270") }
            let photo = try seenPhoto(named: name)
            return try await reply(author(.say(.turn(photo, turn), salt: salt)), about: photo)
        case .veil(let name, let isOn): return try await setVeil(isOn, on: name)
        case .message(let text, let name):
            try check(remark: text)
            let photo = try name.map { try seenPhoto(named: $0) }
            return try await reply(author(.say(.message(text, about: photo, Self.messageEntropy), salt: salt)), about: photo)
        case .notice(let text):
            try check(remark: text)
            return try await reply(rule(.say(.notice(text), salt: salt)), about: nil)
        }
    }

    private func reply(_ ids: [OperationID], about photo: PhotoID?) throws -> ControlReply {
        guard let id = ids.first else { throw NodeError.stopped }
        return .said(id: id.description, photo: photo?.description)
    }

    /// Throws `Refusal.malformedText` if nodes would not show the text.
    func check(remark text: String) throws {
        guard Remarks.isWellFormed(text), !text.allSatisfy(\.isWhitespace) else {
            throw NodeError.refused(.malformedText)
        }
    }

    /// Throws for a photo that is still sealed: an annotation would not be sealed, and all nodes could read it.
    func check(isOpen photo: PhotoID) throws {
        guard replica.state.isOpen(photo) == true else { throw NodeError.refused(.notShownYet) }
    }

    /// Returns a photo that this node's person sees: annotations of photos that are sealed to them are impossible.
    private func seenPhoto(named text: String) throws -> PhotoID {
        let photo = try photo(named: text)
        let isOwn = photo.author == replica.authorID
        guard isOwn || (photo.status.frame != nil && mayBeSeen(photo, by: replica.authorID))
        else {
            throw NodeError.refused(.unknownPhoto(text))
        }
        return photo.id
    }

    /// Returns the photo or annotation that a person wants to withdraw, by its id or the start of it.
    func target(named text: String) throws -> PhotoID {
        do { return try photo(named: text).id } catch NodeError.refused(.unknownPhoto) {
            let prefix = text.lowercased()
            let remarks = replica.state.album.remarks { $0.description.hasPrefix(prefix) }
            guard let first = remarks.first, !text.isEmpty else { throw NodeError.refused(.unknownPhoto(text)) }
            guard remarks.count == 1 else { throw NodeError.ambiguousPhoto(text) }
            return PhotoID(first)
        }
    }

    /// Stores the name of this node's person: signed when the node runs and is a member.
    public func keepName(_ name: String) throws {
        guard Label.isAcceptable(name) else { throw NodeError.refused(.malformedName) }
        try store.setMetadata(Array(name.utf8), for: "own name")
        names.own = name
    }

    /// Changes the name of this node's person; if the node is no member yet, once it is.
    func changeName(to name: String) async throws {
        guard replica.state.album.name(of: replica.authorID) != name else {
            throw NodeError.refused(.nothingToDo)
        }
        try keepName(name)
        guard replica.isAdmitted else { return }
        let body = OperationBody.encode(.name(name), salt: Entropy.bytes(OperationBody.saltByteCount))
        _ = try await author(.name(body: body))
    }

    /// The latest notice of an organizer.
    public var latestNotice: LatestNotice? {
        guard let notice = replica.state.album.notices.last(where: { $0.text != nil }),
            let text = notice.text
        else { return nil }
        return LatestNotice(id: notice.id, text: text, saidAtMilliseconds: notice.timestamp.milliseconds)
    }
}
