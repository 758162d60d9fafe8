// SPDX-License-Identifier: Apache-2.0

/// Lines of text that fit into a width. Fonts differ between machines, so widths are upper estimates for a bold
/// sans-serif font.
struct FittedText: Equatable {
    let lines: [String]
    /// In the unit of the width.
    let size: Double

    /// - Parameters:
    ///   - sizeMax: the preferred size; it is reduced, down to a third, until the words fit into `lineCountMax` lines.
    ///     The rest is cut off, with an ellipsis.
    init(_ text: String, width: Double, sizeMax: Double, lineCountMax: Int) {
        var size = sizeMax
        while size > sizeMax / 3 {
            if let lines = Self.broken(text, width: width / size, lineCountMax: lineCountMax) {
                self.lines = lines
                self.size = size
                return
            }
            size *= 0.94
        }
        self.size = size
        lines = Self.cut(text, width: width / size, lineCountMax: lineCountMax)
    }

    /// Breaks the text between words; `nil` if that needs more lines, or one word exceeds a line.
    private static func broken(_ text: String, width: Double, lineCountMax: Int) -> [String]? {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            guard self.width(of: word) <= width else { return nil }
            if let last = lines.last, self.width(of: last + " " + word) <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.count <= lineCountMax ? lines : nil
    }

    private static func cut(_ text: String, width: Double, lineCountMax: Int) -> [String] {
        var lines = [""]
        for character in text {
            if self.width(of: lines[lines.count - 1]) + self.width(of: character) > width - 1 {
                guard lines.count < lineCountMax else {
                    lines[lines.count - 1] += "…"
                    break
                }
                lines.append("")
            }
            lines[lines.count - 1].append(character)
        }
        return lines
    }

    /// Returns the width in units of the font size.
    private static func width(of text: some StringProtocol) -> Double {
        text.reduce(0) { $0 + width(of: $1) }
    }

    private static func width(of character: Character) -> Double {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar {
        case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", " ", "’", "\u{A0}": return 0.42
        case "m", "w", "M", "W", "@", "%": return 1.12
        case _ where scalar.value >= 0x1100: return 1.3
        case _ where scalar.properties.isUppercase: return 0.86
        default: return 0.74
        }
    }
}
