// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableSync
internal import DisposableWire

/// An event's keys, secret and first operations.
package struct FoundedEvent {
    package let eventKey: SigningKey
    package let deviceKey: SigningKey
    package let secret: SecretBytes
    package let operations: [VerifiedOperation]
    package var id: EventID { EventID(key: eventKey.verifyingKey) }

    /// The reveal key of an event that shows its photos later.
    package var revealKey: AgreementKey { Sealing.revealKey(eventKeySeed: eventKey.seed, event: id) }

    /// All shares of the reveal key's secret half, from index 1, where organizers reveal the photos together.
    package private(set) var shares: [RevealShare] = []

    /// - Parameters:
    ///   - frames: frames in each guest's quota, 0 for no limit.
    ///   - reveal: when photos are shown.
    ///   - rule: how many organizers reveal the photos together; `nil` if each can.
    package init(
        frames: UInt32 = 27, reveal: RevealRule = .now, needsTickets: Bool = false, shares rule: ShareRule? = nil,
        random: inout SplitMix64
    ) {
        eventKey = SigningKey(seed: random.secret())
        deviceKey = SigningKey(seed: random.secret())
        secret = random.secret()
        var charter = Charter(name: "Anna & Ben", startsAtMilliseconds: Swarm.epochMilliseconds, frames: frames)
        charter.reveal = reveal
        charter.options.needsTickets = needsTickets
        if reveal != .now {
            let event = EventID(key: eventKey.verifyingKey)
            charter.revealKey = Sealing.revealKey(eventKeySeed: eventKey.seed, event: event).publicKey.bytes32
            if let rule {
                (charter.seal, shares) = CharterSeal.shared(rule, event: event, random: &random)
            }
        }
        do throws(Refusal) {
            operations = try Founding.operations(
                charter: charter, eventKey: eventKey, deviceKey: deviceKey, charterSalt: random.bytes(16),
                joinSalt: random.bytes(16), wallClockMilliseconds: Swarm.epochMilliseconds)
        } catch {
            preconditionFailure("founding failed: \(error)")
        }
    }
}

extension CharterSeal {
    /// Returns the same from a number.
    package static func shared(_ rule: ShareRule, event: EventID, seed: UInt64) -> (CharterSeal, [RevealShare]) {
        var random = SplitMix64(seed: seed)
        return shared(rule, event: event, random: &random)
    }

    /// Returns a new reveal key with the shares of its secret half.
    package static func shared(
        _ rule: ShareRule, event: EventID, random: inout SplitMix64
    ) -> (CharterSeal, [RevealShare]) {
        let secret = random.secret()
        var coefficients = random.bytes((rule.threshold - 1) * AgreementKey.byteCount)
        let shares = SecretSharing.split(
            secret, threshold: rule.threshold, count: rule.count,
            coefficients: SecretBytes(consuming: &coefficients, in: .ordinary)
        ).map { share in
            RevealShare(
                index: share.index, value: share.value.withSpan { span in Bytes32((0..<span.count).map { span[$0] })! })
        }
        let terms = ShareTerms(
            threshold: rule.threshold,
            commitments: shares.map { ShareTerms.commitment(event: event, index: $0.index, share: $0.value) })
        return (CharterSeal(key: AgreementKey(scalar: secret).publicKey, shares: terms), shares)
    }
}

/// A blob as made by its author's node.
package struct SealedBlob: Sendable {
    package enum Content: Sendable {
        case chunks([[UInt8]])
        /// Generated again for each read: thousands of originals need no memory.
        case synthetic(seed: UInt64)
    }

    package let reference: BlobReference
    package let hashes: [Bytes32]
    package let content: Content

    /// Seals `plaintext` as a node does.
    package init(_ plaintext: [UInt8], _ blobClass: BlobClass, importSecret: SecretBytes) {
        let key = BlobSealing.key(
            importSecret: importSecret, blobClass: blobClass, plaintextHash: BLAKE2b.hash(plaintext.span))
        let layout = ChunkLayout(plaintextByteCount: UInt64(plaintext.count))
        let chunks = (0..<layout.chunkCount).map { index in
            let range = layout.plaintextRange(ofChunk: index)
            let part = Array(plaintext[Int(range.lowerBound)..<Int(range.upperBound)])
            var chunk: [UInt8] = []
            BlobSealing.sealChunk(
                part.span, index: index, isLast: index == layout.chunkCount - 1, key: key, appendingTo: &chunk)
            return chunk
        }
        self.init(
            byteCount: plaintext.count, blobClass, key: key, hashes: chunks.map { BlobSealing.hash(ofChunk: $0.span) },
            content: .chunks(chunks))
    }

    /// A blob whose ciphertext is a function of `seed`: there is no plaintext, and no engine needs one.
    package init(synthetic seed: UInt64, byteCount: Int, _ blobClass: BlobClass, key: SecretBytes) {
        let layout = ChunkLayout(plaintextByteCount: UInt64(byteCount))
        self.init(
            byteCount: byteCount, blobClass, key: key,
            hashes: (0..<layout.chunkCount).map {
                BlobSealing.hash(ofChunk: Self.synthesize(seed, $0, layout).span)
            },
            content: .synthetic(seed: seed))
    }

    private init(byteCount: Int, _ blobClass: BlobClass, key: SecretBytes, hashes: [Bytes32], content: Content) {
        self.hashes = hashes
        self.content = content
        reference = BlobReference(
            root: BlobSealing.root(byteCount: UInt64(byteCount), chunkHashes: hashes), byteCount: UInt64(byteCount),
            chunkLog2: ChunkLayout.chunkLog2, key: key, blobClass: blobClass)!  // sizes are the simulation's own
    }

    package var chunks: [[UInt8]] { hashes.indices.map(chunk) }

    package func chunk(_ index: Int) -> [UInt8] {
        switch content {
        case .chunks(let chunks): chunks[index]
        case .synthetic(let seed): Self.synthesize(seed, index, reference.layout)
        }
    }

    private static func synthesize(_ seed: UInt64, _ index: Int, _ layout: ChunkLayout) -> [UInt8] {
        var random = SplitMix64(seed: seed &+ UInt64(index) &* 0x9E37_79B9)
        return random.plaintext(layout.ciphertextRange(ofChunk: index).count)
    }
}
