// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
import DisposableConsole
import DisposableCrypto
import DisposableModel
import DisposableNode
import DisposablePortal
import Foundation
import Synchronization

extension BoardOrder: ExpressibleByArgument {}

struct BoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board", abstract: "List the events that nodes around have told of, here and elsewhere.",
        discussion: """
            Events that can be visited on this network come first, marked *. Others were seen on another network, or \
            passed on by a node. The list is the running node's; without one it is what this machine has kept, and \
            what nodes on the network tell within a few seconds. Numbers of photos and people are those of the last \
            hour, rounded down.
            """)

    @Argument(help: "Words of the name, the place or the organizer.")
    var search: [String] = []

    @Option(
        help: ArgumentHelp("Only this kind of event: \(CharterText.categories).", valueName: "kind"),
        transform: CharterText.category)
    var category: String?

    @Option(help: "Which events come first: those on this network, or those with the most people in the last hour.")
    var sort: BoardOrder = .near

    @Option(name: .customLong("for"), help: "How long to look, without a running node.")
    var duration: Seconds = Seconds(count: 5)

    @Option(help: ArgumentHelp("Look on this network interface only, without a running node.", valueName: "name"))
    var interface: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard search.joined(separator: " ").utf8.count <= [BoardRow].searchByteCountMax else {
            throw ValidationError("a search has at most \([BoardRow].searchByteCountMax) bytes")
        }
    }

    func run() async throws {
        let console = common.console
        let events = try await self.events()
        for event in events {
            console.json("event", event)
            guard !console.isJSON else { continue }
            let text = events.count == 1 ? try Self.details(of: event) : Self.line(event)
            console.result(text)
        }
        guard !events.isEmpty else {
            Console.say(
                search.isEmpty && category == nil
                    ? "no event is known here; nodes tell of listed events as soon as they are on the same network"
                    : "no known event is like that")
            throw ExitCode(3)
        }
    }

    private func events() async throws -> [BoardEvent] {
        let (words, category) = (search.joined(separator: " "), category.flatMap { $0.isEmpty ? nil : $0 })
        if await NodeClient.isAnswered(in: common.folder) {
            let found = Mutex<[BoardEvent]>([])
            try await ask(.board(search: words, category: category, order: sort), common) { reply in
                if case .board(let event) = reply { found.withLock { $0.append(event) } }
            }
            return found.withLock { $0 }
        }
        let rows = await Nearby.board(
            interface: interface, folder: common.folder, logger: common.logger, within: .seconds(duration.count)
        ) { error in
            Console.say("disposable: warning: cannot look around (\(error)): these are the events that were kept")
        }
        return rows.matching(words, category: category.flatMap(EventCategory.init(label:))).sorted(sort)
            .map(BoardEvent.init)
    }

    private static func line(_ event: BoardEvent) -> String {
        let about = [event.category, event.place.isEmpty ? nil : event.place, event.phase == "upcoming" ? nil : event.phase]
        let host = event.organizer.isEmpty ? "" : "  by \(event.organizer)"
        let lastHour = recent(event).map { "  \($0) in the last hour" } ?? ""
        return "\(event.isReachable ? "*" : " ") \(Show.time(event.startsAt))  \(event.name)"
            + (about.contains { $0 != nil } ? "  (\(about.compactMap(\.self).joined(separator: ", ")))" : "") + host
            + lastHour + (event.isJoined ? "  (joined)" : "")
    }

    private static func recent(_ event: BoardEvent) -> String? {
        guard let recent = event.recent else { return nil }
        let photos = recent.photos > 0 ? Show.count(Int(recent.photos), "photo") : nil
        let people = recent.people > 0 ? "\(recent.people) \(recent.people == 1 ? "person" : "people")" : nil
        return "about " + [photos, people].compactMap(\.self).joined(separator: ", ")
    }

    private static func details(of event: BoardEvent) throws -> String {
        let price = event.price.map { price in
            price.cents == 0
                ? "free" : String(format: "%d.%02d ", price.cents / 100, price.cents % 100) + price.currency
        }
        let words = try Bytes32(hex: event.key).map { try FingerprintWords.words(of: VerifyingKey($0)) }
        let fields: [(String, String?)] = [
            ("place", event.place), ("position", event.position?.position?.written),
            ("starts", Show.time(event.startsAt)), ("ends", Show.time(event.endsAt)),
            ("category", event.category), ("price", price), ("host", event.organizer), ("contact", event.contact),
            ("SIREN/SIRET", event.registration.isEmpty ? nil : "\(event.registration) (format valid, not verified)"),
            ("last hour", recent(event)), ("words", words?.joined(separator: " ")),
            ("pages", event.isReachable ? event.pages.joined(separator: " ") : "not on this network"),
        ]
        let lines = fields.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : "  \(name.padding(toLength: 12, withPad: " ", startingAt: 0)) \($0)" }
        }
        let links = event.links.map { "  \($0.kind.padding(toLength: 12, withPad: " ", startingAt: 0)) \($0.address)" }
        let prose = event.details.isEmpty ? [] : ["", event.details]
        return ([event.name] + lines + links + prose).joined(separator: "\n")
    }
}
