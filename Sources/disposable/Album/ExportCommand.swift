// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import DisposablePortal
import DisposableWeb
import Foundation
import Synchronization

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Save the photos as plain files in a folder.",
        discussion: """
            Names are <number>-<author>-<frame>; every node exports the same files under the same names. An album also \
            has a page for any browser (index.html), one to print (book.html), a contact sheet, and a signed list: \
            `disposable verify` checks it, even years later. With --zip all of it is one file instead. --web makes an \
            encrypted album for any web host or stick, which a browser opens with a passphrase.
            """)

    @Argument(help: "The folder; created if it is missing.")
    var folder: String?

    @Option(help: ArgumentHelp("Write one ZIP archive instead of a folder.", valueName: "file"))
    var zip: String?

    @Flag(help: "Make an album: photos, a page, a contact sheet and a signed list.")
    var album = false

    @Flag(help: "Make an encrypted album: static files that a browser opens with a passphrase.")
    var web = false

    @OptionGroup(title: "Encrypted album") var sealing: WebAlbumOptions

    @Flag(help: "Beside each photo an XMP file with its caption, comments, author and time, for photo libraries.")
    var sidecars = false

    @Flag(help: "Only photos marked on this node, with the same names as in a full export.")
    var favourites = false

    @Flag(help: "Only photos that organizers show to guests as highlights.")
    var highlights = false

    @Option(help: "The language of the album's page: en or fr (default: that of $LC_ALL or $LANG).")
    var language: Language?

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if folder != nil, zip != nil { throw ValidationError("Give a folder or --zip FILE, not both.") }
        if language != nil, !album { throw ValidationError("--language is for the page of an album: add --album.") }
        if folder == nil, zip == nil { throw ValidationError("Name a folder, or --zip FILE.") }
        if web, zip != nil || album {
            throw ValidationError("--web makes a folder of its own, without --zip and --album.")
        }
        if sidecars, web || album {
            throw ValidationError("--sidecars is for plain photos, without --web and --album.")
        }
        if !web, sealing.areGiven { throw ValidationError("These options belong to --web.") }
    }

    func run() async throws {
        if let folder, web { return try await exportWebAlbum(to: URL(fileURLWithPath: folder).path) }
        if let folder { return try await export(to: URL(fileURLWithPath: folder).path) }
        let file = URL(fileURLWithPath: zip!).path  // validated above
        guard !FileManager.default.fileExists(atPath: file) else {
            throw Failure("\(file) already exists", hint: "choose another name, or remove it first")
        }
        try await export(archivedAs: file)
    }

    /// Throws an `ExitCode` at the end if some photos could not be written.
    private func export(to path: String) async throws {
        let exitCode = try await writePhotos(to: path)
        if album, exitCode != ExitCode(3) {
            try await makePages(in: path, with: try await exportJoined(into: path))
            common.console.result("open \(path)/index.html; check it with `disposable verify \(path)`")
        }
        if let exitCode { throw exitCode }
    }

    /// Uses a hidden folder beside the archive, with which an interrupted export continues.
    private func export(archivedAs file: String) async throws {
        let url = URL(fileURLWithPath: file)
        let (name, parent) = (url.lastPathComponent, url.deletingLastPathComponent().path)
        let (folder, unfinished) = ("\(parent)/.\(name).photos", "\(parent)/.\(name).part")
        let exitCode = try await writePhotos(to: folder)
        if exitCode == ExitCode(3) {
            try FileManager.default.removeItem(atPath: folder)
            throw ExitCode(3)
        }
        if album { try await makePages(in: folder, with: try await exportJoined(into: folder)) }
        if FileManager.default.fileExists(atPath: unfinished) { try FileManager.default.removeItem(atPath: unfinished) }
        do {
            let archive = try FolderArchive(folder, named: url.deletingPathExtension().lastPathComponent)
            try archive.move(to: unfinished) { done in
                Console.progress("archiving \(Show.bytes(done)) of \(Show.bytes(archive.byteCount))")
            }
            Console.endProgress()
            try FileManager.default.moveItem(atPath: unfinished, toPath: file)
            try FileManager.default.removeItem(atPath: folder)
            common.console.json("archived", ["file": file])
            common.console.result(
                "\(Show.count(archive.fileCount, "file")), \(Show.bytes(archive.byteCount)), in \(file)")
        } catch {
            throw Failure(
                "the archive was not written: \(error)",
                hint: "the photos so far are in \(folder); run the command again to continue")
        }
        if let exitCode { throw exitCode }
    }

    /// - Parameters:
    ///   - path: the folder.
    ///   - twin: the id of another event than the one that was asked for.
    /// - Returns: the exit code if not all photos were written, or there are none.
    private func writePhotos(to path: String, of twin: String? = nil) async throws -> ExitCode? {
        let console = common.console
        let counts = Mutex((written: 0, present: 0))
        var exitCode: ExitCode?
        do {
            let request = ControlRequest.export(
                event: twin ?? event.event, folder: path, isAlbum: album, onlyFavourites: favourites,
                onlyHighlights: highlights, hasSidecars: sidecars, onlyShown: twin != nil)
            try await ask(request, common, progress: "exporting") { reply in
                guard case .exported(let file) = reply else { return }
                console.json("exported", file)
                if let problem = file.problem {
                    Console.say("disposable: error: \(Quoted.name(file.file)) was not written: \(problem)")
                } else {
                    counts.withLock { if file.isNew { $0.written += 1 } else { $0.present += 1 } }
                }
            }
        } catch let code as ExitCode {
            exitCode = code
        }
        let (written, present) = counts.withLock { $0 }
        console.result(
            "\(Show.count(written, "photo")) written\(zip == nil ? " to \(path)" : "")"
                + (present > 0 ? ", \(present) there already" : ""))
        return exitCode
    }

    /// Writes the albums of joined galleries; none for a selection of photos.
    private func exportJoined(into path: String) async throws -> [JoinedAlbum] {
        guard album, !favourites, !highlights else { return [] }
        return try await JoinedAlbum.write(
            into: path, of: event.event, ask: { try await ask($0, common, show: $1) },
            photos: { try await writePhotos(to: $1, of: $0) != ExitCode(3) }, pages: { try await makePages(in: $0) })
    }

    /// - Parameter joined: the albums in folders of this one, which its page shows, too.
    private func makePages(in folder: String, with joined: [JoinedAlbum] = []) async throws {
        guard let problem = try await AlbumPages.write(in: folder, with: joined, language ?? .ofTerminal) else {
            return
        }
        Console.say("disposable: warning: no contact sheet: \(problem.message)")
        if let hint = problem.hint { Console.say("disposable: hint: \(hint)") }
    }
}
