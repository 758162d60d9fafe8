// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableSystem
import Foundation

/// Creates files of sheets with the system's programs, and decodes each code as a camera would before it reports
/// success.
struct Printer {
    /// The resolution of a cheap printer.
    static let dotsPerInch = 150

    /// Writes `sheets` as a PDF, or one sheet as a PNG. The file appears when every code on it was decoded.
    static func print(_ sheets: [Poster.Sheet], to path: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "disposable-print-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let pages = try sheets.enumerated().map { index, sheet in
            let page = folder.appending(path: "\(index + 1).svg")
            try sheet.svg.write(to: page, atomically: false, encoding: .utf8)
            return page.path
        }
        let format = path.lowercased().hasSuffix(".png") ? "png" : "pdf"
        let result = folder.appending(path: "result.\(format)")
        var pictures: [String] = []
        if format == "png" {
            let zoom = ["--dpi-x", "300", "--dpi-y", "300"]
            try await run("rsvg-convert", zoom + ["--format", "png", "--output", result.path] + pages.prefix(1))
            pictures = [result.path]
        } else {
            try await run("rsvg-convert", ["--format", "pdf", "--output", result.path] + pages)
            let prefix = folder.appending(path: "page").path
            guard sheets.contains(where: { !$0.codes.isEmpty }) else {
                return try Data(contentsOf: result).write(to: URL(fileURLWithPath: path), options: .atomic)
            }
            try await run("pdftoppm", ["-r", "\(dotsPerInch)", "-png", result.path, prefix])
            pictures = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasPrefix("page") }.sorted().map { folder.appending(path: $0).path }
        }
        guard pictures.count == sheets.count else {
            throw Failure("\(sheets.count) pages were drawn, and \(pictures.count) were rendered")
        }
        for (picture, sheet) in zip(pictures, sheets) {
            let read = try await run(
                "zbarimg", ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", picture])
            guard read.split(separator: "\n").map(String.init).sorted() == sheet.codes.sorted() else {
                throw Failure(
                    "not every code of the sheet can be scanned, so nothing was written",
                    hint: "a shorter Wi-Fi name or password makes its code easier to scan", reason: "unreadable-code")
            }
        }
        try Data(contentsOf: result).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    private static let packages = [
        "rsvg-convert": "librsvg2-bin", "pdftoppm": "poppler-utils", "zbarimg": "zbar-tools",
    ]

    @discardableResult
    private static func run(_ program: String, _ arguments: [String]) async throws -> String {
        guard let output = await SystemProgram.output(of: [program] + arguments) else {
            throw Failure(
                "\(program) is missing or failed: it is needed to draw and verify prints",
                hint: "sudo apt install \(packages[program] ?? program)", reason: "missing-program",
                about: [packages[program] ?? program])
        }
        return output
    }
}
