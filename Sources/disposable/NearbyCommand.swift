// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Foundation
import Synchronization

struct NearbyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby", abstract: "List the events on this network.",
        discussion: """
            With --json one line for each event and node, as it is seen. `disposable board` shows more of listed events, \
            also of those on other networks.
            """)

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
        for line in Self.lines(Array(seen.all)) { console.result(line) }
        guard !seen.isEmpty else {
            Console.say("no event was announced on this network within \(duration.count) s")
            throw ExitCode(3)
        }
    }
}

extension NearbyCommand {
    /// Returns a line for each event: by start, those without a name last. Nodes that announce the same name and start
    /// are taken for nodes of one event.
    static func lines(_ events: [NearbyEvent]) -> [String] {
        struct Key: Hashable {
            let name: String
            let startsAt: UInt64?
        }
        let named = Dictionary(grouping: events.filter { $0.name != nil }) { event in
            Key(name: event.name ?? "", startsAt: event.startsAtMilliseconds)
        }
        let sorted = named.sorted { left, right in
            (left.key.startsAt ?? .max, left.key.name) < (right.key.startsAt ?? .max, right.key.name)
        }
        let unlisted = events.filter { $0.name == nil }.sorted { $0.address < $1.address }
        return sorted.map { line($0.value) } + unlisted.map { line([$0]) }
    }

    private static func line(_ events: [NearbyEvent]) -> String {
        let start = events.lazy.compactMap(\.startsAtMilliseconds).first.map { "  \(Show.time($0))" } ?? ""
        let about = [events.lazy.compactMap(\.category).first, events.lazy.compactMap(\.place).first].compactMap(\.self)
        return "\(events[0].name ?? "an unlisted event")\(start)"
            + (about.isEmpty ? "" : "  (\(about.joined(separator: ", ")))")
            + "  at \(Set(events.map(\.address)).sorted().joined(separator: ", "))"
            + (events.contains(where: \.isJoined) ? "  (joined)" : "")
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
