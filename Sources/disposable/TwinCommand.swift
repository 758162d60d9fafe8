// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import DisposableWire
import Synchronization

struct EventJoinGalleriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join-galleries", abstract: "Show the photos of two events as one gallery.",
        discussion: """
            An organizer of each event agrees, in three steps. You enter the nodes' invitation of the other event, and \
            get an agreement. The organizer of the other event enters your agreement, and gets another one. You enter \
            that. An agreement is a secret, as an invitation is. Where this node is an organizer's in both events, \
            --with does all of it.

            Nodes of each event then read the other one, without frames and without adding anything, and pages show \
            both. Everybody at one event can see and save the photos of the other, also who comes later. Without text \
            and options the command lists the joined galleries.
            """)

    @Argument(
        help: ArgumentHelp("The nodes' invitation of the other event, or its agreement.", valueName: "text"))
    var text: String?

    @Option(help: "Join with another event of this node: its name, or the start of its id.")
    var with: String?

    @Option(help: "Separate the galleries again: the other event's name, or the start of its id.")
    var separate: String?

    @Option(help: "Give the members of now the other event's present secret, after one of the events has a new one.")
    var renew: String?

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [text, with, separate, renew].count(where: { $0 != nil }) <= 1 else {
            throw ValidationError("give one of: a text, --with, --separate, --renew")
        }
    }

    func run() async throws {
        let act = self.act
        if !yes { try await confirm(act) }
        let console = common.console
        try await ask(.twins(event: event.event, act: act), common) { reply in
            guard case .twins(let report) = reply else { return }
            console.json("twins", report)
            if let agreement = report.agreement {
                Console.say(
                    "Give this to the organizer of the other event, unless they have entered one of yours. It is a "
                        + "secret, as an invitation is:\n")
                console.result(agreement)
                Console.say("\nThere: `disposable event join-galleries DISPOSABLETWIN1:...`\n")
            }
            console.result(report.lines)
        }
    }

    private var act: TwinAct {
        if let text { return .take(text: text) }
        if let with { return .with(event: with) }
        if let separate { return .separate(event: separate) }
        if let renew { return .renew(event: renew) }
        return .list
    }

    private func confirm(_ act: TwinAct) async throws {
        if act == .list { return }
        let found = Mutex<TwinReport?>(nil)
        try await ask(.twins(event: event.event, act: .list), common) { reply in
            if case .twins(let report) = reply { found.withLock { $0 = report } }
        }
        guard let report = found.withLock({ $0 }) else { return }
        switch act {
        case .list, .separate: return
        case .renew:
            Console.say(
                "Everybody at \(report.name) gets the other event's present invitation then, also somebody who was "
                    + "removed there. To keep a person out, remove that person from \(report.name) first, or separate "
                    + "the galleries.")
            try Console.confirm("Renew?", since: "people who were removed from the other event could get in again")
        case .take(let text) where !TwinOffer.isOffer(text):
            Console.say(
                "The agreement lets the organizer of the other event show all photos of \(report.name) there.")
            try Console.confirm("Make it?", since: "everybody at the other event can see and save the photos then")
        case .take, .with:
            Console.say(
                "Everybody at \(report.name) can see and save the photos of the other event then, and everybody there "
                    + "those of \(report.name).")
            try Console.confirm("Join the galleries?", since: "guests of both events see each other's photos")
        }
    }
}

extension TwinReport {
    /// The joined galleries, for a person.
    fileprivate var lines: String {
        guard !twins.isEmpty else { return "the gallery of \(name) is joined with no other" }
        return twins.map { twin in
            let photos = Show.count(twin.photoCount, "photo")
            let state =
                switch twin.state {
                case .joined: "joined, \(photos)"
                case .waiting: "waits for the agreement of its organizer, or for its photos"
                case .ended: "ended by its organizer"
                }
            let renewal = twin.needsRenewal && twin.state != .ended ? "; nodes that come now need --renew" : ""
            return "\(twin.event.prefix(8))  \(twin.name): \(state)\(renewal)"
        }.joined(separator: "\n")
    }
}
