// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// The keys with which a node proves knowledge of an event before it exchanges anything: derived from the event secret
/// (protocol/disposable-v1.md §4).
public struct EventCredentials: Sendable {
    public let event: EventID
    /// 32 bytes.
    public let secret: SecretBytes
    package let presharedKey: SecretBytes
    let prefaceKey: SecretBytes
    let advertisementKey: SecretBytes

    public init(event: EventID, secret: SecretBytes) {
        self.event = event
        self.secret = secret
        let input = event.bytes
        presharedKey = KeyDerivation.key(from: secret, context: Domain.Key.noise, input: input)
        prefaceKey = KeyDerivation.key(from: secret, context: Domain.Key.preface, input: input)
        advertisementKey = KeyDerivation.key(from: secret, context: Domain.Key.advertisement, input: input)
    }

    /// Returns the tag that lets members, and nobody else, recognize the event of an advertisement: 16 bytes over a
    /// salt that changes from time to time.
    public func advertisementTag(salt: [UInt8]) -> [UInt8] { KeyDerivation.tag(of: salt, key: advertisementKey) }

    public func matches(advertisementTag tag: [UInt8], salt: [UInt8]) -> Bool {
        advertisementTag(salt: salt).isEqualInConstantTime(to: tag)
    }
}
