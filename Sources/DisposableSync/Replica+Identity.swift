// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableModel

extension Replica {
    /// The random bytes for one connection.
    public struct Entropy: Sendable {
        public let ephemeral: SecretBytes
        public let salt: [UInt8]
        /// - Parameters:
        ///   - ephemeral: 32 random bytes.
        ///   - salt: 16 random bytes.
        public init(ephemeral: SecretBytes, salt: [UInt8]) {
            self.ephemeral = ephemeral
            self.salt = salt
        }
    }

    /// The keys and random bytes of this replica.
    public struct Identity: Sendable {
        public let eventKey: VerifyingKey
        public let credentials: EventCredentials
        public let deviceKey: SigningKey
        let device: DeviceID
        /// The Noise static key of this process.
        public let staticKey: AgreementKey
        /// 16 random bytes of this process.
        public let instance: [UInt8]
        /// 16 random bytes for the body of this device's join.
        public let joinSalt: [UInt8]
        /// The seed of every choice of the engine that may be predictable.
        public let seed: UInt64

        public init(
            eventKey: VerifyingKey, secret: SecretBytes, deviceKey: SigningKey, staticKey: AgreementKey,
            instance: [UInt8], joinSalt: [UInt8], seed: UInt64
        ) {
            self.eventKey = eventKey
            credentials = EventCredentials(event: EventID(key: eventKey), secret: secret)
            self.deviceKey = deviceKey
            device = DeviceID(deviceKey.verifyingKey)
            self.staticKey = staticKey
            self.instance = instance
            self.joinSalt = joinSalt
            self.seed = seed
        }
    }
}
