// SPDX-License-Identifier: Apache-2.0
internal import CSodium

/// Argon2id (RFC 9106) with one set of parameters: 2 passes over 64 MiB in one lane, 32 bytes of output.
///
/// Slow on purpose, about a fifth of a second: call it off threads that others wait for.
public enum PasswordHash {
    /// The system lacks the memory for the hash.
    public struct OutOfMemory: Error, CustomStringConvertible {
        public var description: String { "there are no \(memoryByteCount >> 20) MiB of memory for a slow hash" }
    }

    public static let saltByteCount = 16
    static let passCount: UInt64 = 2
    static let memoryByteCount = 64 << 20

    /// - Precondition: `salt` holds 16 bytes.
    public static func argon2id(_ password: Bytes32, salt: [UInt8]) throws(OutOfMemory) -> Bytes32 {
        _ = Sodium.ready
        precondition(salt.count == saltByteCount, "an Argon2id salt has 16 bytes here, not \(salt.count)")
        var hash = [UInt8](repeating: 0, count: Bytes32.byteCount)
        let characters = password.bytes.map(CChar.init(bitPattern:))
        let result = crypto_pwhash(
            &hash, UInt64(hash.count), characters, UInt64(characters.count), salt, passCount, memoryByteCount,
            crypto_pwhash_ALG_ARGON2ID13)
        guard result == 0 else { throw OutOfMemory() }
        return Bytes32(hash)!  // 32 bytes by construction
    }
}
