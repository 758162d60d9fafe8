// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// What a node shows and expects before it talks about an event: keys derived from the event secret
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

    /// What an advertisement carries so that members, and nobody else, see which event it is for: 16 bytes over a salt
    /// that changes now and then.
    public func advertisementTag(salt: [UInt8]) -> [UInt8] { KeyDerivation.tag(of: salt, key: advertisementKey) }

    public func matches(advertisementTag tag: [UInt8], salt: [UInt8]) -> Bool {
        advertisementTag(salt: salt).isEqualInConstantTime(to: tag)
    }
}
