// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode

/// The result, for scripts.
private struct GivenZone: Encodable {
    let member: String
    /// The person of the node.
    let name: String
    /// Absent where the node has none now.
    let zone: String?
}

struct ZoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zone", abstract: "Say at which place of the event a machine is.",
        discussion: """
            For organizers. Photos that this machine takes in, its person's own and those of the guests at its pages, \
            are then shown with the place: "Dance floor". The place is where a photo came in; a guest may have taken it \
            elsewhere. `disposable people` lists the places, and `none` takes one away.
            """)

    @Argument(help: "The name of the place, up to 40 characters, or none.")
    var zone: String

    @Option(help: "The person of another machine: the name, or the start of the key.")
    var node: String?

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        let name = zone == "none" ? nil : zone
        try await ask(.rule(event: event.event, act: .zone(member: node, name: name)), common) { reply in
            guard case .ruled(_, let member?, _) = reply else { return }
            console.json("zone", GivenZone(member: member.key, name: member.name, zone: name))
            console.result("the machine of \(member.name) \(name.map { "is at \"\($0)\"" } ?? "has no place") now")
        }
    }
}
