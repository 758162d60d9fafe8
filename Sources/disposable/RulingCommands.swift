// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Synchronization

/// What an act comes to, for scripts.
private struct Ruled: Encodable {
    let act: String
    let photo: String?
    let member: String?
    let name: String?
    let role: String?
}

/// Has the node do what only somebody with a rank may, and says that it is done.
private func rule(
    _ act: ControlAct, named verb: String, done: String, _ event: EventOptions, _ common: CommonOptions
) async throws {
    let console = common.console
    try await ask(.rule(event: event.event, act: act), common) { reply in
        guard case .ruled(let photo, let member, let role) = reply else { return }
        console.json("ruled", Ruled(act: verb, photo: photo, member: member?.key, name: member?.name, role: role))
        console.result("\(done) \(photo.map { String($0.prefix(8)) } ?? member?.name ?? "")")
    }
}

struct RoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Give somebody a role, or take it away.",
        discussion: """
            organizer: may do everything but make and unmake organizers. moderator: hides photos, puts participants out.
            page: its node may serve the guests' pages. photographer: has no limit on the roll.
            participant: is in. To revoke it is to put somebody out; to grant it lets somebody back in who was put out.

            What somebody did before a role was taken away stays. Only a machine that has the event's key makes \
            organizers: the one that created the event, or one after `disposable event restore`.
            """,
        subcommands: [RoleGrantCommand.self, RoleRevokeCommand.self])
}

enum RoleName: String, ExpressibleByArgument, CaseIterable {
    case participant, moderator, organizer, page, photographer
}

struct RoleGrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "grant", abstract: "Give somebody a role.")

    @Argument(help: "The role.")
    var role: RoleName

    @Argument(help: "The name of a person of the event, or the beginning of their key.")
    var member: String

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await rule(
            .grant(role: role.rawValue, member: member), named: "grant", done: "granted \(role.rawValue) to", event,
            common)
    }
}

struct RoleRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take a role away; of a participant: put it out.",
        discussion: """
            It says first what that comes to. Photos that this node knows stay, those of guests of the node too. Where \
            others come back later with photos that it did not know, give the same command again: those are shown then.

            With --with-admitted a participant is removed together with all that are in by its word alone, as a member \
            that floods the event may let in devices of its own without end. Anybody to whom an organizer gave a role, \
            or with another way in, stays.

            With --everything nothing stays of those that are removed: their photos and words are shown no more at once, \
            and destroyed on every machine an hour later. Until then, letting them in again brings all of it back. What \
            guests added at the pages of their machines stays.
            """)

    @Argument(help: "The role.")
    var role: RoleName

    @Argument(help: "The name of a person of the event, or the beginning of their key.")
    var member: String

    @Flag(help: "Of a participant: remove all that are in by its word alone, too.")
    var withAdmitted = false

    @Flag(help: "Of a participant: destroy everything that those who are removed have stated.")
    var everything = false

    @Flag(help: "Do not ask, whatever others lose by it.")
    var yes = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !(withAdmitted || everything) || role == .participant else {
            throw ValidationError("--with-admitted and --everything go with the role participant")
        }
    }

    func run() async throws {
        let extent = RemovalExtent(withAdmitted: withAdmitted, everything: everything)
        if !yes {
            let found = Mutex<RevocationPreview?>(nil)
            let act = ControlAct.weighRevocation(role: role.rawValue, member: member, extent: extent)
            try await ask(.rule(event: event.event, act: act), common) { reply in
                if case .revoking(let preview) = reply { found.withLock { $0 = preview } }
            }
            guard let preview = found.withLock({ $0 }) else { return }
            common.console.json("revoking", preview)
            for line in preview.lines { Console.say(line) }
            // A script goes on where nobody but the member loses anything.
            if preview.needsConfirmation || Console.hasPerson {
                try Console.confirm(
                    "Do it?", since: preview.extent.everything ? "it destroys photos" : "others lose something by it")
            }
        }
        try await rule(
            .revoke(role: role.rawValue, member: member, extent: extent, isConfirmed: true),
            named: "revoke", done: "revoked \(role.rawValue) of", event, common)
        guard role == .participant else { return }
        Console.say(
            "disposable: hint: whoever was put out still knows the invitation; `disposable invite rotate` replaces it")
    }
}

extension RevocationPreview {
    /// What a person reads before saying yes.
    fileprivate var lines: [String] {
        var lines = [
            role == "\(RoleName.participant)"
                ? "\(name) would not be in the event any longer." : "\(name) would lose the role \(role)."
        ]
        if lostPhotoCount > 0 {
            lines.append("\(Show.count(lostPhotoCount, "photo")) of \(people(lostPeopleCount)) would go.")
        }
        if keptPhotoCount > 0 {
            lines.append("\(Show.count(keptPhotoCount, "photo")) of \(people(keptPeopleCount)) would stay.")
        }
        if regainedPhotoCount > 0 { lines.append("\(Show.count(regainedPhotoCount, "photo")) would be shown again.") }
        if extent.everything {
            lines.append("\(Show.count(destroyedPhotoCount, "photo")) would be destroyed everywhere an hour later.")
        }
        if !extent.withAdmitted, !admitted.isEmpty, role == "\(RoleName.participant)" {
            lines.append(
                "\(people(admitted.count)) in by the word of \(name) alone would stay; --with-admitted removes them too."
            )
        }
        if harmsOthers { lines.append("Others lose by it: \(harm).") }
        return lines
    }

    private func people(_ count: Int) -> String { count == 1 ? "1 person" : "\(count) people" }
}

/// Which photos and remarks a ruling is about.
struct PhotoOptions: ParsableArguments {
    @Argument(help: "The ids of photos, or of remarks; or their beginnings.")
    var photos: [String]

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    /// One after the other; the first that cannot be done ends it.
    func rule(named verb: String, done: String, _ act: (String) -> ControlAct) async throws {
        for photo in photos {
            try await disposable.rule(act(photo), named: verb, done: done, event, common)
        }
    }
}

struct HideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide", abstract: "Take photos or remarks of others out of sight; they can be put back.")

    @OptionGroup var target: PhotoOptions

    func run() async throws {
        try await target.rule(named: "hide", done: "hid") { .hide(photo: $0) }
    }
}

struct UnhideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unhide", abstract: "Put hidden photos or remarks back.",
        discussion: "`disposable gallery --hidden` lists the photos.")

    @OptionGroup var target: PhotoOptions

    func run() async throws {
        try await target.rule(named: "unhide", done: "put back") { .unhide(photo: $0) }
    }
}

struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Take photos or remarks of others away from everybody, for good.",
        discussion: """
            They are hidden everywhere at once and destroyed an hour later. There is no undoing it, but for putting out, \
            within that hour, whoever erased with a stolen key.
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var target: PhotoOptions

    func run() async throws {
        if !yes {
            for photo in target.photos { Console.say("  \(photo)") }
            try Console.confirm(
                "Erase \(target.photos.count == 1 ? "it" : "them") for everybody?", since: "erasing is not undone")
        }
        try await target.rule(named: "erase", done: "erased") { .erase(photo: $0) }
    }
}
