// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableCrypto
import DisposableNode
import DisposablePortal
import Foundation
import Synchronization

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Take the photos home: plain files in a folder.",
        discussion: """
            Names are <number>-<author>-<frame>; every node exports the same files under the same names. An album has, \
            besides, a page that opens in any browser (index.html), a contact sheet for paper, and a signed list: \
            `disposable verify` checks it, years later.
            """)

    @Argument(help: "The folder, made where it does not exist.")
    var folder: String

    @Flag(help: "Make an album: photos, a page, a contact sheet and a signed list.")
    var album = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        let path = URL(fileURLWithPath: folder).path
        let counts = Mutex((written: 0, present: 0))
        try await ask(.export(event: event.event, folder: path, isAlbum: album), common, progress: "exporting") {
            reply in
            guard case .exported(let file) = reply else { return }
            console.json("exported", file)
            if let problem = file.problem {
                Console.say("disposable: error: \(Quoted.name(file.file)) was not written: \(problem)")
            } else {
                counts.withLock { if file.isNew { $0.written += 1 } else { $0.present += 1 } }
            }
        }
        let (written, present) = counts.withLock { $0 }
        console.result(
            "\(Show.count(written, "photo")) written to \(path)" + (present > 0 ? ", \(present) there already" : ""))
        if album { try await makePages(in: path) }
    }

    private func makePages(in folder: String) async throws {
        let manifest = try AlbumManifest.manifest(of: folder)
        let words = try Bytes32(hex: manifest.event.key).map { try FingerprintWords.words(of: VerifyingKey($0)) } ?? []
        var contactSheet: String? = ContactSheet.fileName
        do {
            try await Printer.print(
                ContactSheet(manifest: manifest, folder: folder).pages(), to: "\(folder)/\(ContactSheet.fileName)")
        } catch let failure as Failure {
            contactSheet = nil
            Console.say("disposable: warning: no contact sheet: \(failure.message)")
            if let hint = failure.hint { Console.say("disposable: hint: \(hint)") }
        }
        let page = AlbumPage(manifest: manifest, words: words, contactSheet: contactSheet)
        try Data(page.html.utf8).write(to: URL(fileURLWithPath: "\(folder)/index.html"), options: .atomic)
        common.console.result("open \(folder)/index.html; check it with `disposable verify \(folder)`")
    }
}
