// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Synchronization

struct EventCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event", abstract: "Look at an event, change it, open and close it.",
        subcommands: [
            EventShowCommand.self, EventEditCommand.self, EventOpenCommand.self, EventCloseCommand.self,
            EventRevealCommand.self, EventFramesCommand.self, EventExpireCommand.self, EventBackupCommand.self,
            EventRestoreCommand.self,
        ], defaultSubcommand: EventShowCommand.self)
}

struct EventShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what was decided, who may what, and how it goes.",
        discussion: "Nobody counts who looks at which photo, or takes it home.")

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        try await ask(.event(event: event.event), common) { reply in
            guard case .event(let info) = reply else { return }
            console.json("event", info)
            console.result(EventPicture(info).text)
        }
    }
}

struct EventEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change what is given, and nothing else.",
        discussion: """
            For organizers. A draft can be changed freely. Once the event is open, frames can only become more and the \
            time of keeping shorter; what would be against the guests is refused, and nothing of the command is done.
            """)

    @Option(help: "The event's name, up to 80 characters.")
    var name: String?

    @OptionGroup(title: "The event") var parameters: CharterOptions
    @OptionGroup var early: EarlyRevealOptions
    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        var given = try parameters.given
        given.name = name
        guard given != EventParameters() else {
            throw Failure(
                "nothing to change was given", hint: "`disposable event edit --help` lists what can be changed",
                exitCode: 2)
        }
        try await edit(given, isConfirmed: early.yes, done: "changed", event, common)
    }
}

struct EventOpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open a draft, or an event that was closed before its time.",
        discussion: "From then on guests can rely on their frames, and on when the photos are forgotten.")

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        var given = EventParameters()
        given.isOpened = true
        given.isClosed = false
        try await edit(given, isConfirmed: false, done: "opened", event, common)
    }
}

struct EventCloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Say that the event is over before its time.",
        discussion: """
            It is shown so everywhere. Photos that were taken before still come in, whenever their node returns. Where photos \
            are revealed at the end, they are now. `disposable event open` opens it again.
            """)

    @Flag(help: "Do not ask, also where it opens the photos earlier than guests were told.")
    var yes = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        var given = EventParameters()
        given.isClosed = true
        if !yes { try await confirm() }
        try await edit(given, isConfirmed: true, done: "closed", event, common)
    }
}

extension EventCloseCommand {
    private func confirm() async throws {
        let revealsPhotos = Mutex(false)
        try await ask(.event(event: event.event), common) { reply in
            guard case .event(let info) = reply else { return }
            revealsPhotos.withLock { $0 = info.parameters.reveal == "at-end" && info.sealing == .organizers }
            Console.say("\(info.parameters.name ?? "The event") is over then, on every node and page.")
        }
        let isEarly = revealsPhotos.withLock { $0 }
        if isEarly {
            Console.say("Everybody sees the photos at once, earlier than guests were told; nothing undoes that.")
        }
        try Console.confirm("Close it?", since: isEarly ? "closing shows the photos early" : "everybody is told")
    }
}

struct EventFramesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frames", abstract: "Give somebody more frames.",
        discussion: "They come on top of everybody's, and of what was given before. To take them back is not possible.")

    @Argument(help: "The name of a person of the event, or the beginning of their key.")
    var member: String

    @Argument(
        help: ArgumentHelp("How many, as +5; up to 1000.", valueName: "+count"), transform: CharterText.moreFrames)
    var count: UInt64

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Given: Encodable {
        let member: String
        let name: String
        let count: UInt64
        /// All frames that the member has now.
        let frames: UInt64?
    }

    func run() async throws {
        let console = common.console
        guard count > 0 else {
            throw Failure(
                "a number is needed", hint: "`disposable role grant photographer NAME` takes the limit away",
                exitCode: 2)
        }
        try await ask(.rule(event: event.event, act: .frames(member: member, count: count)), common) { [count] reply in
            guard case .ruled(_, let member?, _) = reply else { return }
            console.json("frames", Given(member: member.key, name: member.name, count: count, frames: member.frames))
            console.result(
                member.frames.map { "\(member.name) has \(Show.count(Int($0), "frame")) now" }
                    ?? "gave \(member.name) \(Show.count(Int(count), "more frame"))")
        }
    }
}

private struct Edited: Encodable { let fields: [String] }

private func edit(
    _ given: EventParameters, isConfirmed: Bool, done: String, _ event: EventOptions, _ common: CommonOptions
) async throws {
    let console = common.console
    try await ask(.rule(event: event.event, act: .edit(given, isConfirmed: isConfirmed)), common) { reply in
        guard case .edited(let fields) = reply else { return }
        console.json("edited", Edited(fields: fields))
        console.result(done == "changed" ? "changed \(fields.joined(separator: ", "))" : "\(done) the event")
    }
}
