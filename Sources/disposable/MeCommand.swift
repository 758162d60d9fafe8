// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Foundation

struct MeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "me", abstract: "What the event knows about you: take it home, or take it away.",
        subcommands: [MeExportCommand.self, MeEraseCommand.self])
}

struct MeExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everything about you into a folder.",
        discussion: """
            Your photos as they are shared, and me.json: your names, every statement that your device has signed, with its \
            text where it has one, and that others have made about you or your photos, without their texts.
            """)

    @Argument(help: "The folder; made where it is missing.")
    var folder: String

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Exported: Encodable {
        let file: String
        let photoCount: Int
        let statementCount: Int
    }

    func run() async throws {
        let console = common.console
        let path = URL(fileURLWithPath: folder).path
        try await ask(.exportMe(event: event.event, folder: path), common, progress: "exporting") { reply in
            switch reply {
            case .exported(let file):
                console.json("exported", file)
                if let problem = file.problem {
                    Console.say("disposable: error: photo \(file.photo.prefix(8)) was not exported: \(problem)")
                }
            case .exportedMe(let file, let photoCount, let statementCount):
                console.json("me", Exported(file: file, photoCount: photoCount, statementCount: statementCount))
                console.result(
                    "\(Show.count(photoCount, "photo")) and \(Show.count(statementCount, "statement")) in \(folder)")
            default: break
            }
        }
    }
}

struct MeEraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Take back everything that you have given.",
        discussion: """
            All your photos, captions, comments, notices and reactions, and your name: you are a "former guest" on every \
            node. They are hidden at once wherever it is heard, and destroyed an hour later. You stay in the event, and \
            can leave it after this with `disposable leave`.

            \(PersonalDataText.remains)

            What others have taken home stays theirs. Interrupted, it is to be said again.
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        if !yes {
            Console.say("All your photos, words and names will be taken back, on all nodes.")
            Console.say(PersonalDataText.remains)
            try Console.confirm("Erase?", since: "erasing is not undone")
        }
        try await ask(.eraseMe(event: event.event), common, progress: "taking back") { reply in
            guard case .erasedMe(let erased) = reply else { return }
            console.json("erased", erased)
            console.result(
                erased.isNothing
                    ? "there was nothing to take back"
                    : "took back \(Show.count(erased.photoCount, "photo")), \(Show.count(erased.wordCount, "text")) and "
                        + "\(Show.count(erased.reactionCount, "reaction")); destroyed everywhere an hour after it is heard"
            )
        }
    }
}
