// SPDX-License-Identifier: Apache-2.0
internal import CSodium

/// Incremental BLAKE2b (RFC 7693).
public struct BLAKE2b: ~Copyable {
    private let state: OpaquePointer  // 64-byte aligned, as the C type demands; wiped and freed in deinit
    private let byteCount: Int

    /// - Parameters:
    ///   - byteCount: length of the hash, 16...64.
    ///   - key: makes it a MAC (BLAKE2b's keyed mode, which is not HMAC), 16...64 bytes.
    public init(byteCount: Int = 32, key: SecretBytes? = nil) {
        _ = Sodium.ready
        precondition((16...64).contains(byteCount), "a BLAKE2b hash has 16 to 64 bytes, not \(byteCount)")
        self.byteCount = byteCount
        state = OpaquePointer(
            UnsafeMutableRawPointer.allocate(byteCount: crypto_generichash_statebytes(), alignment: 64))
        if let key {
            precondition((16...64).contains(key.count), "a BLAKE2b key has 16 to 64 bytes, not \(key.count)")
            _ = key.withUnsafeBytes { crypto_generichash_init(state, $0, key.count, byteCount) }
        } else {
            crypto_generichash_init(state, nil, 0, byteCount)
        }
    }

    deinit {
        sodium_memzero(UnsafeMutableRawPointer(state), crypto_generichash_statebytes())
        UnsafeMutableRawPointer(state).deallocate()
    }

    public mutating func update(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { buffer in
            _ = crypto_generichash_update(state, buffer.baseAddress, UInt64(buffer.count))
        }
    }

    public mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

    /// Returns the hash of everything so far; the state is consumed.
    public consuming func finalize() -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: byteCount)
        crypto_generichash_final(state, &hash, byteCount)
        return hash
    }

    /// Returns the 32-byte hash of the concatenated parts, the first of which should be a domain.
    public static func hash(_ parts: [UInt8]...) -> Bytes32 {
        var hash = BLAKE2b()
        for part in parts { hash.update(part) }
        return Bytes32(hash.finalize())!  // 32 bytes by construction
    }

    /// Returns the 32-byte hash of `bytes`.
    public static func hash(_ bytes: Span<UInt8>) -> Bytes32 {
        var hash = BLAKE2b()
        hash.update(bytes)
        return Bytes32(hash.finalize())!  // 32 bytes by construction
    }
}

/// Incremental SHA-256 (FIPS 180-4), as `sha256sum` prints it, for people who compare galleries.
public struct SHA256 {
    private var state = crypto_hash_sha256_state()

    public init() {
        _ = Sodium.ready
        crypto_hash_sha256_init(&state)
    }

    public mutating func update(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { buffer in
            _ = crypto_hash_sha256_update(&state, buffer.baseAddress, UInt64(buffer.count))
        }
    }

    public consuming func finalize() -> Bytes32 {
        var hash = [UInt8](repeating: 0, count: 32)
        crypto_hash_sha256_final(&state, &hash)
        return Bytes32(hash)!  // 32 bytes by construction
    }
}

/// SHA-512 (FIPS 180-4), which browsers' signing libraries include: page guests' keys are derived with it.
public enum SHA512 {
    /// Returns the 64-byte hash of the concatenated parts.
    public static func hash(_ parts: [UInt8]...) -> [UInt8] {
        _ = Sodium.ready
        var state = crypto_hash_sha512_state()
        crypto_hash_sha512_init(&state)
        for part in parts { crypto_hash_sha512_update(&state, part, UInt64(part.count)) }
        var hash = [UInt8](repeating: 0, count: 64)
        crypto_hash_sha512_final(&state, &hash)
        return hash
    }
}
