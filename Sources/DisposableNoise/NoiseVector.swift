// SPDX-License-Identifier: Apache-2.0

/// A decoded test vector: one handshake and the messages after it, with all random values given.
public struct NoiseVector: Sendable {
    /// The inputs of one side. Keys are raw bytes, since a file may hold wrong ones.
    public struct Party: Sendable {
        public var prologue: [UInt8]
        /// 32 bytes, if given. A vector may have keys that its pattern does not use.
        public var staticKey: [UInt8]?
        /// 32 bytes, if given.
        public var ephemeralKey: [UInt8]?
        /// The other side's public key, 32 bytes, if known beforehand.
        public var remoteStatic: [UInt8]?
        /// 32 bytes each.
        public var presharedKeys: [[UInt8]]

        public init(
            prologue: [UInt8], staticKey: [UInt8]? = nil, ephemeralKey: [UInt8]? = nil, remoteStatic: [UInt8]? = nil,
            presharedKeys: [[UInt8]] = []
        ) {
            self.prologue = prologue
            self.staticKey = staticKey
            self.ephemeralKey = ephemeralKey
            self.remoteStatic = remoteStatic
            self.presharedKeys = presharedKeys
        }
    }

    /// The parties write in turn, the initiator first, also after the handshake; in a one-way pattern the initiator
    /// writes all messages.
    public struct Message: Sendable {
        public var payload: [UInt8]
        /// The expected output of the writer; `nil` for a write that must fail.
        public var ciphertext: [UInt8]?
        /// The input of the reader instead of `ciphertext`.
        public var delivered: [UInt8]?
        /// Whether both sides first replace the key of this direction.
        public var isAfterRekey: Bool

        public init(payload: [UInt8], ciphertext: [UInt8]?, delivered: [UInt8]? = nil, isAfterRekey: Bool = false) {
            self.payload = payload
            self.ciphertext = ciphertext
            self.delivered = delivered
            self.isAfterRekey = isAfterRekey
        }
    }

    /// The kinds of failure that vectors distinguish.
    public enum Failure: String, Sendable {
        case authentication = "authentication failure"
        case malformed = "malformed"
        case limitExceeded = "limit exceeded"
        case weakPublicKey = "weak public key"
    }

    public enum Operation: String, Sendable { case write, read }

    public enum Expectation: Equatable, Sendable {
        /// Every message arrives.
        case success
        /// The messages before `message` (from 0) arrive; that one fails when it is written or read.
        case failure(Failure, message: Int, on: Operation)
    }

    public var protocolName: String
    public var initiator: Party
    public var responder: Party
    /// 64 bytes; `nil` if the handshake does not complete, or the file does not have it.
    public var handshakeHash: [UInt8]?
    public var messages: [Message]
    public var expectation: Expectation

    public init(
        protocolName: String, initiator: Party, responder: Party, handshakeHash: [UInt8]?, messages: [Message],
        expectation: Expectation = .success
    ) {
        self.protocolName = protocolName
        self.initiator = initiator
        self.responder = responder
        self.handshakeHash = handshakeHash
        self.messages = messages
        self.expectation = expectation
    }
}
