// SPDX-License-Identifier: Apache-2.0

/// One handshake and the messages after it, with everything random written out: what a vector file holds, decoded.
public struct NoiseVector: Sendable {
    /// What one side starts from. Keys are raw bytes, as a file may hold wrong ones.
    public struct Party: Sendable {
        public var prologue: [UInt8]
        /// 32 bytes, if the pattern has it.
        public var staticKey: [UInt8]?
        /// 32 bytes, if the pattern has it.
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
    /// writes all.
    public struct Message: Sendable {
        public var payload: [UInt8]
        /// What the writer has to produce; `nil` for a write that has to fail.
        public var ciphertext: [UInt8]?
        /// What the reader gets instead of `ciphertext`.
        public var delivered: [UInt8]?
        /// Both sides replace the key of this direction first.
        public var isAfterRekey: Bool

        public init(payload: [UInt8], ciphertext: [UInt8]?, delivered: [UInt8]? = nil, isAfterRekey: Bool = false) {
            self.payload = payload
            self.ciphertext = ciphertext
            self.delivered = delivered
            self.isAfterRekey = isAfterRekey
        }
    }

    /// The kinds of failure that vectors tell apart.
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
        /// The messages before that of `message` (from 0) arrive; it fails when it is written or read.
        case failure(Failure, message: Int, on: Operation)
    }

    public var protocolName: String
    public var initiator: Party
    public var responder: Party
    /// 64 bytes; `nil` where the handshake does not come to its end, or the file does not tell.
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
