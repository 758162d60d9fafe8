// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode

struct EventArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "List an event last at the desk of this node.",
        discussion: """
            For a node with several events. Nothing else changes: the event keeps its photos and its pages, and no other \
            node is told.
            """)

    @Flag(help: "Take the event out of the archive.")
    var off = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Archived: Encodable {
        let name: String
        let isOn: Bool
    }

    func run() async throws {
        let console = common.console
        try await ask(.archive(event: event.event, isOn: !off), common) { reply in
            guard case .archived(let name, let isOn) = reply else { return }
            console.json("archived", Archived(name: name, isOn: isOn))
            console.result("\(name) is \(isOn ? "in" : "out of") the archive")
        }
    }
}
