// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableSync

/// All random values of a run come from one seed, including keys: a simulated secret is not secret.
extension SplitMix64 {
    package mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            let word = next()
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return Array(bytes.prefix(count))
    }

    /// Returns bytes unlike any other plaintext's, generated fast: a repeated random block.
    package mutating func plaintext(_ count: Int) -> [UInt8] {
        var bytes = bytes(64)
        bytes.reserveCapacity(2 * count + 64)
        while bytes.count < count { bytes += bytes }
        return Array(bytes.prefix(count))
    }

    package mutating func secret() -> SecretBytes {
        var bytes = bytes(32)
        return SecretBytes(consuming: &bytes, in: .ordinary)
    }

    package mutating func entropy() -> Replica.Entropy { Replica.Entropy(ephemeral: secret(), salt: bytes(16)) }

    /// Returns true once in `count` times on average.
    mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    /// Returns true with a probability of `share`, 0 to 1.
    mutating func chance(_ share: Double) -> Bool {
        share > 0 && Double(next() >> 11) < share * Double(UInt64(1) << 53)
    }
}
