// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// The sum of ids modulo 2^256, each id read as a little-endian number (negentropy V1, "Fingerprint Algorithm").
struct Accumulator: Hashable, Sendable {
    static let zero = Accumulator()

    // Four limbs, the least significant first.
    private var a: UInt64 = 0
    private var b: UInt64 = 0
    private var c: UInt64 = 0
    private var d: UInt64 = 0

    private init() {}

    private init(_ id: Bytes32) {
        let words = id.words
        a = words.0.byteSwapped
        b = words.1.byteSwapped
        c = words.2.byteSwapped
        d = words.3.byteSwapped
    }

    mutating func add(_ id: Bytes32) { add(Accumulator(id)) }

    mutating func subtract(_ id: Bytes32) { subtract(Accumulator(id)) }

    mutating func add(_ other: Self) {
        var carry: UInt64 = 0
        a = Self.sum(a, other.a, &carry)
        b = Self.sum(b, other.b, &carry)
        c = Self.sum(c, other.c, &carry)
        d = Self.sum(d, other.d, &carry)
    }

    mutating func subtract(_ other: Self) {
        var borrow: UInt64 = 0
        a = Self.difference(a, other.a, &borrow)
        b = Self.difference(b, other.b, &borrow)
        c = Self.difference(c, other.c, &borrow)
        d = Self.difference(d, other.d, &borrow)
    }

    private static func sum(_ left: UInt64, _ right: UInt64, _ carry: inout UInt64) -> UInt64 {
        let (partial, first) = left.addingReportingOverflow(right)
        let (whole, second) = partial.addingReportingOverflow(carry)
        carry = first || second ? 1 : 0
        return whole
    }

    private static func difference(_ left: UInt64, _ right: UInt64, _ borrow: inout UInt64) -> UInt64 {
        let (partial, first) = left.subtractingReportingOverflow(right)
        let (whole, second) = partial.subtractingReportingOverflow(borrow)
        borrow = first || second ? 1 : 0
        return whole
    }

    /// Returns the first 16 bytes of SHA-256(sum as 32 little-endian bytes || varint(itemCount)).
    func fingerprint(itemCount: Int) -> Fingerprint {
        var bytes: [UInt8] = []
        Bytes32(words: a.byteSwapped, b.byteSwapped, c.byteSwapped, d.byteSwapped).append(to: &bytes)
        bytes.append(varint: UInt64(itemCount))
        var hash = SHA256()
        hash.update(bytes.span)
        return Fingerprint(hash.finalize())
    }
}
