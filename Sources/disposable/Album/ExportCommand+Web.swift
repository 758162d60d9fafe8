// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Foundation
import Synchronization

/// The options of an encrypted album.
struct WebAlbumOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use the passphrase in this file's first line, - for standard input; otherwise seven words are made.",
            valueName: "file"))
    var passphraseFile: String?

    @Flag(help: "Previews for screens only: a tenth of the size.")
    var withoutOriginals = false

    var areGiven: Bool { passphraseFile != nil || withoutOriginals }

    /// Returns the passphrase in the file; `nil` without one. Throws `Failure` if it cannot be read.
    func passphrase() throws -> String? {
        guard let passphraseFile else { return nil }
        let text: String
        do {
            text =
                try passphraseFile == "-" ? readLine() ?? "" : String(contentsOfFile: passphraseFile, encoding: .utf8)
        } catch {
            throw Failure("the passphrase could not be read: \(error.localizedDescription)")
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init) ?? ""
    }
}

extension ExportCommand {
    private struct Album: Encodable {
        let folder: String
        let passphrase: String
        let photoCount: Int
        let pieceCount: Int
        let byteCount: UInt64
    }

    /// Uses a hidden folder beside the target, which gets its name once it is complete.
    func exportWebAlbum(to path: String) async throws {
        let (manager, url) = (FileManager.default, URL(fileURLWithPath: path))
        let unfinished = "\(url.deletingLastPathComponent().path)/.\(url.lastPathComponent).part"
        if let names = try? manager.contentsOfDirectory(atPath: path), !names.isEmpty {
            throw Failure("\(path) is not empty", hint: "choose another folder, or empty it first")
        }
        let album = try SealedAlbum(passphrase: try sealing.passphrase())
        if manager.fileExists(atPath: unfinished) { try manager.removeItem(atPath: unfinished) }
        try manager.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
        do {
            let (written, exitCode) = try await writePieces(to: unfinished, key: album.key)
            try album.writePage(in: unfinished)
            // An empty folder of the name makes room.
            if manager.fileExists(atPath: path) { try manager.removeItem(atPath: path) }
            try manager.moveItem(atPath: unfinished, toPath: path)
            report(written, in: path, album.passphrase)
            if let exitCode { throw exitCode }
        } catch {
            if manager.fileExists(atPath: unfinished) { try manager.removeItem(atPath: unfinished) }
            throw error
        }
    }

    /// - Returns: the exit code if some photos are not in the album.
    private func writePieces(to folder: String, key: String) async throws -> (WrittenWebAlbum, ExitCode?) {
        let written = Mutex<WrittenWebAlbum?>(nil)
        var exitCode: ExitCode?
        let request = ControlRequest.exportWebAlbum(
            event: event.event, folder: folder, key: key, hasOriginals: !sealing.withoutOriginals,
            onlyFavourites: favourites, onlyHighlights: highlights)
        do {
            try await ask(request, common, progress: "sealing file") { reply in
                if case .webAlbum(let album) = reply { written.withLock { $0 = album } }
            }
        } catch let code as ExitCode {
            exitCode = code
        }
        guard let album = written.withLock({ $0 }), exitCode != ExitCode(3) else {
            throw exitCode ?? ExitCode(1)
        }
        return (album, exitCode)
    }

    private func report(_ written: WrittenWebAlbum, in path: String, _ passphrase: String) {
        let console = common.console
        let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        let byteCount = files.reduce(UInt64(0)) { sum, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
            return sum
                + (attributes?[.type] as? FileAttributeType == .typeRegular ? attributes?[.size] as? UInt64 ?? 0 : 0)
        }
        console.json(
            "webAlbum",
            Album(
                folder: path, passphrase: passphrase, photoCount: written.photoCount, pieceCount: written.pieceCount,
                byteCount: byteCount))
        console.result(
            """
            \(Show.count(written.photoCount, "photo")), \(Show.bytes(byteCount)), in \(path)
            open \(path)/index.html, or upload the folder to any web host; the passphrase is

              \(passphrase)

            Send it to the guests by another way than the address. Nobody can recover it.
            """)
        if written.lackingCount > 0 {
            Console.say(
                "disposable: warning: \(Show.count(written.lackingCount, "original")) had not arrived at this node")
        }
        if written.sealedCount > 0 {
            Console.say(
                "disposable: warning: \(Show.count(written.sealedCount, "photo")) sealed until the reveal "
                    + "\(written.sealedCount == 1 ? "is" : "are") not in the album")
        }
    }
}
