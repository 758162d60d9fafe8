// SPDX-License-Identifier: Apache-2.0

/// The side of a handshake.
public enum HandshakeRole: Sendable {
    /// Writes the first message.
    case initiator
    /// Reads the first message.
    case responder
}

/// A handshake pattern as data (Noise §7): which static keys are known beforehand, and the tokens of each message.
/// `HandshakeState` interprets it.
public struct HandshakePattern: Equatable, Sendable {
    /// A step of a message (Noise §5.3 and §9.2).
    enum Token: Equatable, Sendable { case e, s, ee, es, se, ss, psk }

    /// The full name, for instance `Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b`; both parties hash it first.
    public let protocolName: String
    /// The roles whose static public key the other side knows beforehand, initiator first. No pattern here has
    /// ephemeral pre-messages, which only `fallback` uses.
    let preMessages: [HandshakeRole]
    /// The tokens of each message. The initiator writes those of even index.
    let messages: [[Token]]

    /// Parses `protocolName` (Noise §8): a fundamental, deferred or one-way pattern, its `psk` modifiers joined by `+`,
    /// then the one suite `25519_ChaChaPoly_BLAKE2b`.
    ///
    /// Throws `NoiseError.unsupportedProtocol` for any other name.
    public init(protocolName: String) throws(NoiseError) {
        let parts = protocolName.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "Noise", parts[2...] == ["25519", "ChaChaPoly", "BLAKE2b"] else {
            throw .unsupportedProtocol(name: protocolName)
        }
        let base = parts[1].prefix { $0.isUppercase || $0.isNumber }
        let modifiers = parts[1].dropFirst(base.count)
        guard let (preMessages, plainMessages) = Self.named(base),
            let messages = Self.adding(modifiers: modifiers, to: plainMessages)
        else { throw .unsupportedProtocol(name: protocolName) }
        self.protocolName = protocolName
        self.preMessages = preMessages
        self.messages = messages
    }

    /// Whether data flows only from initiator to responder, after one message (Noise §7.4).
    public var isOneWay: Bool { messages.count == 1 }

    /// The number of preshared keys of each party: one for each `psk` token, in their order.
    public var presharedKeyCount: Int { messages.joined().count { $0 == .psk } }

    /// Whether the party of `role` must have `key`.
    func needs(_ key: HandshakeKey, as role: HandshakeRole) -> Bool {
        switch key {
        case .localStatic: preMessages.contains(role) || sends(.s, as: role)
        case .ephemeral: sends(.e, as: role)
        case .remoteStatic: preMessages.contains { $0 != role }
        }
    }

    private func sends(_ token: Token, as role: HandshakeRole) -> Bool {
        messages.indices.contains { Self.writer(ofMessage: $0) == role && messages[$0].contains(token) }
    }

    static func writer(ofMessage index: Int) -> HandshakeRole { index.isMultiple(of: 2) ? .initiator : .responder }

    /// Returns `messages` with a `psk` token before the first for `psk0`, and at the end of the n-th for `pskN` (Noise
    /// §9.4). `nil` unless `modifiers` is empty or psk numbers in rising order, joined by `+`.
    private static func adding(modifiers: Substring, to messages: [[Token]]) -> [[Token]]? {
        var messages = messages
        var previous = -1
        if modifiers.isEmpty { return messages }
        for modifier in modifiers.split(separator: "+", omittingEmptySubsequences: false) {
            let digits = modifier.dropFirst(3)
            guard modifier.hasPrefix("psk"), let number = Int(digits), String(number) == digits,
                number > previous, number <= messages.count
            else { return nil }
            if number == 0 { messages[0].insert(.psk, at: 0) } else { messages[number - 1].append(.psk) }
            previous = number
        }
        return messages
    }
}
