// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposableSystem
import Foundation
import Synchronization

struct EventCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event", abstract: "Show an event, edit it, open and close it.",
        subcommands: [
            EventShowCommand.self, EventEditCommand.self, EventOpenCommand.self, EventCloseCommand.self,
            EventRevealCommand.self, EventSharesCommand.self, EventPictureCommand.self, EventMapCommand.self,
            EventFramesCommand.self,
            EventDeleteCommand.self, EventArchiveCommand.self, EventExpireCommand.self, EventBackupCommand.self, EventRestoreCommand.self,
            EventJoinGalleriesCommand.self,
        ], defaultSubcommand: EventShowCommand.self)
}

struct EventShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an event's settings, people, roles and figures.",
        discussion: "Views and downloads of photos are not counted.")

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
        commandName: "edit", abstract: "Change the given settings only.",
        discussion: """
            For organizers. A draft can be changed freely. Once the event is open, frames can only grow and retention \
            can only shrink; if an edit is against the guests, the whole command is refused.
            """)

    @Option(help: "The event's name, up to 80 characters.")
    var name: String?

    @OptionGroup(title: "The event") var parameters: CharterOptions
    @OptionGroup var early: EarlyRevealOptions
    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        var given = parameters.given
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
        discussion: """
            From then on guests can rely on their frames, and on when the photos are forgotten. A draft that was created \
            without --starts begins now. Where it was to start at a time that is past, the command asks.
            """)

    @Flag(help: "Do not ask, also where the start is past.")
    var yes = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        var given = EventParameters()
        given.isOpened = true
        given.isClosed = false
        if !yes { try await confirm() }
        try await edit(given, isConfirmed: true, done: "opened", event, common)
    }

    private func confirm() async throws {
        let found = Mutex<EventInfo?>(nil)
        try await ask(.event(event: event.event), common) { reply in
            if case .event(let info) = reply { found.withLock { $0 = info } }
        }
        guard let info = found.withLock({ $0 }), info.parameters.isOpened == false,
            info.parameters.schedule.startsOnOpening != true, let start = info.parameters.schedule.startsAt
        else { return }
        let now = Milliseconds.now
        guard start + Charter.toleranceMilliseconds < now else { return }
        Console.say("\(info.parameters.name ?? "The event") was to start at \(Show.time(start)), which is past.")
        Console.say(
            info.times.endsAt < now
                ? "It is over since \(Show.time(info.times.endsAt)): guests could add nothing."
                : "It ends at \(Show.time(info.times.endsAt)).")
        Console.say("`disposable event edit --starts now` moves the start.")
        try Console.confirm("Open it as it is?", since: "its start is past")
    }
}

struct EventCloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Close an event early.",
        discussion: """
            All nodes and pages show it as over. Photos taken earlier are still accepted when their nodes return. If \
            photos are to be revealed at the end, they are revealed now. `disposable event open` opens the event \
            again.
            """)

    @Flag(help: "Do not ask, also if it opens the photos earlier than guests were told.")
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
            revealsPhotos.withLock { $0 = info.parameters.photos.reveal == "at-end" && info.sealing == .organizers }
            Console.say("\(info.parameters.name ?? "The event") is over then, on every node and page.")
        }
        let isEarly = revealsPhotos.withLock { $0 }
        if isEarly {
            Console.say("Everybody sees the photos at once, earlier than guests were told; this cannot be undone.")
        }
        try Console.confirm("Close it?", since: isEarly ? "closing shows the photos early" : "everybody is notified")
    }
}

struct EventFramesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frames", abstract: "Give a person more frames.",
        discussion: "They are added to everybody's frames, and to earlier extra frames. They cannot be revoked.")

    @Argument(help: "The name of a person of the event, or the start of their key.")
    var member: String

    @Argument(
        help: ArgumentHelp("A number such as +5, up to 1000.", valueName: "+count"), transform: CharterText.moreFrames)
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
                "a number is needed", hint: "`disposable role grant photographer NAME` removes the limit",
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
