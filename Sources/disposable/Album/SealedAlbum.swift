// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableCrypto
import DisposablePortal
import DisposableSystem
import Foundation

/// A new encrypted album: its key, and the page that opens it with a passphrase.
struct SealedAlbum: Sendable {
    let passphrase: String
    /// 64 hexadecimal digits.
    let key: String
    private let page: WebAlbumPage

    /// Takes about a third of a second, intentionally. Throws `Failure`, also for a passphrase that is too short.
    /// - Parameter given: the passphrase; `nil` for seven random words.
    init(passphrase given: String?) throws {
        guard
            let library = Portal.Configuration.standardScriptPaths.lazy.compactMap({
                try? String(contentsOfFile: $0, encoding: .utf8)
            }).first
        else {
            throw Failure(
                "the library that opens the album is not installed", hint: "sudo apt install node-tweetnacl",
                reason: "no-album-library")
        }
        if let given, WebAlbumLock.plain(given).count < WebAlbumLock.characterCountMin {
            throw Failure(
                "the passphrase has fewer than \(WebAlbumLock.characterCountMin) characters",
                hint: "anybody who has the files can try passphrases for years; without the option, words are made",
                exitCode: 2, reason: "short-passphrase", about: ["\(WebAlbumLock.characterCountMin)"])
        }
        passphrase = given ?? WebAlbumLock.makePassphrase()
        var bytes = [UInt8].random(count: SecretBox.keyByteCount)
        key = bytes.hex
        let lock = try WebAlbumLock(
            key: SecretBytes(consuming: &bytes), passphrase: passphrase,
            salt: .random(count: WebAlbumLock.saltByteCount))
        page = WebAlbumPage(lock: lock, library: library)
    }

    /// Writes the page beside the folder of the pieces.
    func writePage(in folder: String) throws {
        try Data(page.html.utf8).write(to: URL(fileURLWithPath: "\(folder)/index.html"))
    }
}
