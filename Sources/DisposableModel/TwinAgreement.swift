// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The signature of an organizer of one event that its gallery is joined with that of another, the agreement to a
/// twinning (protocol/disposable-v1.md §9.28).
///
/// It needs the event's public key to be checked, and no operation of that event.
public struct TwinAgreement: Equatable, Sendable {
    /// The bytes of the grant by which the event key made the signing device an organizer.
    public struct Organizer: Equatable, Sendable {
        public static let byteCount = OperationHeader.byteCount + Signature.byteCount

        public let header: OperationHeader
        public let signature: Signature

        public init(header: OperationHeader, signature: Signature) {
            (self.header, self.signature) = (header, signature)
        }

        /// Returns `nil` for other than 252 bytes, and for a header that is malformed.
        public init?(_ bytes: [UInt8]) {
            guard bytes.count == Self.byteCount,
                let header = try? OperationHeader(Array(bytes[..<OperationHeader.byteCount])),
                let signature = Signature(bytes[OperationHeader.byteCount...])
            else { return nil }
            self.init(header: header, signature: signature)
        }

        /// 252 bytes: the header, then its signature.
        public var bytes: [UInt8] { header.bytes + signature.bytes }

        /// The device that the grant is about.
        public var device: DeviceID { DeviceID(header.subject.bytes32) }

        /// Whether the event key has made the device an organizer by this grant.
        func isGranted(by eventKey: VerifyingKey) -> Bool {
            header.kind == OperationKind.grant.rawValue && header.argument == UInt64(Role.organizer.rawValue)
                && header.event == EventID(key: eventKey) && header.device == DeviceID(eventKey)
                && eventKey.isValid(signature, for: header.signedBytes)
        }
    }

    /// The key of the event whose organizer has signed.
    public let eventKey: VerifyingKey
    /// The organizer's grant; `nil` if the event key itself has signed.
    public let organizer: Organizer?
    public let signature: Signature

    public init(eventKey: VerifyingKey, organizer: Organizer?, signature: Signature) {
        (self.eventKey, self.organizer, self.signature) = (eventKey, organizer, signature)
    }

    /// Signs that the gallery of the event of `eventKey` is joined with that of another.
    /// - Parameters:
    ///   - eventKey: the own event's.
    ///   - organizer: the grant of the device of `key`; `nil` where `key` is the event key.
    ///   - other: the other event.
    ///   - key: the organizer's.
    public init(of eventKey: VerifyingKey, organizer: Organizer? = nil, with other: EventID, by key: SigningKey) {
        let signature = key.signature(for: Self.signedBytes(EventID(key: eventKey), other))
        self.init(eventKey: eventKey, organizer: organizer, signature: signature)
    }

    public var event: EventID { EventID(key: eventKey) }

    /// Whether an organizer of `event` has agreed that its gallery is joined with that of `other`.
    public func joins(_ other: EventID) -> Bool {
        guard event != other, organizer?.isGranted(by: eventKey) ?? true else { return false }
        let signer = organizer?.device.verifyingKey ?? eventKey
        return signer.isValid(signature, for: Self.signedBytes(event, other))
    }

    private static func signedBytes(_ event: EventID, _ other: EventID) -> [UInt8] {
        Domain.twinning + event.bytes + other.bytes
    }
}

/// The secret of an event, sealed under an event secret of its twin.
public struct TwinSecret: Equatable, Sendable {
    public static let boxByteCount = Invitation.secretByteCount + ChaCha20Poly1305.tagByteCount

    /// The epoch of the secret under which it is sealed, `.none` for the first.
    public let epoch: OperationID
    /// Random bytes for this one box.
    public let nonce: Bytes32
    /// 48 bytes.
    public let box: [UInt8]

    /// Returns `nil` for a box of another length.
    public init?(epoch: OperationID, nonce: Bytes32, box: [UInt8]) {
        guard box.count == Self.boxByteCount else { return nil }
        (self.epoch, self.nonce, self.box) = (epoch, nonce, box)
    }

    /// Seals a secret for the members of an event.
    /// - Parameters:
    ///   - secret: 32 bytes, the secret of `twin`.
    ///   - twin: the event that the secret opens.
    ///   - key: the secret of the event whose members can open the box, 32 bytes.
    ///   - epoch: the epoch of `key`.
    ///   - nonce: random bytes for this one box.
    public init(
        of secret: SecretBytes, twin: EventID, under key: SecretBytes, epoch: OperationID, nonce: Bytes32
    ) {
        var box: [UInt8] = []
        let associated: [UInt8] = []
        secret.withSpan { span in
            ChaCha20Poly1305.seal(
                span, authenticating: associated.span, key: Self.key(from: key, twin, nonce), nonce: Self.zeros,
                appendingTo: &box)
        }
        (self.epoch, self.nonce, self.box) = (epoch, nonce, box)
    }

    /// Returns the secret; `nil` if `key` is not the one under which it was sealed.
    public func opened(with key: SecretBytes, twin: EventID) -> SecretBytes? {
        let associated: [UInt8] = []
        guard
            var secret = try? ChaCha20Poly1305.open(
                box.span, authenticating: associated.span, key: Self.key(from: key, twin, nonce), nonce: Self.zeros)
        else { return nil }
        return SecretBytes(consuming: &secret)
    }

    /// Each box has a key of its own, so the nonce of the cipher is constant.
    private static let zeros = [UInt8](repeating: 0, count: ChaCha20Poly1305.nonceByteCount)

    private static func key(from secret: SecretBytes, _ twin: EventID, _ nonce: Bytes32) -> SecretBytes {
        KeyDerivation.key(from: secret, context: Domain.Key.twinning, input: twin.bytes + nonce.bytes)
    }
}

/// The content of a twinning: the agreement of the other event's organizer, and that event's secret.
public struct Twinning: Equatable, Sendable {
    public let agreement: TwinAgreement
    /// The other event's name, for people until its charter is here.
    public let name: String
    public let secret: TwinSecret

    public init(agreement: TwinAgreement, name: String, secret: TwinSecret) {
        (self.agreement, self.name, self.secret) = (agreement, name, secret)
    }
}
