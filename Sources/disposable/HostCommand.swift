// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposableWire
import Foundation
import Synchronization

struct HostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Create an event and run its node.",
        discussion: """
            Only the name is needed. The event's key is created on this machine and stays in the node's folder: keep \
            the folder safe. Without --draft the event is open at once: then guests can rely on their frames and on \
            the retention of photos. A draft can be edited freely, and its code printed and tested, until `disposable \
            event open`.
            """)

    @Argument(help: "The event's name, up to 80 characters.")
    var name: String

    @Option(
        help: ArgumentHelp(
            "Start with the settings for a kind of event (\(CharterText.presets)); other options override them.",
            valueName: "kind"),
        transform: CharterText.preset)
    var preset: CharterPreset?

    @Flag(help: "Do not open it yet.")
    var draft = false

    @OptionGroup(title: "The event") var parameters: CharterOptions

    @Option(
        help: ArgumentHelp(
            "Organizers reveal the photos together: how many of them it takes (2 to 7; there is one share more), or "
                + "2of4 (a new event: each organizer can).", valueName: "count"), transform: CharterText.shares)
    var shares: ShareRule?

    @Option(name: .customLong("as"), help: "Your name for guests.")
    var organizerName: String?

    @OptionGroup var options: RunOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let charter = try Charter.new(
            named: name, preset: preset, parameters.given, organizerName: organizerName, isDraft: draft)
        if shares != nil, charter.reveal == .now || charter.reveal == .never {
            throw Failure(NodeError.shares(.noReveal))
        }
        let node = try await common.node(try options.configuration)
        let event = try await node.host(
            charter, approval: parameters.photos.approve ?? .none, veils: parameters.photos.veils?.isOn ?? false,
            shares: shares, pageSealing: parameters.photos.pageSealing?.isOn ?? false, organizerName: organizerName)
        try await NodeRunner(
            node: node, console: common.console, logger: common.logger, pages: options.pages(of: node, common.logger)
        ) { [name, draft] in
            let info = try await node.event(event).invitation
            Console.say(
                draft
                    ? "\"\(name)\" is a draft. `disposable event edit` changes it, `disposable event open` opens it.\n"
                    : "\"\(name)\" is open.\n")
            try GuestInvitation(info).show()
            Console.say("Other machines join as nodes with:\n\n  disposable join \(info.invitation)\n")
            Console.say("Add photos from another terminal with `disposable add FILE...`. Ctrl-C stops the node.")
        }.run()
    }
}

struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Join an event with its invitation and run a node.")

    @Argument(help: "The invitation that `host` or `invite --node` shows, or the name of an event joined before.")
    var invitation: String

    @Option(name: .customLong("as"), help: "Your name for others.")
    var name: String?

    @Option(help: "Give up after this many seconds without admission; 0 waits forever.")
    var timeout = 0

    @Flag(help: "Join again as a new device, if this node has left the event.")
    var again = false

    @Flag(help: "Agree to the organizers' consent text for adding photos, without a question.")
    var agree = false

    @OptionGroup var options: RunOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        if let name, !Label.isAcceptable(name) { throw Failure(NodeError.refused(.malformedName)) }
        let parsed = try parse()
        let configuration = try options.configuration
        if case .name(let text) = parsed { try await checkName(text) }
        let node = try await common.node(configuration)
        let event: EventID
        switch parsed {
        case .invitation(let invitation):
            do { event = try await node.join(invitation, name: name, again: again) } catch NodeError.alreadyJoined(
                let name)
            {
                Console.say("this node is in \(name) already; running it")
                event = invitation.event
                if let name = self.name { try await node.event(event).keepName(name) }
            } catch let error as NodeError {
                throw Failure(error)
            }
        case .name(let text):
            do { event = try await node.event(named: text).event } catch { throw Self.noInvitation(text) }
        }
        try await runJoined(node, event)
    }

    private static func noInvitation(_ text: String) -> Failure {
        guard !isGuestCode(text) else {
            return Failure(
                "\(text) looks like a code for guests, which admits no node",
                hint: "type it on the page of a node, in a browser: `disposable nearby` lists events. For a node ask "
                    + "for the invitation, DISPOSABLE1:...", exitCode: 3)
        }
        return Failure(
            "\"\(text)\" is neither an invitation nor an event of this node",
            hint: "ask for the invitation, DISPOSABLE1:...: `disposable invite --node` shows it", exitCode: 3)
    }

    /// Whether a text that is no event's name is written like a guests' code, as `K7QM-3XPD`.
    private static func isGuestCode(_ text: String) -> Bool {
        let characters = text.filter { $0 != "-" && $0 != " " }
        return characters.count == 8 && characters.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            && (text.contains("-") || characters.contains(where: \.isNumber))
    }

    /// Asks a running node whether it has an event of this name, before it is reported as in the way.
    private func checkName(_ text: String) async throws {
        guard try !common.folder.events.isEmpty else { throw Self.noInvitation(text) }
        let isKnown = Mutex(true)
        _ = try await NodeClient.askRunningNode(.event(event: text), folder: common.folder) { reply in
            if case .failed(_, _, NodeError.unknownEvent(text).exitCode) = reply { isKnown.withLock { $0 = false } }
        }
        guard isKnown.withLock({ $0 }) else { throw Self.noInvitation(text) }
    }

    private enum Parsed {
        case invitation(Invitation)
        case name(String)
    }

    private func parse() throws -> Parsed {
        do throws(InvitationError) { return .invitation(try Invitation(text: invitation)) } catch {
            if error == .notAnInvitation { return .name(invitation) }
            throw Failure("\(error)", hint: Self.hint(for: error), exitCode: 2)
        }
    }

    private static func hint(for error: InvitationError) -> String? {
        switch error {
        case .guestLink: "ask the organizer for the nodes' invitation: `disposable invite --node`"
        case .unsupportedVersion: "use the same version of disposable on all machines"
        case .invalidCharacter: "copy it again completely; it has only letters and the digits 2 to 7"
        case .damaged: "copy it again completely, from DISPOSABLE1: to its end"
        case .notAnInvitation, .tooLong, .malformed: nil
        }
    }

    /// Runs the node; while no member has admitted it, reports the reason.
    private func runJoined(_ node: Node, _ event: EventID) async throws {
        let search = SponsorSearch(node: node, event: event, timeout: timeout)
        let consent = ConsentOnEntering(node: node, event: event, isAgreed: agree, console: common.console)
        var runner = NodeRunner(
            node: node, console: common.console, logger: common.logger,
            pages: try await options.pages(of: node, common.logger))
        runner.whenReady = {
            guard await (try? node.event(event))?.isAdmitted != true else { return }
            Console.say("looking for a node of the event that admits this one ...")
        }
        runner.whenRejected = { search.noteRejection(by: $0) }
        runner.whenReplaced = { search.noteReplacement() }
        runner.companions = [
            NodeRunner.Companion(name: "search for a sponsor") { try await search.run() },
            NodeRunner.Companion(name: "consent") { try await consent.run() },
        ]
        try await runner.run()
    }
}

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the node for all events of the folder.")

    @OptionGroup var options: RunOptions
    @OptionGroup var spare: SpareOptions
    @OptionGroup var common: CommonOptions

    func validate() throws { try spare.check(options) }

    func run() async throws {
        let configuration = try options.configuration
        guard try !common.folder.events.isEmpty else { throw Failure(.noEvents(path: common.folder.path)) }
        let node = try await common.node(configuration)
        let companions = try await spare.companions(of: node, options, common)
        var runner = NodeRunner(
            node: node, console: common.console, logger: common.logger,
            pages: try await options.pages(of: node, common.logger, port: spare.port))
        runner.whenReady = {
            Console.say("running; Ctrl-C stops the node")
            for event in await node.events { try GuestInvitation(try await node.event(event).invitation).show() }
        }
        runner.companions = companions
        try await runner.run()
    }
}

extension CommonOptions {
    /// Opens the node of the folder. A node that has just been stopped or killed, or a command, may hold the folder for
    /// a moment; a node that still answers after some seconds keeps running.
    func node(_ configuration: NodeConfiguration) async throws -> Node {
        // Before anything is read: a crash at the start leaves a report as well.
        CrashReports(of: folder).begin(version: ProgramVersion.text, logger: logger)
        for attempt in 1... {
            do { return try Node(folder: folder, configuration: configuration, logger: logger) } catch let error
                as NodeError
            {
                guard case .folderInUse = error, attempt < NodeClient.attemptCount else { throw Failure(error) }
                if attempt > 30, await NodeClient.isAnswered(in: folder) { throw Failure(error) }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        throw Failure(.folderInUse(path: folder.path))
    }
}
