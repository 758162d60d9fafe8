// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The keys with which photos are sealed until the reveal (protocol/disposable-v1.md §11).
public enum Sealing {
    /// Derives the key pair whose public half the first charter names from the event key's seed, so that the printed
    /// backup of the seed also opens sealed photos.
    public static func revealKey(eventKeySeed: SecretBytes, event: EventID) -> AgreementKey {
        AgreementKey(scalar: KeyDerivation.key(from: eventKeySeed, context: Domain.Key.reveal, input: event.bytes))
    }

    /// Derives the ephemeral key of one box: secret, one for each blob and recipient, and the same if it is derived
    /// again.
    public static func ephemeralKey(
        importSecret: SecretBytes, root: BlobRoot, recipient: AgreementPublicKey
    ) -> AgreementKey {
        AgreementKey(
            scalar: KeyDerivation.key(
                from: importSecret, context: Domain.Key.sealing, input: root.bytes + recipient.bytes32.bytes))
    }
}

extension BlobReference {
    /// Returns the same blob, its key sealed to the event's reveal key.
    public func sealed(to recipient: AgreementPublicKey, importSecret: SecretBytes) throws(CryptoError) -> BlobReference
    {
        guard let key else { return self }
        let ephemeral = Sealing.ephemeralKey(importSecret: importSecret, root: root, recipient: recipient)
        let box = try key.withSpan { span throws(CryptoError) in
            try SealedBox.seal(span, to: recipient, ephemeral: ephemeral)
        }
        return BlobReference(id: id, chunkLog2: chunkLog2, content: .sealed(box))
    }

    /// Returns the same blob with its key, `nil` if it is not sealed to this reveal key.
    public func opened(with revealKey: AgreementKey) -> BlobReference? {
        guard case .sealed(let box) = content else { return self }
        guard let key = try? SealedBox.open(box, with: revealKey) else { return nil }
        return opened(with: key)
    }

    /// Returns the same blob with its key, for the device with this `importSecret` that sealed it; `nil` for any other.
    public func opened(sealedTo recipient: AgreementPublicKey, by importSecret: SecretBytes) -> BlobReference? {
        guard case .sealed(let box) = content else { return self }
        let ephemeral = Sealing.ephemeralKey(importSecret: importSecret, root: root, recipient: recipient)
        guard let key = try? SealedBox.reopen(box, to: recipient, ephemeral: ephemeral) else { return nil }
        return opened(with: key)
    }

    /// Returns the same blob with a key that its author released; the first chunk exposes a wrong one.
    public func opened(with key: SecretBytes) -> BlobReference? {
        key.withSpan { span in Bytes32((0..<span.count).map { span[$0] }) }
            .map { BlobReference(id: id, chunkLog2: chunkLog2, content: .plain($0)) }
    }
}

/// The content keys of one sealed photo, published by its author: the body of a key release.
public struct ReleasedKeys: Equatable, Sendable {
    /// 32 bytes each, in the order of the classes; absent if the photo has no such blob.
    public var thumbnail: Bytes32?
    public var preview: Bytes32?
    public var original: Bytes32?

    public init(thumbnail: Bytes32?, preview: Bytes32?, original: Bytes32?) {
        self.thumbnail = thumbnail
        self.preview = preview
        self.original = original
    }

    public subscript(blobClass: BlobClass) -> Bytes32? {
        switch blobClass {
        case .thumbnail: thumbnail
        case .preview: preview
        case .original: original
        }
    }
}
