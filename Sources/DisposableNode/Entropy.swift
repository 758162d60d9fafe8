// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableSync
internal import DisposableSystem

/// Randomness for the engine, which generates none itself.
enum Entropy {
    static func bytes(_ count: Int) -> [UInt8] { .random(count: count) }

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
