// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode
import Synchronization

struct GiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "give", abstract: "Give frames of your own to somebody else.",
        discussion: """
            You have so many frames less and the other person so many more, on every node. It cannot be undone. Frames \
            that others have given you cannot be passed on, and a person can receive as many as everybody has at the \
            event. Organizers and photographers have no limit, and give with `disposable event frames`.
            """)

    @Argument(help: "The name of a person of the event, or the start of their key.")
    var member: String

    @Argument(help: ArgumentHelp("How many frames, 1 to \(EventState.giftMax).", valueName: "count"))
    var count: Int

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...EventState.giftMax).contains(count) else {
            throw ValidationError("write a number from 1 to \(EventState.giftMax)")
        }
    }

    func run() async throws {
        let console = common.console
        if !yes {
            let preview = Mutex<GivenFrames?>(nil)
            try await ask(request(isConfirmed: false), common) { reply in
                if case .gift(let gift) = reply { preview.withLock { $0 = gift } }
            }
            guard let preview = preview.withLock({ $0 }) else { return }
            Console.say(
                "\(preview.name) gets \(Show.count(preview.count, "frame")) of yours. "
                    + "You can give \(preview.left) more after that.")
            try Console.confirm("Give them?", since: "giving cannot be undone")
        }
        try await ask(request(isConfirmed: true), common) { reply in
            guard case .gift(let gift) = reply else { return }
            console.json("gift", gift)
            console.result("gave \(gift.name) \(Show.count(gift.count, "frame"))")
        }
    }

    private func request(isConfirmed: Bool) -> ControlRequest {
        .give(event: event.event, member: member, count: count, isConfirmed: isConfirmed)
    }
}
