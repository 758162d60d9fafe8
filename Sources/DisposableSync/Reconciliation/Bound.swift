// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// The exclusive end of a range, and so the inclusive start of the next: a timestamp and the beginning of an id, the
/// rest of which is zero (negentropy V1, "Bound").
struct Bound: Hashable, Sendable {
    /// Above every item.
    static let infinity = Bound(timestamp: infiniteTimestamp, id: .zero, prefixByteCount: 0)
    static let infiniteTimestamp = UInt64.max

    let timestamp: UInt64
    let idPrefix: Bytes32
    /// The number of bytes of `idPrefix` on the wire, 0...32. Not part of the order.
    let prefixByteCount: Int

    /// Keeps the first `prefixByteCount` bytes of `id`, 0...32.
    init(timestamp: UInt64, id: Bytes32, prefixByteCount: Int) {
        func masked(_ word: UInt64, startingAt byte: Int) -> UInt64 {
            let keptByteCount = min(max(prefixByteCount - byte, 0), 8)
            return word & (UInt64.max << (64 - 8 * keptByteCount))
        }
        let words = id.words
        self.timestamp = timestamp
        idPrefix = Bytes32(
            words: masked(words.0, startingAt: 0), masked(words.1, startingAt: 8),
            masked(words.2, startingAt: 16), masked(words.3, startingAt: 24))
        self.prefixByteCount = prefixByteCount
    }

    /// The bound that lies exactly at `item`.
    init(at item: ItemSet.Item) {
        self.init(timestamp: item.timestamp, id: item.id, prefixByteCount: Bytes32.byteCount)
    }

    /// The shortest bound above `previous` and not above `item`, its successor.
    init(between previous: ItemSet.Item, and item: ItemSet.Item) {
        guard previous.timestamp == item.timestamp else {
            self.init(timestamp: item.timestamp, id: .zero, prefixByteCount: 0)
            return
        }
        let sharedByteCount = Self.sharedPrefixByteCount(previous.id, item.id)
        self.init(timestamp: item.timestamp, id: item.id, prefixByteCount: min(sharedByteCount + 1, Bytes32.byteCount))
    }

    func isAbove(_ item: ItemSet.Item) -> Bool {
        item.timestamp != timestamp ? item.timestamp < timestamp : item.id < idPrefix
    }

    private static func sharedPrefixByteCount(_ left: Bytes32, _ right: Bytes32) -> Int {
        let (left, right) = (left.words, right.words)
        var bitCount = 0
        for difference in [left.0 ^ right.0, left.1 ^ right.1, left.2 ^ right.2, left.3 ^ right.3] {
            bitCount += difference.leadingZeroBitCount
            if difference != 0 { break }
        }
        return bitCount / 8
    }
}
