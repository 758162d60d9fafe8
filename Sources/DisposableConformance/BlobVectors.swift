// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel

/// §11: a whole blob, divided, sealed and named; or one chunk to open.
struct ChunkVector: Vector {
    static let questions: Set = ["importSecret", "blobClass", "byteCount", "index", "isLast", "ciphertext"]
    static let failures: Set = ["authentication failure"]

    private let importSecret: Hex?
    private let blobClass: String?
    private let byteCount: Int?
    private let key: Hex
    private let index: Int?
    private let isLast: Bool?
    private var ciphertext: Hex?

    private var chunk: [UInt8] {
        get { ciphertext?.bytes ?? [] }
        set { ciphertext?.bytes = newValue }
    }
    var received: [WritableKeyPath<Self, [UInt8]>] { ciphertext == nil ? [] : [\.chunk] }

    func outcome() throws -> Outcome {
        if let importSecret, let blobClass, let byteCount {
            return try sealed(importSecret.secret, blobClass, byteCount)
        }
        guard let index, let isLast, let ciphertext else { throw Unreadable("neither a blob nor a chunk") }
        let plaintext = try? BlobSealing.openChunk(
            ciphertext.bytes.span, index: index, isLast: isLast, key: key.secret)
        let given: [String: JSON] = ["key": .hex(key.bytes)]
        guard let plaintext else { return Outcome("authentication failure", given) }
        return .success(given.merging(["plaintext": .hex(plaintext)]) { $1 })
    }

    private func sealed(_ importSecret: SecretBytes, _ className: String, _ byteCount: Int) throws -> Outcome {
        let classes = ["thumbnail": BlobClass.thumbnail, "preview": .preview, "original": .original]
        guard let blobClass = classes[className] else { throw Unreadable("blobClass: \(className)") }
        guard (1...(8 << 20)).contains(byteCount) else { throw Unreadable("byteCount: not from 1 to 8 MiB") }
        let plaintext = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let plaintextHash = BLAKE2b.hash(plaintext)
        let key = BlobSealing.key(importSecret: importSecret, blobClass: blobClass, plaintextHash: plaintextHash)
        let layout = ChunkLayout(plaintextByteCount: UInt64(byteCount))
        var hashes: [Bytes32] = []
        var first: [UInt8] = []
        var last: [UInt8] = []
        for index in 0..<layout.chunkCount {
            let range = layout.plaintextRange(ofChunk: index)
            let part = Array(plaintext[Int(range.lowerBound)..<Int(range.upperBound)])
            let isLast = index == layout.chunkCount - 1
            last = []
            BlobSealing.sealChunk(part.span, index: index, isLast: isLast, key: key, appendingTo: &last)
            if index == 0 { first = last }
            hashes.append(BlobSealing.hash(ofChunk: last.span))
            let opened = try? BlobSealing.openChunk(last.span, index: index, isLast: isLast, key: key)
            guard opened == part else { return .unstable }
        }
        return .success([
            "plaintextHash": .text(plaintextHash), "key": .secret(key),
            "chunkHashes": .list(hashes),
            "root": .text(BlobSealing.root(byteCount: UInt64(byteCount), chunkHashes: hashes)),
            "firstCiphertextBytes": .hex(first.prefix(32)), "lastTag": .hex(last.suffix(16)),
        ])
    }
}

/// §11.2: a key sealed to a reveal key, or to a device; §9.11: an event secret sealed to a device; §9.22: a message and its
/// key sealed to a device.
struct SealingVector: Vector {
    static let questions: Set = [
        "secret", "eventKeySeed", "event", "importSecret", "root", "deviceSeed", "ephemeral", "sealingSeed",
        "parent", "author", "text",
    ]
    static let failures: Set = ["authentication failure"]

    private let secret: Hex
    private var sealed: Hex
    private let eventKeySeed, event, importSecret, root, deviceSeed, ephemeral, sealingSeed, parent, author: Hex?
    /// The text of a message.
    private let text: String?

    var received: [WritableKeyPath<Self, [UInt8]>] { [\.sealed.bytes] }

    func outcome() throws -> Outcome {
        let key = AgreementKey(scalar: secret.secret)
        guard let opened = try? SealedBox.open(sealed.bytes, with: key) else {
            return Outcome("authentication failure", ["sealed": .hex(sealed.bytes)])
        }
        let plaintext = opened.withSpan { span in (0..<span.count).map { span[$0] } }
        // And the whole derivation from the secrets that a node keeps.
        let recipient: AgreementPublicKey
        let ephemeral: AgreementKey
        var values: [String: JSON] = ["plaintext": .hex(plaintext)]
        if let deviceSeed, let sealingSeed, let author, let text, let event {
            let device = SigningKey(seed: deviceSeed.secret)
            guard device.agreementKey.publicKey == key.publicKey else { return .unstable }
            let (author, event) = (DeviceID(try author.bytes32), EventID(try event.bytes32))
            let message = SealedMessage(
                text, to: [DeviceID(device.verifyingKey)], by: author, event: event,
                entropy: MessageEntropy(key: opened, seed: sealingSeed.secret))
            guard let message, message.opened(with: device, by: author, event: event) == text,
                message.opened(with: device, by: DeviceID(device.verifyingKey), event: event) == nil
            else { return .unstable }
            values["sealed"] = .hex(message.keys[0].box)
            values["sealedText"] = .hex(message.text)
            return .success(values)
        }
        if let deviceSeed, let sealingSeed, let parent, let event {
            let device = SigningKey(seed: deviceSeed.secret)
            guard device.agreementKey.publicKey == key.publicKey else { return .unstable }
            let seal = try SealedSecret(of: opened, for: DeviceID(device.verifyingKey), seed: sealingSeed.secret)
            values["sealed"] = .hex(seal.box)
            values["commitment"] = .text(
                Epoch.commitment(
                    to: opened, parent: OperationID(try parent.bytes32), event: EventID(try event.bytes32)))
            return .success(values)
        }
        if let deviceSeed, let drawn = self.ephemeral {
            let device = SigningKey(seed: deviceSeed.secret)
            guard device.agreementKey.publicKey == key.publicKey else { return .unstable }
            recipient = try AgreementPublicKey(of: device.verifyingKey)
            ephemeral = AgreementKey(scalar: drawn.secret)
        } else if let eventKeySeed, let event, let importSecret, let root {
            recipient =
                Sealing.revealKey(eventKeySeed: eventKeySeed.secret, event: EventID(try event.bytes32)).publicKey
            ephemeral = Sealing.ephemeralKey(
                importSecret: importSecret.secret, root: BlobRoot(try root.bytes32), recipient: recipient)
            values["publicKey"] = .text(recipient.bytes32)
        } else {
            throw Unreadable("neither the secrets of an event nor those of a device")
        }
        values["sealed"] = .hex(try SealedBox.seal(plaintext.span, to: recipient, ephemeral: ephemeral))
        return .success(values)
    }
}
