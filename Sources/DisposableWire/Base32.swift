// SPDX-License-Identifier: Apache-2.0

/// The encoding of RFC 4648 §6 without padding.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    package static func encode(_ bytes: [UInt8]) -> String {
        var text = ""
        var buffer: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                text.append(alphabet[Int(buffer >> UInt32(bitCount) & 31)])
            }
        }
        if bitCount > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bitCount) & 31)]) }
        return text
    }

    static func value(of digit: Character) -> UInt32? {
        guard let ascii = digit.asciiValue else { return nil }
        switch ascii {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return UInt32(ascii - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return UInt32(ascii - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): return UInt32(ascii - UInt8(ascii: "2")) + 26
        default: return nil
        }
    }

    /// Returns `nil` if a character is no digit, or left-over bits are not zero.
    static func decode(_ text: some Sequence<Character>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bitCount = 0
        for digit in text {
            guard let value = value(of: digit) else { return nil }
            buffer = buffer << 5 | value
            bitCount += 5
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bitCount)))
        }
        guard bitCount < 5, buffer & (1 << UInt32(bitCount) - 1) == 0 else { return nil }
        return bytes
    }
}
