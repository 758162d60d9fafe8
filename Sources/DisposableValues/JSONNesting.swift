// SPDX-License-Identifier: Apache-2.0

/// The nesting of JSON that others have written: peers, guests' browsers, files.
///
/// Foundation's decoder (Swift 6.3.1) gives up at 512 arrays and objects in each other, and ends the process if the text
/// ends at the next bracket. So such texts are refused before it reads them.
package enum JSONNesting {
    /// The limit of arrays and objects in each other. Ours have at most ten.
    package static let depthMax = 64

    package struct Refused: Error, Equatable {
        package init() {}
    }

    /// Returns the same bytes. Throws for deeper nesting, and for a byte of 0: JSON in UTF-8 (RFC 8259 §8.1) has none, and
    /// in UTF-16 and UTF-32, which Foundation reads as well, strings would begin and end elsewhere.
    package static func checked<Bytes: Sequence<UInt8>>(_ bytes: Bytes) throws(Refused) -> Bytes {
        var (depth, isInString, isEscaped) = (0, false, false)
        for byte in bytes {
            guard byte != 0 else { throw Refused() }
            guard !isEscaped else {
                isEscaped = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "\\"): isEscaped = isInString
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                guard !isInString else { continue }
                depth += 1
                guard depth <= depthMax else { throw Refused() }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                // A bracket too many is for the decoder to refuse.
                if !isInString { depth = max(0, depth - 1) }
            default: break
            }
        }
        return bytes
    }
}
