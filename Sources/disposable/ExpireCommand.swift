// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Glibc

struct EventExpireCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expire", abstract: "Forget an event here whose retention is over.",
        discussion: """
            A node does this by itself when an organizer's machine, or two machines with a role from organizers, \
            confirm the time, and it has run for a day since then. A machine without such peers does not trust its own \
            clock: it says so in `status`, and you decide. Possible only after retention; before, see `disposable \
            leave`. Exported photos stay.
            """)

    @Flag(help: "Confirm that the clock is right: destroy the event's data here.")
    var confirm = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Expired: Encodable { let name: String }

    func run() async throws {
        guard confirm else {
            throw Failure(
                "this destroys the event's data here and cannot be undone",
                hint: "check the clock, and add --confirm",
                exitCode: 2)
        }
        let console = common.console
        try await ask(.expire(event: event.event), common) { reply in
            guard case .expired(let name) = reply else { return }
            console.json("expired", Expired(name: name))
            console.result("forgot \(name): its data in this folder are destroyed")
        }
    }
}
