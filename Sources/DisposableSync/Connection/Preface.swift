// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
package import DisposableWire

/// The first bytes of a connection: the listener's challenge, and the dialler's answer, which identifies the event only
/// to nodes that know it.
///
/// Magic, version, salt, tag. This layout is that of every version, so that nodes of two versions can recognize each
/// other.
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

    /// Whether the bytes begin a connection of this protocol, in any version.
    public static func isWellFormed(_ preface: [UInt8]) -> Bool {
        preface.count == byteCount && preface.starts(with: magic)
    }

    /// Whether the dialler names this event and knows its secret. A recorded preface answers another challenge.
    public static func matches(_ preface: [UInt8], challenge: [UInt8], credentials: EventCredentials) -> Bool {
        guard isWellFormed(preface) else { return false }
        return KeyDerivation.tag(of: challenge + salt(of: preface), key: credentials.prefaceKey)
            .isEqualInConstantTime(to: Array(preface.suffix(16)))
    }

    /// Returns the version of the dialler. Only for a preface that matches.
    static func version(of preface: [UInt8]) -> UInt8 { preface[4] }

    /// Whether the dialler speaks this version. Only for a preface that matches.
    package static func isOfThisVersion(_ preface: [UInt8]) -> Bool { self.version(of: preface) == version }

    package static func salt(of preface: [UInt8]) -> [UInt8] { Array(preface[5..<5 + saltByteCount]) }
}

/// A listener's answer to a matching preface instead of the handshake: it refuses the connection, at the cost of one
/// keyed hash. It is one frame, of another length than the handshake's.
package struct ConnectionRefusal: Equatable {
    /// Code, milliseconds, tag.
    static let byteCount = 1 + 4 + 16

    package let code: ProtocolCode
    /// 0: do not retry without a new reason. With `unsupportedVersion` not a time, but the version that the listener
    /// speaks.
    package let retryAfterMilliseconds: UInt32

    /// The answer to a dialler of another version: the version of this node.
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

    /// Returns `nil` unless the bytes, without their length, are a refusal by a node that knows the event secret.
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
