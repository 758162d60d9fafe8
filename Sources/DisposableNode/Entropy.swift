// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableSync

/// Randomness for the engine, which generates none itself. The system's generator is `getrandom`.
enum Entropy {
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    static func secret(_ count: Int, in memory: SecretBytes.Memory = .guarded) -> SecretBytes {
        var bytes = bytes(count)
        return SecretBytes(consuming: &bytes, in: memory)
    }

    static var number: UInt64 { UInt64.random(in: .min ... .max) }

    /// The random bytes for one connection.
    static var connection: Replica.Entropy {
        Replica.Entropy(ephemeral: secret(32, in: .ordinary), salt: bytes(16))
    }
}
