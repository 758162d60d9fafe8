// SPDX-License-Identifier: Apache-2.0

private let digits = Array("0123456789abcdef".utf8)

extension Sequence where Element == UInt8 {
    /// Two lower-case hexadecimal digits for each byte.
    public var hex: String {
        var text = [UInt8]()
        text.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Decodes `hex`; returns `nil` if it has an odd length or a character that is no hexadecimal digit.
    public init?(hex: some StringProtocol) {
        let text = Array(hex.utf8)
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes = [UInt8]()
        bytes.reserveCapacity(text.count / 2)
        for index in stride(from: 0, to: text.count, by: 2) {
            guard let high = Self.value(ofDigit: text[index]), let low = Self.value(ofDigit: text[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self = bytes
    }

    private static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
