// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import Foundation

/// An operation as received: well-formed, its body matching its header, its signature not yet verified.
///
/// Most arrive more than once, from several peers, so a body is decoded only when its content is needed.
public struct UncheckedOperation: Sendable {
    public let id: OperationID
    public let header: OperationHeader
    public let signature: Signature
    /// `nil` if the sender did not have it.
    public let body: [UInt8]?
    /// The body's content if it was decoded already.
    private let knownContent: OperationContent?

    /// The body's content, `nil` if the body is missing.
    public var content: OperationContent? {
        if let knownContent { return knownContent }
        guard let body else { return nil }
        return header.knownKind.map { OperationBody.decode(body, header: header, kind: $0) }
            ?? OperationContent.none
    }

    /// Throws `OperationError` if the header is malformed, or the body does not match the header or is too large. If
    /// the fold reads the body, it must be present and decode as its kind; any other may be missing or unreadable,
    /// which must make no difference to whether the operation is accepted.
    public init(headerBytes: [UInt8], signature: Signature, body: [UInt8]?) throws(OperationError) {
        let header = try OperationHeader(headerBytes)
        self.header = header
        self.signature = signature
        id = OperationHeader.id(ofBytes: headerBytes)
        guard header.bodyByteCount > 0 else {
            guard body?.isEmpty ?? true else { throw .bodyMismatch }
            self.body = []
            knownContent = OperationContent.none
            return
        }
        guard header.bodyByteCount <= UInt32(Limits.operationBodyByteCountMax) else {
            throw .bodyTooLarge(byteCount: Int(header.bodyByteCount), limit: Limits.operationBodyByteCountMax)
        }
        let known = header.knownKind
        guard let body else {
            guard known?.foldReadsBody != true else { throw .bodyMismatch }
            self.body = nil
            knownContent = nil
            return
        }
        guard body.count == Int(header.bodyByteCount), OperationHeader.hash(ofBody: body) == header.bodyHash else {
            throw .bodyMismatch
        }
        self.body = body
        guard let known, known.foldReadsBody else {
            knownContent = nil
            return
        }
        let content = OperationBody.decode(body, header: header, kind: known)
        if content == .unreadable { throw .malformedBody(kind: known.rawValue) }
        knownContent = content
    }

    /// Returns the operation with its signature verified, and those of the sponsor and the guest in a join.
    ///
    /// Takes about 75 us, so it is done outside the engine, on all cores. Throws `OperationError.foreignEvent` or
    /// `.invalidSignature`.
    public func verified(event: EventID) throws(OperationError) -> VerifiedOperation {
        guard header.event == event else { throw .foreignEvent }
        guard header.device.verifyingKey.isValid(signature, for: header.signedBytes) else { throw .invalidSignature }
        let content = content
        if case .join(let admission, let delegation) = content {
            guard admission.admits(header.device, to: event),
                delegation?.delegates(to: header.device, at: admission.sponsor, event: event) ?? true
            else { throw .invalidSignature }
        }
        return VerifiedOperation(id: id, header: header, signature: signature, body: body, content: proven(content))
    }

    /// Returns the content, `.none` for the use of a ticket, or the agreement to a twinning, that is not proven.
    private func proven(_ content: OperationContent?) -> OperationContent? {
        switch content {
        case .ticketUse(let proof):
            let ticket = TicketKey(header.subject.bytes32)
            return proof.proves(ticket, event: header.event) ? content : OperationContent.none
        case .twinning(let twinning):
            let isProven =
                twinning.agreement.event.bytes32 == header.subject.bytes32 && twinning.agreement.joins(header.event)
            return isProven ? content : OperationContent.none
        default: return content
        }
    }

    /// The operation without another check, for operations that this node verified before it stored them. The use of a
    /// ticket and the agreement to a twinning are proven again: an earlier version may have stored them.
    public var verifiedBefore: VerifiedOperation {
        VerifiedOperation(id: id, header: header, signature: signature, body: body, content: proven(content))
    }

    /// The bytes on the wire, without protobuf's overhead.
    public var byteCount: Int { OperationHeader.byteCount + Signature.byteCount + (body?.count ?? 0) }
}

extension UncheckedOperation: Equatable {
    /// The content follows from the body, so it is not compared.
    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.header == right.header && left.signature == right.signature
            && left.body == right.body
    }
}

extension UncheckedOperation {
    init(_ message: Disposable_V1_SignedOperation) throws(OperationError) {
        guard let signature = Signature(message.signature) else { throw .invalidSignature }
        try self.init(
            headerBytes: [UInt8](message.header), signature: signature,
            body: message.hasBody ? [UInt8](message.body) : nil)
    }

    public init(_ operation: VerifiedOperation) {
        id = operation.id
        header = operation.header
        signature = operation.signature
        body = operation.body
        knownContent = operation.content
    }

    var message: Disposable_V1_SignedOperation {
        var message = Disposable_V1_SignedOperation()
        message.header = Data(header.bytes)
        message.signature = Data(signature.bytes)
        if let body, !body.isEmpty { message.body = Data(body) }
        return message
    }
}

extension VerifiedOperation {
    /// Signs a draft as the next operation of a device's chain.
    public init(
        draft: Draft, event: EventID, sequence: UInt32, previous: OperationID, timestamp: HybridTimestamp,
        key: SigningKey
    ) throws(OperationError) {
        let header = OperationHeader(
            kind: draft.kind.rawValue, flags: draft.kind.flags, event: event,
            device: DeviceID(key.verifyingKey), sequence: sequence, previous: previous, timestamp: timestamp,
            subject: draft.subject, argument: draft.argument,
            bodyHash: draft.body.isEmpty ? .zero : OperationHeader.hash(ofBody: draft.body),
            bodyByteCount: UInt32(draft.body.count))
        let unchecked = try UncheckedOperation(
            headerBytes: header.bytes, signature: key.signature(for: header.signedBytes), body: draft.body)
        guard unchecked.content != .unreadable else { throw .malformedBody(kind: header.kind) }
        self = unchecked.verifiedBefore
    }
}

extension OperationKind {
    /// The flags that an author sets.
    fileprivate var flags: OperationHeader.Flags {
        var flags: OperationHeader.Flags = set == .authority ? .authority : []
        if isCritical { flags.insert(.critical) }
        return flags
    }
}
