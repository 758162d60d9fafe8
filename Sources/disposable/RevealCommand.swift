// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode

/// What opening the photos comes to, for scripts.
private struct Revealed: Encodable { let photoCount: Int }

/// Of everything that may open the photos before their time.
struct EarlyRevealOptions: ParsableArguments {
    @Flag(help: "Also where it opens the photos earlier than guests were told.")
    var yes = false
}

struct EventRevealCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reveal", abstract: "Show the photos of an event that shows them later.",
        discussion: """
            Everybody sees everything from then on, on every node, and nothing makes it unseen. An organizer's machine \
            that has the key does it by itself when the time has come and it runs; this command does it earlier, or when \
            the host decides.
            """)

    @OptionGroup var early: EarlyRevealOptions
    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        try await ask(.reveal(event: event.event, isConfirmed: early.yes), common) { reply in
            guard case .revealed(let count) = reply else { return }
            console.json("revealed", Revealed(photoCount: count))
            console.result("revealed \(count) photos")
        }
    }
}
