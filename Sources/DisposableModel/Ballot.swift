// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The opening of a vote as it is stored and sent: the key to which votes are sealed, and its secret half for each
/// organizer (protocol/disposable-v1.md §9.27).
public struct SealedBallot: Equatable, Sendable {
    public static let organizersMax = 16

    /// The X25519 key of this one ballot.
    public let key: AgreementPublicKey
    /// The secret half, sealed to 1 to 16 devices.
    public let seals: [SealedSecret]

    /// Returns `nil` for a number of organizers that no ballot has.
    public init?(key: AgreementPublicKey, seals: [SealedSecret]) {
        guard (1...Self.organizersMax).contains(seals.count) else { return nil }
        self.key = key
        self.seals = seals
    }

    /// Seals the secret half to organizers. Returns `nil` if it can be sealed to nobody.
    /// - Parameters:
    ///   - secret: 32 random bytes, for this one ballot.
    ///   - organizers: 16 at most. A key to which nothing can be sealed is left out.
    ///   - seed: 32 random bytes, from which the ephemeral keys of the boxes are derived, then discarded.
    public init?(secret: SecretBytes, organizers: [DeviceID], seed: SecretBytes) {
        let seals = organizers.prefix(Self.organizersMax).compactMap { organizer in
            try? SealedSecret(of: secret, for: organizer, seed: seed, context: Domain.Key.ballotSealing)
        }
        self.init(key: AgreementKey(scalar: secret).publicKey, seals: seals)
    }

    /// Returns the secret half for an organizer; `nil` if it is not sealed to this key, or makes another public key.
    public func secret(for organizer: SigningKey) -> Bytes32? {
        let device = DeviceID(organizer.verifyingKey)
        guard let box = seals.first(where: { $0.device == device })?.box,
            let secret = try? SealedBox.open(box, with: organizer.agreementKey),
            secret.count == AgreementKey.byteCount
        else { return nil }
        let pair = AgreementKey(scalar: secret)
        return pair.publicKey == key ? pair.disclosed : nil
    }
}

/// A vote that opens once the ballot's secret half is published.
public struct SealedVote: Equatable, Sendable {
    public static let byteCount = 2 * Bytes32.byteCount + SealedBox.overheadByteCount

    /// 112 bytes.
    public let box: [UInt8]

    /// Returns `nil` for another number of bytes.
    public init?(box: [UInt8]) {
        guard box.count == Self.byteCount else { return nil }
        self.box = box
    }

    /// Seals a vote. Returns `nil` if nothing can be sealed to the ballot's key.
    /// - Parameters:
    ///   - photo: `nil` for no photo.
    ///   - device: the device that signs the vote: it opens only as its.
    ///   - key: the ballot's.
    ///   - ephemeral: a random key for this one vote, then discarded.
    public init?(for photo: PhotoID?, by device: DeviceID, key: AgreementPublicKey, ephemeral: AgreementKey) {
        let plaintext = (photo?.bytes32 ?? .zero).bytes + device.bytes
        guard let box = try? SealedBox.seal(plaintext.span, to: key, ephemeral: ephemeral) else { return nil }
        self.init(box: box)
    }

    /// Returns the photo; `nil` if the vote is for none, does not open, or is a copy of another device's vote.
    func photo(openedWith key: AgreementKey, by device: DeviceID) -> PhotoID? {
        guard let plaintext = try? SealedBox.open(box, with: key), plaintext.count == 2 * Bytes32.byteCount else {
            return nil
        }
        let bytes = plaintext.withSpan { span in (0..<span.count).map { span[$0] } }
        guard Array(bytes[Bytes32.byteCount...]) == device.bytes, let photo = Bytes32(bytes[..<Bytes32.byteCount]),
            photo != .zero
        else { return nil }
        return PhotoID(photo)
    }
}

/// The event's vote for the photo of the night, open or closed.
public struct Ballot: Equatable, Sendable {
    public let id: OperationID
    /// Milliseconds since 1970 UTC, by the clocks of the organizers' nodes.
    public let openedAtMilliseconds: UInt64
    /// `nil` while the vote is open.
    public let closedAtMilliseconds: UInt64?
    /// The key to which votes are sealed, and its secret half for organizers.
    public let sealed: SealedBallot

    public var isOpen: Bool { closedAtMilliseconds == nil }
}
