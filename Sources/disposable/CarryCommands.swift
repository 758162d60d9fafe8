// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Foundation

struct CarryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "carry", abstract: "Take an event to a node that this one never meets, in one file.",
        subcommands: [CarryExportCommand.self, CarryImportCommand.self])
}

struct CarryExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everything of the event into one sealed file.",
        discussion: """
            Only nodes of the event can read the file. `disposable carry import FILE` on another node takes what is new \
            there; carry a file back for the other direction.
            """)

    @Argument(help: "The file; it must not exist yet.")
    var file: String

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        let path = URL(fileURLWithPath: file).path
        try await ask(.exportBundle(event: event.event, file: path), common, progress: "writing file") { reply in
            guard case .bundled(let bundle) = reply else { return }
            console.json("bundled", bundle)
            console.result(
                "\(bundle.name): \(Show.count(bundle.operationCount, "operation")) and "
                    + "\(Show.count(bundle.blobCount, "file")), \(Show.bytes(bundle.byteCount)), in \(bundle.file)")
            if bundle.missingBlobCount > 0 {
                Console.say(
                    "disposable: warning: \(Show.count(bundle.missingBlobCount, "file")) had not arrived at this node "
                        + "and \(bundle.missingBlobCount == 1 ? "is" : "are") not in it")
            }
        }
    }
}

struct CarryImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take what is new from such a file.",
        discussion: """
            Everything is verified as if a node had sent it. Repeat the command to continue after an interruption; to \
            take the same file twice changes nothing. If a file is damaged, the rest of it is taken.
            """)

    @Argument(help: "The file that `carry export` has written.")
    var file: String

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        let path = URL(fileURLWithPath: file).path
        try await ask(.importBundle(event: event.event, file: path), common, progress: "taking file") { reply in
            guard case .carriedIn(let bundle) = reply else { return }
            console.json("carried", bundle)
            let source = [
                bundle.from.map { "from \($0)" }, bundle.writtenAt.map { "written \(Show.time(iso8601: $0))" },
            ].compactMap(\.self).joined(separator: ", ")
            console.result(
                "\(bundle.name)\(source.isEmpty ? "" : " (\(source))"): "
                    + "\(Show.count(bundle.newOperationCount, "operation")) and "
                    + "\(Show.count(bundle.newBlobCount, "file")) were new")
            if bundle.refusedBlobCount > 0 {
                Console.say(
                    "disposable: warning: \(Show.count(bundle.refusedBlobCount, "file")) in it "
                        + "\(bundle.refusedBlobCount == 1 ? "was" : "were") not taken: wrong, or of no shown photo")
            }
            if bundle.refusedOperationCount > 0 {
                Console.say(
                    "disposable: warning: \(Show.count(bundle.refusedOperationCount, "operation")) "
                        + "by devices that are no members, as far as this node knows, "
                        + "\(bundle.refusedOperationCount == 1 ? "was" : "were") not taken")
            }
        }
    }
}
