// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The random bytes with which a message to the organizers is sealed.
public struct MessageEntropy: Equatable, Sendable {
    /// 32 bytes: the key of this one text.
    public let key: SecretBytes
    /// 32 bytes, from which the ephemeral keys of the boxes are derived.
    public let seed: SecretBytes

    public init(key: SecretBytes, seed: SecretBytes) {
        self.key = key
        self.seed = seed
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.key.isEqual(to: right.key) && left.seed.isEqual(to: right.seed)
    }
}

/// A message to the organizers as it is stored and sent: its text under a key of its own, and that key sealed to each
/// recipient (protocol/disposable-v1.md §9.22).
public struct SealedMessage: Equatable, Sendable {
    public static let recipientsMax = 16
    /// The text is padded to a multiple of this number of bytes, so that its length says little.
    public static let paddingByteCount = 256
    public static let paddedByteCountMax = 2_048

    /// The text's key, sealed to 1 to 16 devices.
    public let keys: [SealedSecret]
    /// The padded text and its tag: 272 to 2,064 bytes.
    public let text: [UInt8]

    /// Returns `nil` for numbers of recipients or of bytes that no message has.
    public init?(keys: [SealedSecret], text: [UInt8]) {
        let paddedByteCount = text.count - ChaCha20Poly1305.tagByteCount
        guard (1...Self.recipientsMax).contains(keys.count), paddedByteCount.isMultiple(of: Self.paddingByteCount),
            (Self.paddingByteCount...Self.paddedByteCountMax).contains(paddedByteCount)
        else { return nil }
        self.keys = keys
        self.text = text
    }

    /// Seals a text of 1 to 2,048 bytes without zero bytes. Returns `nil` for others, and if it can be sealed to nobody.
    /// - Parameters:
    ///   - text: in UTF-8.
    ///   - recipients: 16 at most. A key to which nothing can be sealed is left out.
    ///   - author: the device that signs the message: the text opens only as its.
    ///   - event: the event of the message: the text opens only in it.
    ///   - entropy: random bytes for this one message.
    public init?(
        _ text: String, to recipients: [DeviceID], by author: DeviceID, event: EventID, entropy: MessageEntropy
    ) {
        var padded = Array(text.utf8)
        guard !padded.isEmpty, !padded.contains(0) else { return nil }
        let excess = padded.count % Self.paddingByteCount
        if excess > 0 { padded += [UInt8](repeating: 0, count: Self.paddingByteCount - excess) }
        let context = Self.context(of: author, in: event)
        var sealed: [UInt8] = []
        ChaCha20Poly1305.seal(
            padded.span, authenticating: context.span, key: entropy.key, nonce: Self.nonce, appendingTo: &sealed)
        let keys = recipients.prefix(Self.recipientsMax).compactMap { recipient in
            try? SealedSecret(of: entropy.key, for: recipient, seed: entropy.seed, context: Domain.Key.messageSealing)
        }
        self.init(keys: keys, text: sealed)
    }

    /// Returns the text for a recipient; `nil` if it is not sealed to this key, or is not what the author has sealed.
    /// - Parameters:
    ///   - key: the recipient's key.
    ///   - author: the device that signed the message.
    ///   - event: the event of the message.
    public func opened(with key: SigningKey, by author: DeviceID, event: EventID) -> String? {
        let (device, context) = (DeviceID(key.verifyingKey), Self.context(of: author, in: event))
        guard let box = keys.first(where: { $0.device == device })?.box,
            let secret = try? SealedBox.open(box, with: key.agreementKey),
            secret.count == ChaCha20Poly1305.keyByteCount,
            let padded = try? ChaCha20Poly1305.open(
                text.span, authenticating: context.span, key: secret, nonce: Self.nonce),
            let end = padded.lastIndex(where: { $0 != 0 })
        else { return nil }
        return String(validating: padded[...end], as: UTF8.self)
    }

    /// A key seals one text only, so its nonce is constant.
    private static let nonce = [UInt8](repeating: 0, count: ChaCha20Poly1305.nonceByteCount)

    /// Binds the text to its author: another device cannot pass a copy off as its own.
    private static func context(of author: DeviceID, in event: EventID) -> [UInt8] {
        Domain.message + event.bytes + author.bytes
    }
}
