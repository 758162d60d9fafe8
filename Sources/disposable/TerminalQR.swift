// SPDX-License-Identifier: Apache-2.0
import CQREncode

/// A QR code as modules, dark ones true.
struct QRCode {
    let size: Int
    private let dark: [Bool]

    /// `nil` for a text that does not fit.
    init?(_ text: String) {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        dark = (0..<size * size).map { code.pointee.data[$0] & 1 == 1 }
    }

    func isDark(x: Int, y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && dark[y * size + x]
    }

    /// Two modules a character, black on white whatever the terminal's colours, with the quiet zone of four modules.
    var terminalText: String {
        var lines: [String] = []
        for y in stride(from: -4, to: size + 4, by: 2) {
            var line = "\u{1B}[30;107m"
            for x in -4..<size + 4 {
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
}
