// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("QR codes")
    struct CodeTests {
        @Test("The codes for guests, wall and nodes scan as their text, in the terminal, as SVG and as PNG")
        func codes() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                for kind in [[], ["--wall"], ["--node"]] {
                    let text = try await stage.text("Anna", on: 1, ["invite"] + kind)
                    #expect(text.hasPrefix(kind == ["--node"] ? "DISPOSABLE1:" : "http://10.77.0.1:8027/"))
                    for (format, picture) in try await pictures(of: kind, on: stage) {
                        // QR codes only: their modules may be mistaken for another kind of code.
                        let reader = ["/usr/bin/zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable"]
                        let read = try await Command.succeed(reader + [picture]).output
                        #expect(read == [text], "\(format) \(kind)")
                    }
                }
            }
        }

        /// Renders each form of a code as an image.
        private func pictures(of kind: [String], on stage: Stage) async throws -> [(format: String, path: String)] {
            let command = ["invite"] + kind + ["--data", stage.path("Anna"), "--qr"]
            func write(_ format: String) async throws -> String {
                let words = "exec \"$0\" \"$@\" > '\(stage.path("code.\(format)"))'"
                try await Command.succeed(
                    stage.lan.on(1, ["/bin/sh", "-c", words, try Product.disposable] + command + [format]))
                return stage.path("code.\(format)")
            }
            let drawing = stage.path("svg.png")
            try await Command.succeed(["/usr/bin/rsvg-convert", "-o", drawing, try await write("svg")])
            let shown = try String(contentsOfFile: try await write("terminal"), encoding: .utf8)
            let screen = stage.path("terminal.pgm")
            try Data(Self.screen(showing: shown)).write(to: URL(fileURLWithPath: screen))
            return [("svg", drawing), ("png", try await write("png")), ("terminal", screen)]
        }

        /// Renders a code in the terminal: a character is one module wide and two high, black on white.
        private static func screen(showing text: String) throws -> [UInt8] {
            let (begin, end) = ("\u{1B}[30;107m", "\u{1B}[0m")
            let rows = try text.split(separator: "\n").map { line in
                try #require(
                    line.hasPrefix(begin) && line.hasSuffix(end), "black on white, in any terminal")
                return Array(line.dropFirst(begin.count).dropLast(end.count))
            }
            let (scale, width) = (8, try #require(rows.first?.count))
            var pixels: [UInt8] = []
            for row in rows {
                try #require(row.count == width)
                for isLower in [false, true] {
                    let modules = try row.map { character -> UInt8 in
                        let inked = try #require([" ": "", "▀": "u", "▄": "l", "█": "ul"][character])
                        return inked.contains(isLower ? "l" : "u") ? 0 : 255
                    }
                    let line = modules.flatMap { [UInt8](repeating: $0, count: scale) }
                    for _ in 0..<scale { pixels += line }
                }
            }
            return Array("P5 \(width * scale) \(rows.count * 2 * scale) 255\n".utf8) + pixels
        }
    }
}
