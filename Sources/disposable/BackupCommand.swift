// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposablePortal

/// The event key as words, for scripts that print it.
private struct Backup: Encodable { let words: [String] }

struct EventBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Show the event's key as 24 words, to keep on paper.",
        discussion: """
            With them another machine takes over if this one is lost: it opens the photos, appoints organizers, ends \
            the event. Anyone who reads them can do the same, so keep the paper where you keep your passport.
            """)

    @Flag(help: "Show a QR code of the words as well.")
    var qr = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let (console, qr) = (common.console, qr)
        try await ask(.backup(event: event.event), common) { reply in
            guard case .words(let indexes) = reply else { return }
            let words = WordList.words(at: indexes)
            console.json("backup", Backup(words: words))
            let rowCount = 6
            for row in 0..<rowCount {
                let cells = stride(from: row, to: words.count, by: rowCount).map { place in
                    (place < 9 ? " " : "") + "\(place + 1) \(words[place])".padding(to: 14)
                }
                console.result(cells.joined())
            }
            if qr, let code = QRCode(words.joined(separator: " ")) { console.result("\n" + code.terminalText) }
            Console.say("\nOn another machine of the event: disposable event restore WORD WORD ...")
        }
    }
}

struct EventRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Take over the event's key from its 24 words.",
        discussion:
            "This machine must be a member of the event: run `disposable join` first. It then becomes an organizer's.")

    @Argument(help: "The words, in order.")
    var words: [String]

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let typed = words.joined(separator: " ").lowercased().split { !$0.isLetter }.map(String.init)
        let unknown = typed.filter { WordList.indexes(of: $0) == nil }
        guard unknown.isEmpty else {
            throw Failure(
                "\(unknown.map { "\"\($0)\"" }.joined(separator: ", ")) is not in the list of words",
                hint: "compare it with the paper", exitCode: 2)
        }
        let indexes = typed.compactMap { WordList.indexes(of: $0)?.first }
        guard indexes.count == EventKeyWords.count else {
            throw Failure("the key has \(EventKeyWords.count) words, and \(indexes.count) were given", exitCode: 2)
        }
        try await ask(.restore(event: event.event, words: indexes), common) { _ in }
        common.console.json("restored", Restored())
        common.console.result("this machine has the event's key now")
    }

    private struct Restored: Encodable {}
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(2, width - count)) }
}
