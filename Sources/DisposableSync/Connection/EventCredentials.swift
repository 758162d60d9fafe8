// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// What a node shows and expects before it talks about an event: keys derived from the event secret
/// (protocol/disposable-v0.md §4).
public struct EventCredentials: Sendable {
    public let event: EventID
    let presharedKey: SecretBytes
    let prefaceKey: SecretBytes
    let advertisementKey: SecretBytes

    public init(event: EventID, secret: SecretBytes) {
        self.event = event
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

/// The first bytes of a connection: the listener's challenge, and the dialler's answer, which names the event to those
/// who know it and to nobody else.
public enum Preface {
    public static let challengeByteCount = 16
    public static let saltByteCount = 16
    /// Magic, version, salt, tag.
    public static let byteCount = 4 + 1 + saltByteCount + 16
    private static let magic = Array("DSPL".utf8)
    static let version: UInt8 = 0

    /// - Parameters:
    ///   - challenge: 16 bytes from the listener.
    ///   - salt: 16 random bytes of the dialler.
    static func bytes(for credentials: EventCredentials, challenge: [UInt8], salt: [UInt8]) -> [UInt8] {
        magic + [version] + salt + KeyDerivation.tag(of: challenge + salt, key: credentials.prefaceKey)
    }

    /// Whether the bytes begin a connection of this protocol at all.
    public static func isWellFormed(_ preface: [UInt8]) -> Bool {
        preface.count == byteCount && preface.starts(with: magic) && preface[4] == version
    }

    /// Whether the dialler means this event and knows its secret. A recorded preface answers another challenge.
    public static func matches(_ preface: [UInt8], challenge: [UInt8], credentials: EventCredentials) -> Bool {
        guard isWellFormed(preface) else { return false }
        let salt = Array(preface[5..<5 + saltByteCount])
        return KeyDerivation.tag(of: challenge + salt, key: credentials.prefaceKey)
            .isEqualInConstantTime(to: Array(preface.suffix(16)))
    }
}
