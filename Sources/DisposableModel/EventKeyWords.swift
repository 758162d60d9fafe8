// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The event key on paper: its seed of 32 bytes as 24 words, of which eight bits are a checksum.
public enum EventKeyWords {
    public static let count = 24

    /// Returns the numbers of the words in the list, each below 2,048.
    /// - Precondition: `seed` holds 32 bytes.
    public static func indexes(of seed: SecretBytes) -> [Int] {
        var bytes = seed.withSpan { span in (0..<span.count).map { span[$0] } }
        defer { bytes.wipe() }
        return WordIndexes.cut(bytes + [checksum(bytes)], count: count)
    }

    /// Returns the seed whose words have these numbers; `nil` if the checksum does not match.
    public static func seed(_ indexes: [Int]) -> SecretBytes? {
        guard indexes.count == count, var bytes = WordIndexes.join(indexes)?.bytes else { return nil }
        guard bytes.removeLast() == checksum(bytes) else { return nil }
        return SecretBytes(consuming: &bytes)
    }

    private static func checksum(_ seed: [UInt8]) -> UInt8 {
        BLAKE2b.hash(Domain.eventKeyWords + seed).bytes[0]
    }
}
