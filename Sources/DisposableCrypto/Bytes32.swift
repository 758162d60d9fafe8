// SPDX-License-Identifier: Apache-2.0

/// Exactly 32 bytes: a hash, a public key or an identifier, stored inline without allocation.
///
/// Order is lexicographic by byte, which is the order of `memcmp` and of SQLite's BLOBs.
@frozen public struct Bytes32: Hashable, Comparable, Sendable {
    // Four words that hold the bytes big-endian, so that comparing words compares bytes.
    @usableFromInline let w0: UInt64
    @usableFromInline let w1: UInt64
    @usableFromInline let w2: UInt64
    @usableFromInline let w3: UInt64

    public static let byteCount = 32
    public static let zero = Bytes32(words: 0, 0, 0, 0)

    /// Creates the bytes from four words, each big-endian.
    @inlinable public init(words w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
        self.w0 = w0
        self.w1 = w1
        self.w2 = w2
        self.w3 = w3
    }

    /// Returns `nil` unless `bytes` holds exactly 32 bytes.
    // Inlinable, because calls from other modules were five times slower without specialization for the collection.
    @inlinable public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        if let loaded = bytes.withContiguousStorageIfAvailable({ Self(loading: UnsafeRawBufferPointer($0)) }) {
            self = loaded
            return
        }
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for (index, byte) in bytes.enumerated() {
            switch index >> 3 {
            case 0: words.0 = words.0 << 8 | UInt64(byte)
            case 1: words.1 = words.1 << 8 | UInt64(byte)
            case 2: words.2 = words.2 << 8 | UInt64(byte)
            default: words.3 = words.3 << 8 | UInt64(byte)
            }
        }
        self.init(words: words.0, words.1, words.2, words.3)
    }

    @inlinable init(loading bytes: UnsafeRawBufferPointer) {
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
        self.init(words: word(0), word(1), word(2), word(3))
    }

    /// Returns `nil` unless `hex` is 64 hexadecimal digits.
    public init?(hex: some StringProtocol) {
        guard hex.utf8.count == 2 * Self.byteCount, let bytes = [UInt8](hex: hex) else { return nil }
        self.init(bytes)
    }

    /// The 32 bytes in order.
    public var bytes: [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(Self.byteCount)
        append(to: &bytes)
        return bytes
    }

    public func append(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: (w0.bigEndian, w1.bigEndian, w2.bigEndian, w3.bigEndian)) { bytes.append(contentsOf: $0) }
    }

    /// The bytes as four big-endian words, for arithmetic without a conversion to arrays.
    @inlinable public var words: (UInt64, UInt64, UInt64, UInt64) { (w0, w1, w2, w3) }

    /// The first eight bytes as a big-endian number, for distribution over buckets.
    public var prefix64: UInt64 { w0 }

    @inlinable public static func < (left: Self, right: Self) -> Bool {
        if left.w0 != right.w0 { return left.w0 < right.w0 }
        if left.w1 != right.w1 { return left.w1 < right.w1 }
        if left.w2 != right.w2 { return left.w2 < right.w2 }
        return left.w3 < right.w3
    }
}

extension Bytes32: CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public var description: String { bytes.hex }
    /// The first eight hexadecimal digits, for logs and for people.
    public var short: String { String(description.prefix(8)) }
}
