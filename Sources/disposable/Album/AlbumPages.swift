// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableCrypto
import DisposableNode
import DisposablePortal
import Foundation

/// The pages of an album for browsers and for paper.
enum AlbumPages {
    /// Writes them beside the photos into the folder of an album.
    /// - Parameter joined: the albums in folders of this one, which its page shows, too.
    /// - Returns: the reason why there is no contact sheet; `nil` if there is one.
    static func write(
        in folder: String, with joined: [JoinedAlbum] = [], _ language: Language
    ) async throws -> Failure? {
        let manifest = try AlbumManifest.manifest(of: folder)
        let words = try Bytes32(hex: manifest.event.key).map { try FingerprintWords.words(of: VerifyingKey($0)) } ?? []
        var problem: Failure?
        do {
            try await Printer.print(
                ContactSheet(manifest: manifest, folder: folder).pages(), to: "\(folder)/\(ContactSheet.fileName)")
        } catch let failure as Failure {
            problem = failure
        }
        let book = AlbumBook(manifest: manifest, language: language)
        try Data(book.html.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(AlbumBook.fileName)"), options: .atomic)
        let page = AlbumPage(
            manifest: manifest.joined(with: joined), words: words,
            contactSheet: problem == nil ? ContactSheet.fileName : nil, language: language)
        try Data(page.html.utf8).write(to: URL(fileURLWithPath: "\(folder)/index.html"), options: .atomic)
        return problem
    }
}
