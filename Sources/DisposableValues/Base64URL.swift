// SPDX-License-Identifier: Apache-2.0

/// Base64 for addresses (RFC 4648 §5), without padding.
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let number = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0...group.count { text.append(alphabet[Int(number >> UInt32(18 - 6 * place)) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns `nil` unless the text is the canonical encoding of that many bytes.
    package static func bytes(_ text: some StringProtocol, count: Int) -> [UInt8]? {
        guard text.utf8.count == (count * 8 + 5) / 6 else { return nil }
        var bytes: [UInt8] = []
        var (number, bitCount) = (UInt32(0), 0)
        for character in text.utf8 {
            guard let digit = alphabet.firstIndex(of: character) else { return nil }
            number = number << 6 | UInt32(digit)
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(bitCount)))
            number &= 1 << UInt32(bitCount) - 1
        }
        return number == 0 ? bytes : nil
    }
}
