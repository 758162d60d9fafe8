// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

extension [UInt8] {
    /// Returns bytes from the system's random source.
    static func random(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

extension SecretBytes {
    /// Creates a new secret from the system's random source.
    static func random(count: Int) -> SecretBytes {
        var bytes = [UInt8].random(count: count)
        return SecretBytes(consuming: &bytes)
    }
}
