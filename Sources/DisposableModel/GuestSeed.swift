// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The identity of a page guest, and all that the guest keeps: 16 bytes, from which its key in each event and the
/// twelve return words are derived (protocol/guest-api.md §3).
public struct GuestSeed: Sendable {
    public static let byteCount = 16
    public static let wordCount = 12
    /// The number of words in the list: 11 bits a word.
    public static let wordListCount = 2_048

    private let bytes: SecretBytes

    /// Returns `nil` unless there are 16 bytes.
    public init?(_ bytes: SecretBytes) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    public func signingKey(in event: EventID) -> SigningKey {
        var seed = plain
        defer { seed.wipe() }
        var hash = SHA512.hash(Domain.guestKey, event.bytes, seed)
        defer { hash.wipe() }
        return SigningKey(seed: SecretBytes(copying: hash.span.extracting(first: SigningKey.seedByteCount)))
    }

    /// The numbers of the twelve return words in the list, each below 2,048.
    public var wordIndexes: [Int] {
        let seed = plain
        return WordIndexes.cut(seed + [SHA512.hash(seed)[0]], count: Self.wordCount)
    }

    /// Recovers the seed from the numbers of its return words; `nil` if the checksum does not match.
    public init?(wordIndexes: [Int]) {
        // The four bits that are left are the first of the hash.
        guard wordIndexes.count == Self.wordCount, let joined = WordIndexes.join(wordIndexes),
            joined.bits == Int(SHA512.hash(joined.bytes)[0] >> 4)
        else { return nil }
        var bytes = joined.bytes
        self.bytes = SecretBytes(consuming: &bytes)
    }

    private var plain: [UInt8] { bytes.withSpan { span in (0..<span.count).map { span[$0] } } }
}

/// Numbers of words in a list of 2,048.
public enum WordIndexes {
    /// Returns the first `count` times 11 bits of `bytes`, big-endian.
    /// - Precondition: `bytes` holds that many.
    public static func cut(_ bytes: [UInt8], count: Int) -> [Int] {
        precondition(bytes.count * 8 >= count * 11, "\(count) words take more than \(bytes.count) bytes")
        return (0..<count).map { word in
            var number = 0
            for bit in word * 11..<(word + 1) * 11 {
                number = number << 1 | Int(bytes[bit / 8] >> UInt8(7 - bit % 8) & 1)
            }
            return number
        }
    }

    /// Joins numbers of 11 bits, big-endian, into whole bytes and the bits that are left; `nil` if one is out of range.
    static func join(_ indexes: [Int]) -> (bytes: [UInt8], bits: Int)? {
        var bytes: [UInt8] = []
        var bits = 0
        var bitCount = 0
        for index in indexes {
            guard (0..<GuestSeed.wordListCount).contains(index) else { return nil }
            bits = bits << 11 | index
            bitCount += 11
            while bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
            bits &= (1 << bitCount) - 1
        }
        return (bytes, bits)
    }
}
