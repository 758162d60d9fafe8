// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Foundation
import Synchronization

struct InviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Show or print invitations; replace one that leaked.",
        discussion: """
            Without a subcommand it shows the guests' link; `disposable invite show --help` lists what else it shows \
            and prints, including the nodes' invitation (--node), codes (--qr) and posters (--poster).

            An invitation is a password: anyone who reads it can join. If the wrong people have it, or a removed \
            member still knows it, `disposable invite rotate` makes another one.
            """,
        subcommands: [
            InviteShowCommand.self, InviteTicketsCommand.self, InviteRotateCommand.self, InviteAdmitCommand.self,
        ],
        defaultSubcommand: InviteShowCommand.self)
}

struct InviteRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace the invitation and the guests' link by new ones.",
        discussion: """
            For organizers. Nobody can join with the old invitation, links and printed codes from then on. The nodes \
            of all members get the new secret automatically, also absent ones, as soon as they meet a node that has \
            it; removed members do not. Guests with open pages can continue.

            Devices that a member admits with the old invitation before it knows of the new one wait: `disposable \
            status` names them, and `disposable invite admit NAME` lets them stay.
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        if !yes {
            let preview = Mutex<RotationInfo?>(nil)
            try await ask(.rotate(event: event.event, isConfirmed: false), common) { reply in
                if case .rotating(let info) = reply { preview.withLock { $0 = info } }
            }
            guard let preview = preview.withLock({ $0 }) else { return }
            try confirm(preview)
        }
        try await ask(.rotate(event: event.event, isConfirmed: true), common) { reply in
            guard case .rotated(let info) = reply else { return }
            console.json("rotated", info)
            console.result(
                "\(info.name) has a new invitation: nobody can join with the old one or with printed codes")
            Console.say("`disposable invite` shows the new link, `disposable invite --node` the nodes' invitation")
            if info.leftOutCount > 0 {
                Console.say("\(Show.count(info.leftOutCount, "node")) had no room in it and must wait")
            }
            Console.say("`disposable status` shows which nodes use the new secret")
        }
    }

    private func confirm(_ preview: RotationInfo) throws {
        Console.say("The old invitation to \(preview.name), the guests' link and all printed codes stop working.")
        Console.say(
            "\(Show.count(preview.stayingCount, "node")) of members, this one included, will have the new secret.")
        if preview.leftOutCount > 0 {
            Console.say(
                "There is no room for \(preview.leftOutCount) more, the latest of those that one member admitted: "
                    + "they wait for the new invitation or `disposable invite admit`.")
        }
        if !preview.waiting.isEmpty {
            let others = preview.waitingCount - preview.waiting.count
            Console.say(
                "Waiting, and left out: \(preview.waiting.joined(separator: ", "))"
                    + (others > 0 ? " and \(others) more" : "") + " (`disposable invite admit`).")
        }
        try Console.confirm("Replace it?", since: "printed codes stop working")
    }
}

struct InviteAdmitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admit", abstract: "Give the new secret to a member that joined with the old invitation.",
        discussion:
            "For organizers. `disposable status` names waiting members. Check that you know them: anyone may have had the "
            + "old invitation.")

    @Argument(help: "The name of a waiting member, or the start of its key.")
    var member: String

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        try await ask(.admit(event: event.event, member: member), common) { reply in
            guard case .letIn(let node) = reply else { return }
            console.json("letIn", node)
            console.result("\(node.name) (\(node.device.prefix(8))) gets the new secret")
        }
    }
}

extension EpochStatus {
    /// The lines of `disposable status`; none before the first rotation.
    var lines: [String] {
        guard number > 0 else { return [] }
        var lines = [
            "secret   number \(number + 1); \(renewedCount) of \(Show.count(nodeCount, "node")) known to use it"
        ]
        if !hasSecret {
            lines.append(
                isWaiting
                    ? "waiting  this node joined with an old invitation: ask an organizer to admit it"
                    : "waiting  this node does not have the new secret: ask an organizer for the new invitation")
        }
        for node in waiting {
            lines.append(
                "waiting  \(node.name) (\(node.device.prefix(8))) waits for `invite admit`"
            )
            if node.othersCount > 0 {
                lines.append("waiting  and \(node.othersCount) more that the same member admitted")
            }
        }
        return lines
    }
}
