// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableSystem
import Foundation

/// Creates files of sheets with the system's programs, and decodes each code as a camera would before it reports
/// success.
struct Printer {
    /// The resolutions at which codes are decoded, in dots an inch, first that of a cheap printer. A decoder misses one
    /// code of many at any one of them, depending on where its edges lie between pixels; a camera moves.
    private static let resolutions = [150, 200, 300]
    private static let pngResolution = 300

    /// Writes `sheets` as a PDF, or the first one as a PNG. The file appears when every code was decoded from the PDF.
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
        let isPNG = path.lowercased().hasSuffix(".png")
        let result = folder.appending(path: isPNG ? "result.png" : "result.pdf")
        let pdf = folder.appending(path: "result.pdf")
        try await run("rsvg-convert", ["--format", "pdf", "--output", pdf.path] + pages)
        if isPNG {
            let zoom = ["--dpi-x", "\(pngResolution)", "--dpi-y", "\(pngResolution)"]
            try await run("rsvg-convert", zoom + ["--format", "png", "--output", result.path] + pages.prefix(1))
        }
        var unread = sheets.enumerated().filter { !$0.element.codes.isEmpty }.map(\.offset)
        for resolution in resolutions {
            var missed: [Int] = []
            for page in unread {
                let read = try await codes(ofPage: page + 1, of: pdf, in: folder, at: resolution)
                if read != sheets[page].codes.sorted() { missed.append(page) }
            }
            unread = missed
        }
        guard unread.isEmpty else {
            throw Failure(
                "not every code of the sheet can be scanned, so nothing was written",
                hint: "a shorter Wi-Fi name or password makes its code easier to scan, and so does a larger box",
                reason: "unreadable-code")
        }
        try Data(contentsOf: result).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// Returns the contents of the page's codes, sorted, as a decoder finds them in a picture of it.
    private static func codes(
        ofPage number: Int, of pdf: URL, in folder: URL, at resolution: Int
    ) async throws -> [String] {
        let picture = folder.appending(path: "\(number)-\(resolution)").path
        let page = ["-f", "\(number)", "-l", "\(number)", "-singlefile"]
        try await run("pdftoppm", page + ["-r", "\(resolution)", "-png", pdf.path, picture])
        guard SystemProgram.exists("zbarimg") else { throw missing("zbarimg") }
        // It fails where it finds no code. It guesses the encoding of "Café" unless it prints the bytes as they are.
        let only = ["-Sdisable", "-Sqrcode.enable", "-Sqrcode.binary"]
        let read = await SystemProgram.output(of: ["zbarimg", "--quiet", "--raw"] + only + ["\(picture).png"])
        return (read ?? "").split(separator: "\n").map(String.init).sorted()
    }

    private static let packages = [
        "rsvg-convert": "librsvg2-bin", "pdftoppm": "poppler-utils", "zbarimg": "zbar-tools",
    ]

    @discardableResult
    private static func run(_ program: String, _ arguments: [String]) async throws -> String {
        guard let output = await SystemProgram.output(of: [program] + arguments) else { throw missing(program) }
        return output
    }

    private static func missing(_ program: String) -> Failure {
        let package = packages[program] ?? program
        return Failure(
            "\(program) is missing or failed: it is needed to draw and verify prints",
            hint: SystemProgram.exists(program)
                ? "a browser shows the mistakes of a template" : "sudo apt install \(package)",
            reason: "missing-program", about: [package])
    }
}
