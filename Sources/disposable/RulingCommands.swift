// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Synchronization

/// The result of a command with a rank, for scripts.
private struct Ruled: Encodable {
    let act: String
    let photo: String?
    let member: String?
    let name: String?
    let role: String?
}

/// Has the node do what only somebody with a rank may, and says that it is done.
func rule(
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
        commandName: "role", abstract: "Grant a role to a person, or revoke it.",
        discussion: """
            organizer: may do everything but appoint and dismiss organizers. moderator: hides photos, removes \
            participants.
            page: its node may serve the guests' pages. photographer: has no limit on photos.
            participant: is a member. Revoking it removes the person; granting it reinstates a removed one.

            Actions from before a revocation stay valid. Only a machine that has the event's key appoints organizers: \
            the one that created the event, or one after `disposable event restore`.
            """,
        subcommands: [RoleGrantCommand.self, RoleRevokeCommand.self])
}

enum RoleName: String, ExpressibleByArgument, CaseIterable {
    case participant, moderator, organizer, page, photographer
}

struct RoleGrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "grant", abstract: "Grant a role to a person.")

    @Argument(help: "The role.")
    var role: RoleName

    @Argument(help: "The name of a person of the event, or the start of their key.")
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
        commandName: "revoke", abstract: "Revoke a role; for participant, remove the person.",
        discussion: """
            Shows the effect first. Photos that this node knows stay, also those of the node's guests. If others \
            return later with photos that it did not know, give the same command again: then those are shown.

            With --with-admitted, all members that only this participant admitted are removed as well, since a member \
            that floods the event may admit its own devices without end. Members with a role from an organizer, or \
            that another member admitted, stay.

            With --everything, all operations of the removed members are discarded: their photos and texts are hidden \
            at once, and purged on every machine an hour later. Until then, reinstating them restores all of it. The \
            photos that guests added at the pages of their machines stay.
            """)

    @Argument(help: "The role.")
    var role: RoleName

    @Argument(help: "The name of a person of the event, or the start of their key.")
    var member: String

    @Flag(help: "For participant: also remove all members that only this one admitted.")
    var withAdmitted = false

    @Flag(help: "For participant: discard and purge all operations of the removed members.")
    var everything = false

    @Flag(help: "Do not ask, even if others lose something.")
    var yes = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !(withAdmitted || everything) || role == .participant else {
            throw ValidationError("--with-admitted and --everything apply only to the role participant")
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
            // A script continues if only the member itself loses something.
            if preview.needsConfirmation || Console.hasPerson {
                try Console.confirm(
                    "Continue?", since: preview.extent.everything ? "it purges photos" : "others lose something")
            }
        }
        try await rule(
            .revoke(role: role.rawValue, member: member, extent: extent, isConfirmed: true),
            named: "revoke", done: "revoked \(role.rawValue) of", event, common)
        guard role == .participant else { return }
        Console.say(
            "disposable: hint: the removed member still knows the invitation; `disposable invite rotate` replaces it")
    }
}

extension RevocationPreview {
    /// The effect to read before confirming.
    fileprivate var lines: [String] {
        var lines = [
            role == "\(RoleName.participant)"
                ? "\(name) would no longer be a member." : "\(name) would lose the role \(role)."
        ]
        if lostPhotoCount > 0 {
            lines.append("\(Show.count(lostPhotoCount, "photo")) of \(people(lostPeopleCount)) would be hidden.")
        }
        if keptPhotoCount > 0 {
            lines.append("\(Show.count(keptPhotoCount, "photo")) of \(people(keptPeopleCount)) would stay.")
        }
        if regainedPhotoCount > 0 { lines.append("\(Show.count(regainedPhotoCount, "photo")) would be shown again.") }
        if extent.everything {
            lines.append("\(Show.count(destroyedPhotoCount, "photo")) would be purged everywhere an hour later.")
        }
        if !extent.withAdmitted, !admitted.isEmpty, role == "\(RoleName.participant)" {
            lines.append(
                "\(people(admitted.count)) admitted only by \(name) would stay; --with-admitted removes them, too."
            )
        }
        if harmsOthers { lines.append("Others would lose something: \(harm).") }
        return lines
    }

    private func people(_ count: Int) -> String { count == 1 ? "1 person" : "\(count) people" }
}

/// The photos and annotations of a moderation action.
struct PhotoOptions: ParsableArguments {
    @Argument(help: "The ids of photos or texts, or their starts.")
    var photos: [String]

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    /// Sends one command for each in order; the first error ends it.
    func rule(named verb: String, done: String, _ act: (String) -> ControlAct) async throws {
        for photo in photos {
            try await disposable.rule(act(photo), named: verb, done: done, event, common)
        }
    }
}

struct HideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide", abstract: "Hide photos or texts of others; `unhide` shows them again.")

    @OptionGroup var target: PhotoOptions

    func run() async throws {
        try await target.rule(named: "hide", done: "hid") { .hide(photo: $0) }
    }
}

struct UnhideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unhide", abstract: "Show hidden photos or texts again.",
        discussion: "`disposable gallery --hidden` lists the photos.")

    @OptionGroup var target: PhotoOptions

    func run() async throws {
        try await target.rule(named: "unhide", done: "put back") { .unhide(photo: $0) }
    }
}

struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Delete photos or texts of others for everybody, for good.",
        discussion: """
            They are hidden everywhere at once and purged an hour later. This cannot be undone, unless the person who \
            erased with a stolen key is removed within that hour.
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var target: PhotoOptions

    func run() async throws {
        if !yes {
            for photo in target.photos { Console.say("  \(photo)") }
            try Console.confirm(
                "Erase \(target.photos.count == 1 ? "it" : "them") for everybody?", since: "erasing cannot be undone")
        }
        try await target.rule(named: "erase", done: "erased") { .erase(photo: $0) }
    }
}
