// SPDX-License-Identifier: Apache-2.0

/// Derivation of keys from keys: BLAKE2b-256, keyed with the parent, over a context that no other derivation uses.
public enum KeyDerivation {
    /// - Parameters:
    ///   - parent: 16...64 bytes.
    ///   - context: the purpose, one of the strings of the specification's table of domains.
    ///   - input: distinguishes keys of one purpose, for instance a hash.
    public static func key(from parent: SecretBytes, context: String, input: [UInt8] = []) -> SecretBytes {
        var hash = BLAKE2b(key: parent)
        hash.update(Array(context.utf8))
        hash.update([0])  // contexts hold no zero byte, so context and input cannot be confused
        hash.update(input)
        var key = hash.finalize()
        return SecretBytes(consuming: &key, in: parent.memory)
    }

    /// Returns a 16-byte message authentication code under `key`: BLAKE2b-128, keyed.
    public static func tag(of message: [UInt8], key: SecretBytes) -> [UInt8] {
        var hash = BLAKE2b(byteCount: 16, key: key)
        hash.update(message)
        return hash.finalize()
    }
}
