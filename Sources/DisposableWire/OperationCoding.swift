// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import Foundation
internal import SwiftProtobuf

/// The encoding of bodies: 16 random bytes, then a protobuf message.
public enum OperationBody {
    public static let saltByteCount = 16

    /// Returns the body of `content`, `nil` for kinds without one.
    /// - Parameters:
    ///   - content: the decoded body.
    ///   - salt: 16 random bytes, so that a surviving hash does not reveal a short text.
    public static func encode(_ content: OperationContent, salt: [UInt8]) -> [UInt8] {
        precondition(salt.count == saltByteCount, "a body's salt has 16 bytes, not \(salt.count)")
        let message: any SwiftProtobuf.Message
        switch content {
        case .charter(let charter): message = charter.message
        case .edit(_, let value, let follows):
            var body = Disposable_V1_EditBody()
            body.value = value.message
            body.follows = Data(ids: follows)
            message = body
        case .join(let admission, let delegation):
            var body = Disposable_V1_JoinBody()
            body.sponsor = Data(admission.sponsor.bytes)
            body.signature = Data(admission.signature.bytes)
            if admission.epoch != .none { body.epoch = Data(admission.epoch.bytes) }
            if let delegation {
                body.guest = Data(delegation.guest.bytes)
                body.delegation = Data(delegation.signature.bytes)
            }
            message = body
        case .grant(let cancels, let revealKey):
            var body = Disposable_V1_GrantBody()
            body.cancels = Data(ids: cancels)
            body.revealKey = Data(revealKey)
            message = body
        // A list is part of a revocation, in the same form.
        case .revocation(let heads), .list(let heads):
            var body = Disposable_V1_RevocationBody()
            body.heads = Data(ids: heads)
            message = body
        case .unhide(let hides):
            var body = Disposable_V1_UnhideBody()
            body.hides = Data(ids: hides)
            message = body
        // These name operations in the form of an unhide.
        case .approval(let ids), .unapprove(let ids):
            var body = Disposable_V1_UnhideBody()
            body.hides = Data(ids: ids)
            message = body
        case .approve(let photos):
            var body = Disposable_V1_UnhideBody()
            body.hides = Data(ids: photos.map(\.operationID))
            message = body
        case .reveal(let secret):
            var body = Disposable_V1_RevealBody()
            body.secret = Data(secret.bytes)
            message = body
        case .keyRelease(let keys):
            var body = Disposable_V1_KeyReleaseBody()
            body.thumbnail = Data(keys.thumbnail?.bytes ?? [])
            body.preview = Data(keys.preview?.bytes ?? [])
            body.original = Data(keys.original?.bytes ?? [])
            message = body
        case .share(let box):
            var body = Disposable_V1_ShareBody()
            body.box = Data(box)
            message = body
        case .shareRelease(let share):
            var body = Disposable_V1_ShareReleaseBody()
            body.share = Data(share.bytes)
            message = body
        case .epoch(let commitment, let seals): message = Disposable_V1_EpochBody(commitment, seals)
        case .name(let name):
            var body = Disposable_V1_NameBody()
            body.name = name
            message = body
        case .text(let text):
            var body = Disposable_V1_TextBody()
            body.text = text
            message = body
        case .tickets(let keys):
            var body = Disposable_V1_UnhideBody()
            body.hides = Data(keys.flatMap(\.bytes))
            message = body
        case .ticketUse(let proof):
            var body = Disposable_V1_JoinBody()
            body.guest = Data(proof.author.bytes)
            body.delegation = Data(proof.signature.bytes)
            message = body
        case .message(let sealed): message = Disposable_V1_MessageBody(sealed)
        // An epoch's form: a key that is no commitment, and its secret half in boxes.
        case .ballot(let ballot): message = Disposable_V1_EpochBody(ballot.key.bytes32, ballot.seals)
        case .vote(let vote):
            var body = Disposable_V1_VoteBody()
            body.box = Data(vote.box)
            message = body
        case .closing(let secret):
            var body = Disposable_V1_RevealBody()
            body.secret = Data(secret.bytes)
            message = body
        case .twinning(let twinning): message = Disposable_V1_TwinningBody(twinning)
        case .photo(let photo): message = photo.message
        case .original(let original): message = original.message
        case .none, .unreadable: return []
        }
        guard let payload: [UInt8] = try? message.serializedBytes() else { preconditionFailure("body not serialised") }
        return salt + payload
    }

    static func decode(_ body: [UInt8], header: OperationHeader, kind: OperationKind) -> OperationContent {
        let payload = body.dropFirst(saltByteCount)
        guard body.count >= saltByteCount, ProtobufFields.count(in: payload) <= Limits.fieldsPerMessageMax else {
            return kind.unreadable
        }
        return content(of: Array(payload), header, kind) ?? kind.unreadable
    }

    private static func content(
        of payload: [UInt8], _ header: OperationHeader, _ kind: OperationKind
    ) -> OperationContent? {
        switch kind {
        case .charter:
            guard let message = try? Disposable_V1_CharterBody(serializedBytes: payload),
                let charter = Charter(message), charter.isWellFormed
            else { return nil }
            return .charter(charter)
        case .edit:
            // A field of a later version: kept, and not decoded.
            guard let field = UInt8(exactly: header.argument).flatMap(CharterField.init) else {
                return OperationContent.none
            }
            return edit(of: field, in: payload) ?? (field.isOfFirstRelease ? nil : OperationContent.none)
        case .join:
            guard let message = try? Disposable_V1_JoinBody(serializedBytes: payload),
                let sponsor = DeviceID(message.sponsor), let signature = Signature(message.signature)
            else { return nil }
            guard let epoch = OperationID(epoch: message.epoch) else { return nil }
            let admission = Admission(sponsor: sponsor, signature: signature, epoch: epoch)
            if message.guest.isEmpty, message.delegation.isEmpty { return .join(admission, nil) }
            guard let guest = AuthorID(message.guest), let delegation = Signature(message.delegation) else {
                return nil
            }
            return .join(admission, Delegation(guest: guest, signature: delegation))
        case .grant:
            guard let message = try? Disposable_V1_GrantBody(serializedBytes: payload) else { return nil }
            guard message.revealKey.isEmpty || message.revealKey.count == BlobReference.sealedKeyByteCount else {
                return nil
            }
            return message.cancels.ids(max: Limits.namedOperationsMax)
                .map { .grant(cancels: $0, revealKey: [UInt8](message.revealKey)) }
        case .revokeRole, .revokeDevice:
            guard let message = try? Disposable_V1_RevocationBody(serializedBytes: payload) else { return nil }
            return message.heads.ids(max: Limits.headsMax).map { .revocation(heads: $0) }
        case .list:
            guard let message = try? Disposable_V1_RevocationBody(serializedBytes: payload), !message.heads.isEmpty
            else { return nil }
            return message.heads.ids(max: Limits.headsMax).map { .list($0) }
        case .unhide:
            guard let message = try? Disposable_V1_UnhideBody(serializedBytes: payload) else { return nil }
            return message.hides.ids(max: Limits.namedOperationsMax).map { .unhide(hides: $0) }
        case .approval: return named(in: payload).map { .approval(follows: $0) }
        case .approve:
            guard let photos = named(in: payload), !photos.isEmpty else { return nil }
            return .approve(photos.map { PhotoID($0) })
        case .unapprove: return named(in: payload).map { .unapprove(approvals: $0) }
        case .reveal:
            guard let message = try? Disposable_V1_RevealBody(serializedBytes: payload) else { return nil }
            return Bytes32(message.secret).map(OperationContent.reveal)
        case .keyRelease:
            guard let message = try? Disposable_V1_KeyReleaseBody(serializedBytes: payload) else { return nil }
            let parts = [message.thumbnail, message.preview, message.original]
            guard parts.allSatisfy({ $0.isEmpty || $0.count == 32 }) else { return nil }
            return .keyRelease(
                ReleasedKeys(thumbnail: Bytes32(parts[0]), preview: Bytes32(parts[1]), original: Bytes32(parts[2])))
        case .share:
            guard let message = try? Disposable_V1_ShareBody(serializedBytes: payload),
                message.box.count == BlobReference.sealedKeyByteCount
            else { return nil }
            return .share(box: [UInt8](message.box))
        case .shareRelease:
            guard let message = try? Disposable_V1_ShareReleaseBody(serializedBytes: payload) else { return nil }
            return Bytes32(message.share).map(OperationContent.shareRelease)
        case .epoch: return EpochBody.content(of: payload, argument: header.argument)
        case .name:
            guard let message = try? Disposable_V1_NameBody(serializedBytes: payload), Label.isWellFormed(message.name)
            else { return nil }
            return .name(message.name)
        case .caption, .comment, .notice:
            guard let message = try? Disposable_V1_TextBody(serializedBytes: payload),
                Remarks.isWellFormed(message.text)
            else { return nil }
            return .text(message.text)
        case .message:
            guard let message = try? Disposable_V1_MessageBody(serializedBytes: payload) else { return nil }
            return SealedMessage(message).map(OperationContent.message)
        case .ballot:
            guard let message = try? Disposable_V1_EpochBody(serializedBytes: payload) else { return nil }
            return SealedBallot(message).map(OperationContent.ballot)
        case .vote:
            guard let message = try? Disposable_V1_VoteBody(serializedBytes: payload) else { return nil }
            return SealedVote(box: [UInt8](message.box)).map(OperationContent.vote)
        case .closing:
            guard let message = try? Disposable_V1_RevealBody(serializedBytes: payload) else { return nil }
            return Bytes32(message.secret).map(OperationContent.closing)
        case .photo:
            guard let message = try? Disposable_V1_PhotoBody(serializedBytes: payload) else { return nil }
            return PhotoManifest(message).map(OperationContent.photo)
        case .original:
            guard let message = try? Disposable_V1_OriginalBody(serializedBytes: payload) else { return nil }
            return OriginalManifest(message).map(OperationContent.original)
        case .tickets: return ticketKeys(in: payload).map(OperationContent.tickets)
        case .ticketUse: return ticketProof(in: payload).map(OperationContent.ticketUse)
        case .twinning:
            guard let message = try? Disposable_V1_TwinningBody(serializedBytes: payload) else { return nil }
            return Twinning(message).map(OperationContent.twinning)
        case .remove, .hide, .erase, .leave, .claim, .reaction, .frames, .consent, .answer, .picture, .spot, .veiling,
            .veil, .lift, .turn, .gift, .ticketRuling, .pageSealing:
            return nil
        }
    }
}

extension OperationBody {
    private static func edit(of field: CharterField, in payload: [UInt8]) -> OperationContent? {
        guard let message = try? Disposable_V1_EditBody(serializedBytes: payload),
            let value = Charter(message.value),
            value.isWellFormed(field), let follows = message.follows.ids(max: Limits.namedOperationsMax),
            !follows.isEmpty
        else { return nil }
        return .edit(field, value, follows: follows)
    }

    /// Returns the operations that a body in the form of an unhide names.
    private static func named(in payload: [UInt8]) -> [OperationID]? {
        guard let message = try? Disposable_V1_UnhideBody(serializedBytes: payload) else { return nil }
        return message.hides.ids(max: Limits.namedOperationsMax)
    }

    private static func ticketKeys(in payload: [UInt8]) -> [TicketKey]? {
        guard let keys = named(in: payload), !keys.isEmpty else { return nil }
        return keys.map { TicketKey($0.bytes32) }
    }

    private static func ticketProof(in payload: [UInt8]) -> TicketProof? {
        guard let message = try? Disposable_V1_JoinBody(serializedBytes: payload),
            message.sponsor.isEmpty, message.signature.isEmpty, message.epoch.isEmpty,
            let author = AuthorID(message.guest), let signature = Signature(message.delegation)
        else { return nil }
        return TicketProof(author: author, signature: signature)
    }
}

extension OperationKind {
    /// The content of a body that breaks the rules of its kind. Earlier nodes pass those about tickets, and of kinds
    /// after the first release, on unread: they count for nothing, and no node is refused for them.
    fileprivate var unreadable: OperationContent {
        self == .tickets || self == .ticketUse || !isOfFirstRelease ? .none : .unreadable
    }
}

extension Data {
    fileprivate init(ids: [OperationID]) { self.init(ids.flatMap(\.bytes)) }

    /// The operations named by 32 bytes each, `nil` if the length is wrong or there are more than `max` of them.
    fileprivate func ids(max: Int) -> [OperationID]? {
        guard count.isMultiple(of: 32), count <= 32 * max else { return nil }
        return stride(from: startIndex, to: endIndex, by: 32).compactMap { OperationID(self[$0..<$0 + 32]) }
    }
}

extension Remarks {
    /// Whether the text may be a caption, a comment or a notice: the same result on every node.
    public static func isWellFormed(_ text: String) -> Bool {
        !text.isEmpty && Label.isWellFormedProse(text, byteCountMax: Limits.textByteCountMax)
    }
}
