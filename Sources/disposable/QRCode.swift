// SPDX-License-Identifier: Apache-2.0
import CQREncode
import CZlib

/// A QR code as modules, dark ones true, black on white with the quiet zone of four modules (ISO/IEC 18004).
struct QRCode {
    /// The number of white modules on each side.
    static let quietZone = 4

    let size: Int
    private let dark: [Bool]

    /// Returns `nil` for a text that does not fit.
    init?(_ text: String) {
        guard
            let code = QRcode_encodeString(text, 0, QR_ECLEVEL_Q, QR_MODE_8, 1)
                ?? QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1)
        else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        dark = (0..<size * size).map { code.pointee.data[$0] & 1 == 1 }
    }

    func isDark(x: Int, y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && dark[y * size + x]
    }

    /// Two characters for each module, black on white in any terminal theme.
    var terminalText: String {
        var lines: [String] = []
        for y in stride(from: -Self.quietZone, to: size + Self.quietZone, by: 2) {
            var line = "\u{1B}[30;107m"
            for x in -Self.quietZone..<size + Self.quietZone {
                switch (isDark(x: x, y: y), isDark(x: x, y: y + 1)) {
                case (false, false): line += " "
                case (true, false): line += "▀"
                case (false, true): line += "▄"
                case (true, true): line += "█"
                }
            }
            lines.append(line + "\u{1B}[0m")
        }
        return lines.joined(separator: "\n")
    }

    /// The dark modules as a path of SVG, within the quiet zone; a module is one unit wide. Runs are drawn as one
    /// shape, so that no gaps show in print.
    var shape: String {
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                var end = x
                while isDark(x: end, y: y) { end += 1 }
                if end > x { path += "M\(x + Self.quietZone) \(y + Self.quietZone)h\(end - x)v1h-\(end - x)z" }
                x = end + 1
            }
        }
        return path
    }

    var svg: String {
        let side = size + 2 * Self.quietZone
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" width="\(side * 8)" height="\(side * 8)" \
            shape-rendering="crispEdges"><rect width="\(side)" height="\(side)" fill="#fff"/>\
            <path d="\(shape)" fill="#000"/></svg>

            """
    }

    /// Returns a picture of one bit a pixel (PNG, third edition).
    /// - Parameter scale: pixels for each module.
    func png(scale: Int = 12) -> [UInt8] {
        let side = (size + 2 * Self.quietZone) * scale
        var rows: [UInt8] = []
        for y in 0..<side {
            rows.append(0)  // no filter
            for start in stride(from: 0, to: side, by: 8) {
                rows.append(
                    (start..<start + 8).reduce(UInt8(0)) { byte, x in
                        let isWhite = !isDark(x: x / scale - Self.quietZone, y: y / scale - Self.quietZone)
                        return byte << 1 | (isWhite ? 1 : 0)
                    })
            }
        }
        var compressed = [UInt8](repeating: 0, count: Int(compressBound(uLong(rows.count))))
        var count = uLong(compressed.count)
        let status = compress2(&compressed, &count, rows, uLong(rows.count), 9)
        precondition(status == Z_OK, "compress2 answered \(status)")
        var header: [UInt8] = []
        for number in [side, side] { header += Self.bigEndian(UInt32(number)) }
        header += [1, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
            + Self.chunk("IDAT", Array(compressed.prefix(Int(count)))) + Self.chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bigEndian(UInt32(content.count)) + body + bigEndian(UInt32(crc32(0, body, uInt(body.count))))
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
}
