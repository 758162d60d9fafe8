// SPDX-License-Identifier: Apache-2.0

/// Elements of a drawing (SVG 1.1), in the unit of their page.
enum SVG {
    static func group(x: Double, y: Double, scale: Double = 1, rotation: Int = 0, _ content: String) -> String {
        "<g transform=\"translate(\(x) \(y)) scale(\(scale)) rotate(\(rotation))\">\(content)</g>"
    }

    /// - Parameter y: the top of the line.
    static func line(_ text: FittedText, x: Double, y: Double, style: String = "") -> String {
        """
        <text x="\(x)" y="\(y + 0.95 * text.size)" font-size="\(text.size)" style="fill:#1f1712;\(style)">\
        \(escaped(text.lines.joined()))</text>
        """
    }

    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // XML 1.0 cannot represent most of them.
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
