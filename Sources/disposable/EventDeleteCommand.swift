// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Synchronization

struct EventDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an event on every node before its time.",
        discussion: """
            For organizers. All pages of the event end at once. Every node destroys the event's keys and data as after \
            any retention: when it has run for a day since then. A node that is off does so after it returns. It cannot \
            be undone. Exports, albums, mirrors and backups of the event key stay.
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Deleted: Encodable { let name: String }

    func run() async throws {
        let console = common.console
        let found = Mutex<EventInfo?>(nil)
        try await ask(.event(event: event.event), common) { reply in
            if case .event(let info) = reply { found.withLock { $0 = info } }
        }
        guard let info = found.withLock({ $0 }) else { return }
        let name = info.parameters.name ?? "the event"
        if !yes {
            Console.say(
                "\(name) disappears for everyone, with \(Show.count(info.photos.photoCount, "photo")). "
                    + "This cannot be undone.")
            try Console.confirm("Delete \(name) on every node?", since: "everyone loses the photos")
        }
        try await ask(.rule(event: event.event, act: .deleteEvent), common) { reply in
            guard case .edited = reply else { return }
            console.json("deleted", Deleted(name: name))
            console.result(
                "deleted \(name): its pages end now, and every node destroys its data after running for a day")
        }
    }
}
