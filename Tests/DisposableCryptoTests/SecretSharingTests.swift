// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import Testing

@Suite("Secret sharing")
struct SecretSharingTests {
    @Test("The field is that of the polynomial 0x11b")
    func field() {
        // FIPS 197, 4.2: {57} x {83} = {c1}, {57} x {13} = {fe}.
        #expect(SecretSharing.product(0x57, 0x83) == 0xc1)
        #expect(SecretSharing.product(0x57, 0x13) == 0xfe)
        #expect(SecretSharing.inverse(0) == 0)
        for element in 1...255 as ClosedRange<UInt8> {
            #expect(SecretSharing.product(element, SecretSharing.inverse(element)) == 1)
            #expect(SecretSharing.product(element, 1) == element)
            #expect(SecretSharing.product(element, 0) == 0)
        }
    }

    @Test("Products are those of long multiplication", arguments: [0x00, 0x01, 0x02, 0x53, 0x80, 0xca, 0xff] as [UInt8])
    func products(left: UInt8) {
        for right in 0...255 as ClosedRange<UInt8> {
            #expect(SecretSharing.product(left, right) == longProduct(left, right))
        }
    }

    @Test("Any threshold of shares makes the secret", arguments: [(1, 1), (1, 3), (2, 2), (2, 3), (3, 5), (8, 8)])
    func combinations(threshold: Int, count: Int) {
        let secret = bytes(1, count: 32)
        let shares = SecretSharing.split(
            secret, threshold: threshold, count: count, coefficients: bytes(90, count: (threshold - 1) * 32))
        #expect(shares.map(\.index) == (1...UInt8(count)).map(\.self))
        for mask in 1..<(1 << count) {
            let chosen = shares.enumerated().filter { mask & (1 << $0.offset) != 0 }.map(\.element)
            let combined = SecretSharing.combine(chosen)
            #expect(combined?.isEqual(to: secret) == (chosen.count >= threshold))
        }
    }

    @Test("Fewer shares fit every secret")
    func tooFew() throws {
        let shares = SecretSharing.split(
            bytes(1, count: 1), threshold: 2, count: 2, coefficients: bytes(90, count: 1))
        // Any other secret has a second share with which this one makes it.
        var secrets: Set<UInt8> = []
        for other in 0...255 as ClosedRange<UInt8> {
            var value = [other]
            let forged = SecretSharing.Share(index: 2, value: SecretBytes(consuming: &value, in: .ordinary))
            let secret = try #require(SecretSharing.combine([shares[0], forged]))
            secrets.insert(secret.withSpan { $0[0] })
        }
        #expect(secrets.count == 256)
    }

    @Test("A missing share follows from the others")
    func anotherShare() throws {
        let shares = SecretSharing.split(
            bytes(1, count: 32), threshold: 3, count: 5, coefficients: bytes(90, count: 64))
        let fifth = try #require(SecretSharing.share(5, of: Array(shares[..<3])))
        #expect(fifth.value.isEqual(to: shares[4].value))
        #expect(SecretSharing.share(0, of: shares) == nil)
    }

    @Test("Impossible sets of shares make nothing")
    func impossible() {
        let shares = SecretSharing.split(
            bytes(1, count: 32), threshold: 2, count: 3, coefficients: bytes(90, count: 32))
        #expect(SecretSharing.combine([]) == nil)
        #expect(SecretSharing.combine([shares[0], shares[0]]) == nil)
        #expect(SecretSharing.combine([shares[0], .init(index: 0, value: shares[1].value)]) == nil)
        #expect(SecretSharing.combine([shares[0], .init(index: 2, value: bytes(3, count: 31))]) == nil)
    }

    private func bytes(_ first: UInt8, count: Int) -> SecretBytes {
        var bytes = (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0 * 7) }
        return SecretBytes(consuming: &bytes, in: .ordinary)
    }

    /// The product as of polynomials, divided by 0x11b.
    private func longProduct(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product: UInt16 = 0
        for bit in 0..<8 where right >> UInt8(bit) & 1 == 1 { product ^= UInt16(left) << UInt16(bit) }
        for bit in stride(from: 14, through: 8, by: -1) where product >> UInt16(bit) & 1 == 1 {
            product ^= 0x11b << UInt16(bit - 8)
        }
        return UInt8(product)
    }
}
