// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode

/// The result of a reveal, for scripts.
private struct Revealed: Encodable { let photoCount: Int }

/// The option of all commands that may open the photos early.
struct EarlyRevealOptions: ParsableArguments {
    @Flag(help: "Open the photos even if guests were told a later time.")
    var yes = false
}

struct EventRevealCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reveal", abstract: "Show the photos of an event that shows them later.",
        discussion: """
            Everybody sees all photos from then on, on every node, and this cannot be undone. An organizer's machine \
            with the key does this by itself at the planned time if it runs; this command does it earlier, or when the \
            host decides. Where organizers reveal the photos together (`host --shares`), it publishes this machine's \
            share, and says how many are missing.
            """)

    @OptionGroup var early: EarlyRevealOptions
    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        try await ask(.reveal(event: event.event, isConfirmed: early.yes), common) { reply in
            switch reply {
            case .revealed(let count):
                console.json("revealed", Revealed(photoCount: count))
                console.result("revealed \(count) photos")
            case .shares(let shares):
                console.json("shares", shares)
                console.result(shares.outcome)
            default: break
            }
        }
    }
}
