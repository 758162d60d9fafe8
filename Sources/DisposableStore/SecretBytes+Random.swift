// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableSystem

extension SecretBytes {
    /// Creates a new secret from the system's random source.
    static func random(count: Int) -> SecretBytes {
        var bytes = [UInt8].random(count: count)
        return SecretBytes(consuming: &bytes)
    }
}
