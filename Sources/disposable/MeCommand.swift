// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Foundation

struct MeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "me", abstract: "The event's data about you: export or delete them.",
        subcommands: [MeExportCommand.self, MeEraseCommand.self])
}

struct MeExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everything about you into a folder.",
        discussion: """
            Your photos as they are shared, and me.json: your names, every operation that your device has signed, with \
            its text if it has one, and others' operations about you or your photos, without their texts.
            """)

    @Argument(help: "The folder; created if it is missing.")
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
                    "\(Show.count(photoCount, "photo")) and \(Show.count(statementCount, "operation")) in \(folder)")
            default: break
            }
        }
    }
}

struct MeEraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Delete everything that you have given.",
        discussion: """
            All your photos, captions, comments, notices and reactions, and your name: you are a "former guest" on \
            every node. Each node hides them as soon as it learns of this, and purges them an hour later. You stay in \
            the event, and can leave it after this with `disposable leave`.

            \(PersonalDataText.remains)

            Copies that others have saved stay theirs. After an interruption run it again.
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        if !yes {
            Console.say("All your photos, texts and names will be deleted on all nodes.")
            Console.say(PersonalDataText.remains)
            try Console.confirm("Erase?", since: "erasing cannot be undone")
        }
        try await ask(.eraseMe(event: event.event), common, progress: "taking back") { reply in
            guard case .erasedMe(let erased) = reply else { return }
            console.json("erased", erased)
            console.result(
                erased.isNothing
                    ? "there was nothing to delete"
                    : "deleted \(Show.count(erased.photoCount, "photo")), \(Show.count(erased.wordCount, "text")) and "
                        + "\(Show.count(erased.reactionCount, "reaction")); each node purges them an hour after it learns of this"
            )
        }
    }
}
