// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Glibc

struct EventExpireCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expire", abstract: "Forget an event here whose time of keeping is over.",
        discussion: """
            A node does it by itself when an organizer's machine, or two that organizers gave a role, say what time it is, \
            and it has run for a day since it knew. A machine that meets nobody does not trust its own clock: it says so \
            in `status`, and you decide. Only where the time is over; before that, see `disposable leave`. What you took \
            home with `export` stays.
            """)

    @Flag(help: "The clock is right: destroy what is here of the event.")
    var confirm = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Expired: Encodable { let name: String }

    func run() async throws {
        guard confirm else {
            throw Failure(
                "this destroys what is here of the event, and is not undone",
                hint: "look at the clock, and add --confirm",
                exitCode: 2)
        }
        let console = common.console
        try await ask(.expire(event: event.event), common) { reply in
            guard case .expired(let name) = reply else { return }
            console.json("expired", Expired(name: name))
            console.result("forgot \(name): nothing of it is in this folder any more")
        }
    }
}
