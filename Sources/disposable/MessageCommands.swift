// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode
import Synchronization

struct MessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message", abstract: "Write to the organizers.",
        discussion: """
            Only the organizers of now can read it, on their nodes; an organizer who is added later cannot. All members see \
            that you have written, and when. Up to \(Remarks.messagesPerAuthorMax) messages of each person are shown. \
            `disposable remove` with a message's id deletes it.
            """)

    @Argument(help: "The text, up to 2,000 bytes.")
    var text: String

    @Option(help: ArgumentHelp("The photo that it is about, by its id or the start of it.", valueName: "id"))
    var photo: String?

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws { try await say(.message(text: text, photo: photo), "message", event, common) }
}

struct MessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "List the messages to the organizers, the newest first (organizers).",
        discussion: """
            The newest \(EventNode.messageCountMax). A message that was written before this node was an organizer's has no text here. \
            `disposable erase` with an id deletes one on all nodes.
            """)

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        let count = Mutex(0)
        try await ask(.messages(event: event.event), common) { reply in
            guard case .message(let message) = reply else { return }
            count.withLock { $0 += 1 }
            console.json("message", message)
            let text = message.text ?? "(this node cannot read it: it was written for other organizers)"
            console.result(
                "\(message.id.prefix(8))  \(Show.time(iso8601: message.saidAt))  \(message.author)"
                    + (message.photo.map { "  about \($0.prefix(8))" } ?? "")
                    + "\n    " + text.replacing("\n", with: "\n    "))
        }
        guard count.withLock(\.self) > 0 else {
            Console.say("nobody has written to the organizers yet")
            throw ExitCode(3)
        }
    }
}
