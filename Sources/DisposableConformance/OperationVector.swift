// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire

/// §8: an operation as received.
struct OperationVector: Vector {
    static let questions: Set = ["event", "header", "signature", "body"]
    static let failures: Set = [
        "header length", "unsupported version", "wrong set", "sequence too large", "broken chain", "body mismatch",
        "limit exceeded", "malformed body", "foreign event", "authentication failure",
    ]

    private let event: Hex
    private var header, signature: Hex
    private var body: Hex?

    private var bodyBytes: [UInt8] {
        get { body?.bytes ?? [] }
        set { body?.bytes = newValue }
    }
    var received: [WritableKeyPath<Self, [UInt8]>] {
        [\.header.bytes, \.signature.bytes] + (body == nil ? [] : [\.bodyBytes])
    }

    func outcome() throws -> Outcome {
        // In a message this is a field of the wrong length.
        guard let signature = Signature(signature.bytes) else { return Outcome("authentication failure") }
        do throws(OperationError) {
            let operation = try UncheckedOperation(
                headerBytes: header.bytes, signature: signature, body: body?.bytes)
            guard operation.header.bytes == header.bytes else { return .unstable }
            let verified = try operation.verified(event: EventID((try? event.bytes32) ?? .zero))
            guard Self.isStable(verified) else { return .unstable }
            return .success(["id": .text(verified.id), "content": verified.content.map(\.shown) ?? .null])
        } catch { return Outcome(error.name) }
    }

    /// Whether the body's content decodes to the same value after encoding.
    private static func isStable(_ operation: VerifiedOperation) -> Bool {
        guard let content = operation.content, content != .unreadable, content != .none, let kind = operation.kind
        else { return true }
        let body = OperationBody.encode(content, salt: [UInt8](repeating: 0, count: OperationBody.saltByteCount))
        let old = operation.header
        let header = OperationHeader(
            kind: kind.rawValue, flags: old.flags, event: old.event, device: old.device, sequence: old.sequence,
            previous: old.previous, timestamp: old.timestamp, subject: old.subject, argument: old.argument,
            bodyHash: OperationHeader.hash(ofBody: body), bodyByteCount: UInt32(body.count))
        let again = try? UncheckedOperation(headerBytes: header.bytes, signature: operation.signature, body: body)
        return again?.content == content
    }
}

extension OperationError {
    /// The name in vectors.
    var name: String {
        switch self {
        case .headerByteCount: "header length"
        case .malformedRecord: "record"
        case .unsupportedVersion: "unsupported version"
        case .wrongSet: "wrong set"
        case .bodyMismatch: "body mismatch"
        case .bodyTooLarge: "limit exceeded"
        case .malformedBody: "malformed body"
        case .brokenChain: "broken chain"
        case .sequenceTooLarge: "sequence too large"
        case .invalidSignature: "authentication failure"
        case .foreignEvent: "foreign event"
        }
    }
}

extension OperationContent {
    /// The form in vectors; null for operations without content.
    fileprivate var shown: JSON {
        switch self {
        case .charter(let charter):
            .object([
                "kind": "charter", "name": .string(charter.name),
                "startsAtMilliseconds": .number(charter.schedule.startsAtMilliseconds),
                "durationHours": .integer(charter.schedule.durationHours), "frames": .integer(charter.frames),
                "retentionHours": .integer(charter.schedule.retentionHours),
                "isListed": .bool(charter.presentation.isListed),
                "organizerName": .string(charter.organizer.name),
            ])
        case .edit(let field, _, let follows):
            .object(["kind": "edit", "field": .integer(field.rawValue), "names": .list(follows)])
        case .join(let admission, _): .object(["kind": "join", "sponsor": .text(admission.sponsor)])
        case .reveal(let secret): .object(["kind": "reveal", "secret": .text(secret)])
        case .share(let box): .object(["kind": "share", "box": .hex(box)])
        case .shareRelease(let share): .object(["kind": "shareRelease", "share": .text(share)])
        case .keyRelease(let keys):
            .object(
                ["thumbnail": keys.thumbnail, "preview": keys.preview, "original": keys.original].compactMapValues {
                    $0.map { .text($0) }
                }.merging(["kind": "keyRelease"]) { $1 })
        case .epoch(let commitment, let seals):
            .object(
                ["kind": "epoch", "devices": .list(seals.map(\.device)), "boxes": .array(seals.map { .hex($0.box) })]
                    .merging(commitment.map { ["commitment": .text($0)] } ?? [:]) { $1 })
        case .message(let message):
            .object([
                "kind": "message", "devices": .list(message.keys.map(\.device)),
                "boxes": .array(message.keys.map { .hex($0.box) }), "text": .hex(message.text),
            ])
        case .ballot(let ballot):
            .object([
                "kind": "ballot", "key": .text(ballot.key.bytes32), "devices": .list(ballot.seals.map(\.device)),
                "boxes": .array(ballot.seals.map { .hex($0.box) }),
            ])
        case .vote(let vote): .object(["kind": "vote", "box": .hex(vote.box)])
        case .closing(let secret): .object(["kind": "closing", "secret": .text(secret)])
        case .twinning(let twinning):
            .object([
                "kind": "twinning", "eventKey": .text(twinning.agreement.eventKey.bytes32),
                "name": .string(twinning.name), "grant": .hex(twinning.agreement.organizer?.bytes ?? []),
                "signature": .hex(twinning.agreement.signature.bytes), "epoch": .text(twinning.secret.epoch),
                "nonce": .text(twinning.secret.nonce), "box": .hex(twinning.secret.box),
            ])
        case .grant(let cancels, _): .object(["kind": "grant", "names": .list(cancels)])
        case .revocation(let heads): .object(["kind": "revocation", "names": .list(heads)])
        case .list(let heads): .object(["kind": "list", "names": .list(heads)])
        case .unhide(let hides): .object(["kind": "unhide", "names": .list(hides)])
        case .approval(let follows): .object(["kind": "approval", "names": .list(follows)])
        case .approve(let photos): .object(["kind": "approve", "names": .list(photos)])
        case .unapprove(let approvals): .object(["kind": "unapprove", "names": .list(approvals)])
        case .tickets(let keys): .object(["kind": "tickets", "names": .list(keys)])
        case .ticketUse(let proof):
            .object([
                "kind": "ticketUse", "author": .text(proof.author), "signature": .hex(proof.signature.bytes),
            ])
        case .text(let text): .object(["kind": "text", "name": .string(text)])
        case .name(let text): .object(["kind": "name", "name": .string(text)])
        case .photo(let photo):
            .object([
                "kind": "photo", "thumbnail": .text(photo.thumbnail?.root), "preview": .text(photo.preview?.root),
                "takenAtMilliseconds": photo.takenAtMilliseconds.map { .number($0) } ?? .null,
                "width": .integer(photo.width),
                "height": .integer(photo.height), "mediaType": .string(photo.mediaType.rawValue),
            ])
        case .original(let manifest):
            .object([
                "kind": "original", "original": .text(manifest.original.root), "sha256": .text(manifest.sha256),
                "mediaType": .string(manifest.mediaType.rawValue),
            ])
        case .unreadable: .object(["kind": "unreadable"])
        case .none: .null
        }
    }
}

extension JSON: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}
