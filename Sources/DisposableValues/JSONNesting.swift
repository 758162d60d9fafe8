// SPDX-License-Identifier: Apache-2.0

/// The nesting and the numbers of JSON that others have written: peers, guests' browsers, files.
///
/// Foundation's decoder (Swift 6.3.1) ends the process at some texts, which are refused before it reads them:
///
/// - It gives up at 512 arrays and objects in each other, and traps if the text ends at the next bracket.
/// - It takes any four bytes but quotes for the digits of `\u`, also a backslash before the quote that ends the string.
/// - It traps at the number of an integer that is exact as a `Double`, from 2^53 on, and too long for a `Decimal`.
package enum JSONNesting {
    /// The limit of arrays and objects in each other. Ours have at most ten.
    package static let depthMax = 64
    /// The limit of the bytes of a number. Ours have at most 24.
    package static let numberByteCountMax = 64

    package struct Refused: Error, Equatable {
        package init() {}
    }

    /// Returns the same bytes. Throws for deeper nesting, for longer numbers, for `\u` without four hexadecimal digits,
    /// and for a byte of 0: JSON in UTF-8 (RFC 8259 §8.1) has none, and in UTF-16 and UTF-32, which Foundation reads as
    /// well, strings would begin and end elsewhere.
    package static func checked<Bytes: Sequence<UInt8>>(_ bytes: Bytes) throws(Refused) -> Bytes {
        var (depth, numberByteCount, missingDigitCount) = (0, 0, 0)
        var (isInString, isEscaped) = (false, false)
        for byte in bytes {
            guard byte != 0 else { throw Refused() }
            if missingDigitCount > 0 {
                guard isHexDigit(byte) else { throw Refused() }
                missingDigitCount -= 1
            } else if isEscaped {
                isEscaped = false
                if byte == UInt8(ascii: "u") { missingDigitCount = 4 }
            } else if isInString {
                isEscaped = byte == UInt8(ascii: "\\")
                if byte == UInt8(ascii: "\"") { isInString = false }
            } else {
                numberByteCount = isInNumber(byte) ? numberByteCount + 1 : 0
                guard numberByteCount <= numberByteCountMax else { throw Refused() }
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "["), UInt8(ascii: "{"):
                    depth += 1
                    guard depth <= depthMax else { throw Refused() }
                // A bracket too many is for the decoder to refuse.
                case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
                default: break
                }
            }
        }
        return bytes
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default: false
        }
    }

    private static func isInNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "E"), UInt8(ascii: "e"):
            true
        default: false
        }
    }
}
