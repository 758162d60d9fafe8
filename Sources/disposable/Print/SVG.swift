// SPDX-License-Identifier: Apache-2.0

/// Elements of a drawing (SVG 1.1), in the unit of their page.
enum SVG {
    enum Alignment: String {
        case left = "start", centre = "middle"
    }

    static func page(width: Double, height: Double, _ content: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)mm" height="\(height)mm" viewBox="0 0 \(width) \(height)" \
        font-family="DejaVu Sans, Noto Sans, sans-serif"><rect width="\(width)" height="\(height)" fill="#fff"/>\(content)</svg>

        """
    }

    static func group(x: Double, y: Double, scale: Double = 1, rotation: Int = 0, _ content: String) -> String {
        "<g transform=\"translate(\(x) \(y)) scale(\(scale)) rotate(\(rotation))\">\(content)</g>"
    }

    static func rectangle(
        x: Double, y: Double, width: Double, height: Double, radius: Double = 0, fill: String, stroke: String = "none"
    ) -> String {
        """
        <rect x="\(x)" y="\(y)" width="\(width)" height="\(height)" rx="\(radius)" fill="\(fill)" stroke="\(stroke)" \
        stroke-width="0.4"/>
        """
    }

    /// - Parameter y: the baseline.
    static func text(
        _ text: String, x: Double, y: Double, size: Double, isBold: Bool = false, isMonospaced: Bool = false,
        fill: String = Poster.ink, align: Alignment = .left
    ) -> String {
        """
        <text x="\(x)" y="\(y)" font-size="\(size)" text-anchor="\(align.rawValue)" fill="\(fill)"\
        \(isBold ? " font-weight=\"bold\"" : "")\
        \(isMonospaced ? " font-family=\"DejaVu Sans Mono, monospace\"" : "")>\(escaped(text))</text>
        """
    }

    /// - Returns: the drawing and the height of its lines.
    static func text(
        _ text: FittedText, x: Double, y: Double, isBold: Bool = false, fill: String = Poster.ink,
        align: Alignment = .left
    ) -> (drawing: String, height: Double) {
        let lines = text.lines.enumerated().map { index, line in
            self.text(
                line, x: x, y: y + text.size * (0.95 + 1.18 * Double(index)), size: text.size, isBold: isBold,
                fill: fill,
                align: align)
        }
        return (lines.joined(), text.size * 1.18 * Double(text.lines.count))
    }

    /// Returns a photo that fills its white frame, cut at two edges where it has another shape.
    /// - Parameter jpeg: the JPEG as base64.
    static func photo(_ jpeg: String, x: Double, y: Double, width: Double, height: Double) -> String {
        rectangle(x: x, y: y, width: width, height: height, radius: 1, fill: "#fff") + """
            <image x="\(x + 2)" y="\(y + 2)" width="\(width - 4)" height="\(height - 4)" \
            preserveAspectRatio="xMidYMid slice" href="data:image/jpeg;base64,\(jpeg)"/>
            """
    }

    /// Returns a code in black on white with its quiet zone.
    /// - Parameter side: the side of the whole.
    static func code(_ code: QRCode, x: Double, y: Double, side: Double) -> String {
        let count = Double(code.size + 2 * QRCode.quietZone)
        return rectangle(x: x, y: y, width: side, height: side, radius: side / 30, fill: "#fff")
            + group(x: x, y: y, scale: side / count, "<path d=\"\(code.shape)\" fill=\"#000\"/>")
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
