// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Foundation
import Synchronization

struct NearbyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby", abstract: "List the events on this network.")

    @Option(name: .customLong("for"), help: "How long to look, as 5s.")
    var duration: Seconds = Seconds(count: 5)

    @Option(help: ArgumentHelp("Look on this network interface only.", valueName: "name"))
    var interface: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let (console, common, interface, duration) = (common.console, common, interface, duration)
        let seen = Seen<NearbyEvent>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await Nearby.watch(interface: interface, folder: common.folder, logger: common.logger) {
                        event in
                        guard seen.isNew(event) else { return }
                        console.json("event", event)
                        console.result(
                            "\(event.name ?? "an unlisted event")  at \(event.address)\(event.isJoined ? "  (joined)" : "")"
                        )
                    }
                } catch let error where !(error is CancellationError) {
                    throw Failure(
                        "cannot look around: \(error)", hint: "other nodes can be named with --peer HOST:PORT")
                }
            }
            group.addTask { try await Task.sleep(for: .seconds(duration.count)) }
            try await group.next()
            group.cancelAll()
        }
        guard !seen.isEmpty else {
            Console.say("no event was announced on this network within \(duration.count) s")
            throw ExitCode(3)
        }
    }
}

/// A number of seconds, written `5s` or `5`.
struct Seconds: ExpressibleByArgument {
    let count: Int
    init(count: Int) { self.count = count }
    init?(argument: String) {
        guard let number = Int(argument.last == "s" ? argument.dropLast() : argument[...]), (1...3_600).contains(number)
        else { return nil }
        count = number
    }
    var defaultValueDescription: String { "\(count)s" }
}
