// SPDX-License-Identifier: Apache-2.0

/// Shamir's secret sharing: any `threshold` shares of a secret make it, fewer say nothing about it.
///
/// Each byte is shared by itself over GF(256) with the polynomial x^8 + x^4 + x^3 + x + 1 (0x11b), as in SLIP-39. The
/// secret is the value at 0; the share with index x is the value at x. The time of an operation depends on the number
/// and the indices of the shares, and not on secret bytes.
public enum SecretSharing {
    /// The value of the polynomials at one index.
    public struct Share: Sendable {
        /// 1...255.
        public let index: UInt8
        /// As many bytes as the secret has.
        public let value: SecretBytes

        public init(index: UInt8, value: SecretBytes) {
            self.index = index
            self.value = value
        }
    }

    /// Splits a secret into shares with the indices 1...`count`.
    /// - Parameters:
    ///   - secret: any number of bytes.
    ///   - threshold: the number of shares that make the secret, 1...`count`.
    ///   - count: 1...255.
    ///   - coefficients: `threshold` - 1 times as many random bytes as the secret has, used for nothing else.
    public static func split(
        _ secret: SecretBytes, threshold: Int, count: Int, coefficients: SecretBytes
    ) -> [Share] {
        precondition((1...255).contains(count) && (1...count).contains(threshold), "\(threshold) of \(count) shares")
        precondition(
            coefficients.count == (threshold - 1) * secret.count, "\(coefficients.count) bytes of coefficients")
        return (1...UInt8(count)).map { index in
            var value: [UInt8] = secret.withSpan { secret in
                coefficients.withSpan { coefficients in
                    (0..<secret.count).map { place in
                        var sum: UInt8 = 0
                        for power in stride(from: threshold - 2, through: 0, by: -1) {
                            sum = product(sum ^ coefficients[power * secret.count + place], index)
                        }
                        return sum ^ secret[place]
                    }
                }
            }
            return Share(index: index, value: SecretBytes(consuming: &value, in: secret.memory))
        }
    }

    /// Returns the secret that these shares make, all of them taken as points of polynomials of a lower degree than
    /// their number; another value if one is wrong or one is missing. `nil` if there is none, an index is 0 or occurs
    /// twice, or their lengths differ.
    public static func combine(_ shares: [Share]) -> SecretBytes? { value(at: 0, of: shares) }

    /// Returns the share with another index, under the same conditions.
    public static func share(_ index: UInt8, of shares: [Share]) -> Share? {
        guard index > 0 else { return nil }
        return value(at: index, of: shares).map { Share(index: index, value: $0) }
    }

    /// Lagrange's interpolation; indices are public.
    private static func value(at target: UInt8, of shares: [Share]) -> SecretBytes? {
        guard let first = shares.first, shares.allSatisfy({ $0.index > 0 && $0.value.count == first.value.count }),
            Set(shares.map(\.index)).count == shares.count
        else { return nil }
        var result = [UInt8](repeating: 0, count: first.value.count)
        for share in shares {
            var (above, below) = (1 as UInt8, 1 as UInt8)
            for other in shares where other.index != share.index {
                above = product(above, other.index ^ target)
                below = product(below, other.index ^ share.index)
            }
            let weight = product(above, inverse(below))
            share.value.withSpan { value in
                for place in result.indices { result[place] ^= product(value[place], weight) }
            }
        }
        return SecretBytes(consuming: &result, in: first.value.memory)
    }

    /// The product in GF(256): no table and no branch, so that the time says nothing about the factors.
    package static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (shifted, sum) = (left, 0 as UInt8)
        for bit in 0..<8 as Range<UInt8> {
            sum ^= shifted & (0 &- ((right &>> bit) & 1))
            shifted = (shifted &<< 1) ^ (0x1b & (0 &- (shifted &>> 7)))
        }
        return sum
    }

    /// The inverse in GF(256), as the 254th power; 0 for 0.
    package static func inverse(_ element: UInt8) -> UInt8 {
        var power = element
        for _ in 0..<6 { power = product(product(power, power), element) }
        return product(power, power)
    }
}
