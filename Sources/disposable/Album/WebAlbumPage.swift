// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation

/// The page of a web album: one file that names nothing of the event. It derives the key from the passphrase, opens the
/// list and builds the page from it.
struct WebAlbumPage {
    let lock: WebAlbumLock
    /// TweetNaCl, which opens the pieces. The colours of the event would be readable without the passphrase.
    let library: String

    var html: String {
        let page: HTML = """
            <!doctype html>
            <html lang="en" data-lock="\(lock.text)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="Content-Security-Policy" content="\(HTML(stringLiteral: policy))">
            <title>Encrypted album</title>
            <style>\(HTML(stringLiteral: AlbumPage.style(ThemeColors(.film)) + "\n" + Self.style))</style>
            </head>
            <body>
            <noscript><p>This album opens in a browser with JavaScript.</p></noscript>
            <main><form hidden>
            <h1></h1>
            <p></p>
            <label for="passphrase"></label>
            <input id="passphrase" autocomplete="off" autocapitalize="none" spellcheck="false" autofocus>
            <button></button>
            <progress max="1" value="0" hidden></progress>
            <div role="alert"></div>
            </form></main>
            <dialog>
            <div class="stage"></div>
            <div class="about"></div>
            <nav><button type="button" name="previous">&#8249;</button><span class="place"></span>
            <button type="button" class="save"></button><button type="button" name="next">&#8250;</button>
            <button type="button" name="close">&#215;</button></nav>
            </dialog>
            <script>\(HTML(stringLiteral: library))</script>
            <script>\(HTML(stringLiteral: Self.keyScript))</script>
            <script>\(HTML(stringLiteral: Self.script))</script>
            </body>
            </html>

            """
        return page.text
    }

    /// A page opened from disk has an opaque origin: only `file:` matches the files beside it.
    private var policy: String {
        let hashes = [library, Self.keyScript, Self.script].map { script in
            var hash = SHA256()
            hash.update(Array(script.utf8).span)
            return "'sha256-\(Data(hash.finalize().bytes).base64EncodedString())'"
        }
        return "default-src 'none'; base-uri 'none'; form-action 'none'; img-src blob:; media-src blob:; "
            + "style-src 'unsafe-inline'; script-src 'self' file: \(hashes.joined(separator: " "))"
    }
}

/// The album's key, sealed under its passphrase.
struct WebAlbumLock {
    /// The attribute that the page reads.
    let text: String

    static let saltByteCount = 16
    /// Words of a list of 2,048: 77 bits.
    static let wordCount = 7
    static let characterCountMin = 16

    /// Takes about a third of a second, intentionally. Throws `PasswordHash.OutOfMemory`.
    init(key: SecretBytes, passphrase: String, salt: [UInt8]) throws(PasswordHash.OutOfMemory) {
        let parameters = PassphraseKey.Parameters.standard
        let lockKey = try PassphraseKey.derive(from: Self.plain(passphrase), salt: salt, parameters)
        // The key of the lock seals nothing else, so its nonce may be zero.
        let box = SecretBox.seal(
            key.withSpan { span in (0..<span.count).map { span[$0] } }, key: lockKey,
            nonce: [UInt8](repeating: 0, count: SecretBox.nonceByteCount))
        text = """
            {"format":"disposable web album 1","salt":"\(salt.hex)","cost":\(parameters.cost),\
            "blockSize":\(parameters.blockSize),"passes":\(parameters.passes),"box":"\(box.hex)"}
            """
    }

    /// Typed passphrases differ in capitals, spaces and hyphens.
    static func plain(_ passphrase: String) -> String {
        passphrase.precomposedStringWithCanonicalMapping.lowercased()
            .split { $0.isWhitespace || $0 == "-" }.joined(separator: " ")
    }

    /// Returns random words.
    static func makePassphrase() -> String {
        var generator = SystemRandomNumberGenerator()
        return WordList.words(
            at: (0..<wordCount).map { _ in Int.random(in: 0..<WordList.words.count, using: &generator) }
        ).joined(separator: " ")
    }
}
