// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// Annotations and messages: within the number and rate that other nodes show.
extension Replica {
    mutating func draft(
        for saying: Saying, by device: DeviceID, author: AuthorID, salt: [UInt8]
    ) throws(Refusal) -> Draft {
        guard case .message = saying else {
            let draft = try checked(saying, by: device, author: author, salt: salt)
            try authoring.spendRemark(by: author, at: now.milliseconds)
            return draft
        }
        // Sealing is work: the limits come first.
        guard state.album.messageCount(by: author) < Remarks.messagesPerAuthorMax else {
            throw .tooManyMessages(limit: Remarks.messagesPerAuthorMax)
        }
        try authoring.spendRemark(by: author, at: now.milliseconds)
        return try checked(saying, by: device, author: author, salt: salt)
    }

    private func checked(
        _ saying: Saying, by device: DeviceID, author: AuthorID, salt: [UInt8]
    ) throws(Refusal) -> Draft {
        switch saying {
        case .caption(let photo, let text):
            guard try known(photo).author == author else { throw .notYours(photo) }
            guard state.album.caption(of: photo)?.text != text else { throw .nothingToDo }
            return try draft(.caption, about: photo.operationID, text, salt)
        case .comment(let photo, let text):
            _ = try known(photo)
            guard state.album.commentCount(on: photo, by: author) < Remarks.commentsPerPhotoMax else {
                throw .tooManyComments(limit: Remarks.commentsPerPhotoMax)
            }
            return try draft(.comment, about: photo.operationID, text, salt)
        case .reaction(let photo, let emoji, let isOn):
            _ = try known(photo)
            if emoji == Remarks.highlight {
                guard (state.membership.rank(of: device) ?? .participant) >= .organizer || !isOn else {
                    throw .rankTooLow(needed: .organizer)
                }
                guard state.album.highlighters(of: photo).contains(author) != isOn else { throw .nothingToDo }
                return Draft(
                    kind: .reaction, subject: photo.operationID,
                    argument: UInt64(emoji.value) + (isOn ? 0 : Remarks.takenOff))
            }
            guard Remarks.emoji.contains(emoji),
                (state.album.reactions(to: photo)[emoji]?.contains(author) ?? false) != isOn
            else { throw .nothingToDo }
            return Draft(
                kind: .reaction, subject: photo.operationID,
                argument: UInt64(emoji.value) + (isOn ? 0 : Remarks.takenOff))
        case .notice(let text):
            guard (state.membership.rank(of: device) ?? .participant) >= .organizer else {
                throw .rankTooLow(needed: .organizer)
            }
            guard state.album.noticeCount(by: device) < Remarks.noticesPerDeviceMax else {
                throw .tooManyNotices(limit: Remarks.noticesPerDeviceMax)
            }
            return try draft(.notice, about: .none, text, salt)
        case .answer(let photo, let mission):
            guard try known(photo).author == author else { throw .notYours(photo) }
            let before = state.album.answer(of: photo)
            guard mission != before else { throw .nothingToDo }
            guard let mission else {
                return Draft(kind: .answer, subject: photo.operationID, argument: UInt64(before ?? 0) + Mission.withdrawn)
            }
            guard let draft = answer(of: photo.operationID, to: mission) else { throw .unknownMission(mission) }
            return draft
        case .turn(let photo, let turn):
            guard try known(photo).author == author else { throw .notYours(photo) }
            guard state.album.turn(of: photo) != turn else { throw .nothingToDo }
            return Draft(kind: .turn, subject: photo.operationID, argument: UInt64(turn.rawValue))
        case .message(let text, let photo, let entropy):
            return try message(text, about: photo, entropy, by: device, author: author, salt)
        case .vote(let photo, let ballot, let sealed):
            return try vote(for: photo, in: ballot, sealed, by: device, author: author, salt)
        case .veil(let photo, let isOn): return try veil(photo, isOn: isOn, by: device, author: author)
        case .picture(let role, let photo): return try picture(role, photo, by: device)
        case .spot(let photo, let spot):
            guard try known(photo).author == author else { throw .notYours(photo) }
            guard let spot else {
                guard state.album.isPlaced(photo) else { throw .nothingToDo }
                return Draft(kind: .spot, subject: photo.operationID, argument: Spot.takenOff)
            }
            guard let plan = state.picture(.plan)?.id else { throw .otherPlan }
            guard state.spot(of: photo) != spot else { throw .nothingToDo }
            return Draft(kind: .spot, subject: photo.operationID, argument: spot.argument(on: plan))
        }
    }

    /// Returns `nil` for a mission that the charter does not have.
    func answer(of photo: OperationID, to mission: UInt32) -> Draft? {
        guard state.charter?.missions.contains(where: { $0.id == mission }) == true else { return nil }
        return Draft(kind: .answer, subject: photo, argument: UInt64(mission))
    }

    private func picture(
        _ role: PictureRole, _ photo: PhotoID?, by device: DeviceID
    ) throws(Refusal) -> Draft {
        guard (state.membership.rank(of: device) ?? .participant) >= .organizer else {
            throw .rankTooLow(needed: .organizer)
        }
        let chosen = state.album.chosenPicture(role)
        guard chosen != photo else { throw .nothingToDo }
        guard let photo else {
            return Draft(
                kind: .picture, subject: chosen?.operationID ?? .none, argument: UInt64(role.rawValue) + Spot.takenOff)
        }
        guard case .frame = try known(photo).status else { throw .notShown(photo) }
        return Draft(kind: .picture, subject: photo.operationID, argument: UInt64(role.rawValue))
    }

    private func message(
        _ text: String, about photo: PhotoID?, _ entropy: MessageEntropy, by device: DeviceID, author: AuthorID,
        _ salt: [UInt8]
    ) throws(Refusal) -> Draft {
        if let photo { _ = try known(photo) }
        guard Remarks.isWellFormed(text),
            let sealed = SealedMessage(
                text, to: state.messageRecipients, by: device, event: state.event, entropy: entropy)
        else { throw .malformed(.malformedBody(kind: OperationKind.message.rawValue)) }
        return Draft(
            kind: .message, subject: photo?.operationID ?? .none,
            body: OperationBody.encode(.message(sealed), salt: salt))
    }

    /// Returns a photo that is known and not withdrawn.
    private func known(_ photo: PhotoID) throws(Refusal) -> Photo {
        guard let known = state.photo(photo), !known.status.isWithdrawn else { throw .unknownPhoto(photo.short) }
        return known
    }

    private func draft(
        _ kind: OperationKind, about subject: OperationID, _ text: String, _ salt: [UInt8]
    ) throws(Refusal) -> Draft {
        guard Remarks.isWellFormed(text) else { throw .malformed(.malformedBody(kind: kind.rawValue)) }
        return Draft(kind: kind, subject: subject, body: OperationBody.encode(.text(text), salt: salt))
    }
}
