// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
package import DisposableWire

/// The first bytes of a connection: the listener's challenge, and the dialler's answer, which names the event to those
/// who know it and to nobody else.
///
/// Magic, version, salt, tag. This layout is that of every version, so that nodes of two versions can tell each other.
public enum Preface {
    public static let challengeByteCount = 16
    public static let saltByteCount = 16
    public static let byteCount = 4 + 1 + saltByteCount + 16
    private static let magic = Array("DSPL".utf8)
    static let version: UInt8 = 1
    package static let noiseProtocolName = "Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b"

    /// - Parameters:
    ///   - challenge: 16 bytes from the listener.
    ///   - salt: 16 random bytes of the dialler.
    package static func bytes(for credentials: EventCredentials, challenge: [UInt8], salt: [UInt8]) -> [UInt8] {
        magic + [version] + salt + KeyDerivation.tag(of: challenge + salt, key: credentials.prefaceKey)
    }

    /// Whether the bytes begin a connection of this protocol at all, in whatever version.
    public static func isWellFormed(_ preface: [UInt8]) -> Bool {
        preface.count == byteCount && preface.starts(with: magic)
    }

    /// Whether the dialler means this event and knows its secret. A recorded preface answers another challenge.
    public static func matches(_ preface: [UInt8], challenge: [UInt8], credentials: EventCredentials) -> Bool {
        guard isWellFormed(preface) else { return false }
        return KeyDerivation.tag(of: challenge + salt(of: preface), key: credentials.prefaceKey)
            .isEqualInConstantTime(to: Array(preface.suffix(16)))
    }

    /// Which version the dialler speaks. Asked of a preface that matches.
    static func version(of preface: [UInt8]) -> UInt8 { preface[4] }

    /// Whether the dialler speaks this version. Asked of a preface that matches.
    package static func isOfThisVersion(_ preface: [UInt8]) -> Bool { self.version(of: preface) == version }

    package static func salt(of preface: [UInt8]) -> [UInt8] { Array(preface[5..<5 + saltByteCount]) }
}

/// What a listener answers a matching preface with instead of the handshake: that it will not have the connection, at
/// the cost of one keyed hash. It is one frame, of another length than the handshake's.
package struct ConnectionRefusal: Equatable {
    /// Code, milliseconds, tag.
    static let byteCount = 1 + 4 + 16

    package let code: ProtocolCode
    /// 0 for do not retry on your own account. With `unsupportedVersion` it is no time, but the version that is spoken.
    package let retryAfterMilliseconds: UInt32

    /// What a dialler of another version is told: which one this is.
    package static var otherVersion: ConnectionRefusal {
        ConnectionRefusal(code: .unsupportedVersion, retryAfterMilliseconds: UInt32(Preface.version))
    }

    /// The frame, length first.
    /// - Parameter salt: the dialler's, from its preface.
    package func frame(for credentials: EventCredentials, challenge: [UInt8], salt: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = []
        frame.appendBigEndian(UInt16(Self.byteCount))
        return frame + body + tag(credentials, challenge + salt)
    }

    package init(code: ProtocolCode, retryAfterMilliseconds: UInt32) {
        self.code = code
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    /// `nil` unless the bytes, without their length, are a refusal by somebody who knows the event secret.
    package init?(_ bytes: ArraySlice<UInt8>, credentials: EventCredentials, challenge: [UInt8], salt: [UInt8]) {
        guard bytes.count == Self.byteCount, let first = bytes.first else { return nil }
        code = ProtocolCode(rawValue: UInt32(first)) ?? .shuttingDown
        retryAfterMilliseconds = bytes.dropFirst().prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        let signed = Array(bytes.prefix(5))
        let tag = KeyDerivation.tag(of: challenge + salt + signed, key: credentials.prefaceKey)
        guard tag.isEqualInConstantTime(to: Array(bytes.suffix(16))) else { return nil }
    }

    private var body: [UInt8] {
        var body = [UInt8(truncatingIfNeeded: code.rawValue)]
        body.appendBigEndian(retryAfterMilliseconds)
        return body
    }

    private func tag(_ credentials: EventCredentials, _ opening: [UInt8]) -> [UInt8] {
        KeyDerivation.tag(of: opening + body, key: credentials.prefaceKey)
    }
}
