// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableSystem
import Foundation

/// A page of a PDF as an image, for a cover or a plan: drawn by the system's poppler.
enum PlanPage {
    /// The long side of the image in pixels.
    private static let side = 4_000

    /// Passes the path of an image to `body`: an image of the page if the file is a PDF, otherwise the file itself.
    /// Removes the page's image afterwards. Throws `Failure` for a page that cannot be drawn.
    /// - Parameter page: from 1; `nil` for the first one, and for a file that may be an image.
    static func withImage<Result>(
        of path: String, page: Int? = nil, _ body: (_ image: String) async throws -> Result
    ) async throws -> Result {
        guard isPDF(path) else {
            guard page == nil else { throw Failure("\(path) is no PDF, so it has no pages", exitCode: 2) }
            return try await body(path)
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "disposable-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let image = folder.appending(path: "page.png").path
        let number = "\(page ?? 1)"
        let drawn = await SystemProgram.output(
            of: [
                "pdftoppm", "-png", "-singlefile", "-f", number, "-l", number, "-scale-to", "\(side)", path,
                folder.appending(path: "page").path,
            ])
        guard drawn != nil, FileManager.default.fileExists(atPath: image) else {
            throw Failure(
                "page \(number) of \(path) cannot be drawn",
                hint: SystemProgram.exists("pdftoppm")
                    ? "save the page as an image, and add that" : "sudo apt install poppler-utils",
                reason: "no-page")
        }
        return try await body(image)
    }

    private static func isPDF(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 5)) == Data("%PDF-".utf8)
    }
}
