// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto

/// Incremental HMAC (RFC 2104) over BLAKE2b-512.
///
/// Noise builds its key derivation on HMAC for every hash (Noise §4.3). BLAKE2b's own keyed mode gives other values and
/// is no replacement.
package struct HMAC: ~Copyable {
    package static let byteCount = 64
    private static let blockByteCount = 128

    private var inner = BLAKE2b(byteCount: byteCount)
    private var outer = BLAKE2b(byteCount: byteCount)

    /// - Precondition: `key` holds at most 128 bytes; longer ones, which HMAC would hash first, do not occur in Noise.
    package init(key: SecretBytes) {
        precondition(key.count <= Self.blockByteCount, "an HMAC key of \(key.count) bytes exceeds the hash's block")
        inner.update(key: key, padding: 0x36)
        outer.update(key: key, padding: 0x5c)
    }

    package mutating func update(_ bytes: Span<UInt8>) { inner.update(bytes) }

    /// Returns the code of everything so far, 64 bytes.
    package consuming func finalize() -> SecretBytes {
        var innerHash = inner.finalize()
        outer.update(innerHash.span)
        innerHash.wipe()
        var code = outer.finalize()
        return SecretBytes(consuming: &code, in: .ordinary)
    }
}

extension BLAKE2b {
    /// Hashes one block: `key`, filled up with zeros, each byte exclusive-or `padding`.
    fileprivate mutating func update(key: SecretBytes, padding: UInt8) {
        var block = [UInt8](repeating: padding, count: 128)
        key.withSpan { key in
            for index in key.indices { block[index] ^= key[index] }
        }
        update(block.span)
        block.wipe()
    }
}
