// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableDiscovery
public import DisposableModel
internal import DisposableSystem
internal import DisposableWire
internal import Foundation
internal import Logging

/// The board of a machine: fetches the cards of the nodes that were sighted, keeps them in the data folder, and passes
/// them on with those of its own events.
///
/// Sightings come from strangers. So there are few sources at a time, each is asked once a minute at most and one after
/// the other, and only addresses on networks that this machine is in.
public actor BoardKeeper {
    private struct Source {
        var host: String
        var port: UInt16
        var tag: String?
        var nextAt: ContinuousClock.Instant
        var askedAt: ContinuousClock.Instant?
        var failureCount = 0
        /// Whether it is asked once more only.
        var isLast = false
        var address: String { PeerAddress(host: host, port: port).description }
    }

    private static let interval = Duration.seconds(60)
    /// The pause between two requests to one node, whatever it announces.
    private static let pause = Duration.seconds(5)
    /// A source that fails so often in a row is given up until it is sighted again.
    private static let failureCountMax = 3
    private static let keptFor = Duration.seconds(1)
    /// The sources at one address; several nodes may run on one machine.
    private static let sourcesPerHostMax = 4

    private let path: String
    /// `lo` for nodes that must not leave the machine.
    private let interface: String?
    private let logger: Logger
    private let ownEvents: @Sendable () async -> [OwnEvent]
    private var board = Board()
    /// By what was sighted: an instance on a network.
    private var sources: [String: Source] = [:]
    private var own: [OwnEvent] = []
    private var ownReadAt: ContinuousClock.Instant?
    private var shown: (version: UInt64, rows: [BoardRow])?
    private var answer: (version: UInt64, bytes: [UInt8], tag: String)?
    private var writtenVersion: UInt64 = 0

    /// Reads the cards that are kept in the folder.
    init(
        folder: DataFolder, interface: String?, logger: Logger, ownEvents: @escaping @Sendable () async -> [OwnEvent]
    ) {
        path = folder.path + "/board.json"
        self.interface = interface
        self.logger = logger
        self.ownEvents = ownEvents
        if let bytes = FileManager.default.contents(atPath: path), let list = CardList([UInt8](bytes)) {
            board.restore(
                list.entries.map { entry in
                    Board.Held(
                        entry.signed, source: entry.source ?? "", seenAtMilliseconds: entry.seenAtMilliseconds ?? 0)
                }, at: Milliseconds.now)
        }
        writtenVersion = board.version
    }

    // For people and other nodes

    /// The listed events, in the order in which they are shown.
    public func rows() async -> [BoardRow] {
        await readOwn()
        board.forgetExpired(at: Milliseconds.now)
        if let shown, shown.version == board.version { return shown.rows }
        let rows = board.rows(own: own, at: Milliseconds.now)
        shown = (board.version, rows)
        return rows
    }

    /// The answer to `GET /api/cards`: at most 4 MiB of JSON, and its entity tag, computed once for each change.
    public func cards() async -> (bytes: [UInt8], tag: String) {
        await readOwn()
        board.forgetExpired(at: Milliseconds.now)
        if let answer, answer.version == board.version { return (answer.bytes, answer.tag) }
        let ownIDs = Dictionary(own.map { ($0.event, $0) }) { first, _ in first }
        let ours = own.compactMap { $0.signed.map { CardList.Entry($0) } }
        let others = board.held.compactMap { held -> CardList.Entry? in
            guard let own = ownIDs[held.signed.event] else { return CardList.Entry(held.signed) }
            // A member without the event key relays the card that others have signed, while the event is listed.
            guard own.signed == nil, own.card != nil || held.signed.card.isWithdrawn else { return nil }
            return CardList.Entry(held.signed)
        }
        let here = Set(own.filter { $0.isServed && $0.card != nil }.map(\.event))
        let bytes = CardList(Array((ours + others).prefix(Board.cardCountMax)), here: here).bytes
        let tag = "\"\(BLAKE2b.hash(bytes.span).description.prefix(32))\""
        answer = (board.version, bytes, tag)
        return (bytes, tag)
    }

    /// Reads the node's own events, at most once a second.
    private func readOwn() async {
        if let ownReadAt, .now - ownReadAt < Self.keptFor { return }
        ownReadAt = .now
        let events = await ownEvents()
        if events != own { answer = nil }
        own = events
        shown = nil  // the phases of events change with time
    }

    // Sources

    /// A node may announce listed events, and the port of the pages with their cards.
    func sighted(_ sighting: Sighting) {
        let name = Self.name(sighting.instanceName, sighting.interfaceName)
        if let port = AdvertisementText.pagePort(in: sighting.text) {
            sighted(name, host: sighting.host, port: port)
        } else if let source = sources[name] {
            // Its events are no longer listed, as it may say once more.
            sources[name]?.isLast = true
            sources[name]?.nextAt = source.askedAt.map { $0 + Self.pause } ?? .now
        }
    }

    func lost(_ instance: String, on interface: String) { lost(Self.name(instance, interface)) }

    /// The name of what is seen of a node on one network.
    private static func name(_ instance: String, _ interface: String) -> String { "\(instance)%\(interface)" }

    /// - Parameter instance: names the source; a node has one on each network.
    package func sighted(_ instance: String, host: String, port: UInt16) {
        guard isNear(host) else { return }
        if var known = sources[instance], known.host == host, known.port == port {
            // The node has changed its advertisement: fetch its cards again soon.
            known.isLast = false
            let earliest = known.askedAt.map { $0 + Self.pause } ?? .now
            known.nextAt = min(known.nextAt, max(earliest, .now))
            sources[instance] = known
            return
        }
        // A machine with IPv4 and IPv6 is one source: its IPv4 address stays.
        if let known = sources[instance], !known.host.contains(":"), host.contains(":"), known.port == port { return }
        guard sources[instance] != nil || mayAdd(host) else { return }
        lost(instance)
        sources[instance] = Source(host: host, port: port, nextAt: .now)
    }

    /// Whether there is a place for another source, of this machine too: it may announce any number of instances.
    private func mayAdd(_ host: String) -> Bool {
        sources.count < Board.sourceCountMax
            && (interface == "lo" || sources.values.count { $0.host == host } < Self.sourcesPerHostMax)
    }

    package func lost(_ instance: String) {
        guard let source = sources.removeValue(forKey: instance) else { return }
        if !sources.values.contains(where: { $0.address == source.address }) { board.lose(source.address) }
    }

    /// Whether the address is on a network of this machine; its own only if it must not leave the machine.
    private func isNear(_ host: String) -> Bool {
        (InterfaceAddress.all() ?? []).contains { address in
            address.isLoopback == (interface == "lo") && (interface == nil || address.name == interface)
                && !address.isLinkLocal && address.isOnSameNetwork(as: host)
        }
    }

    /// Asks the sources in turn, until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            if let (instance, source) = sources.min(by: { $0.value.nextAt < $1.value.nextAt }), source.nextAt <= .now {
                await ask(source, instance)
            } else {
                guard (try? await Task.sleep(for: .milliseconds(500))) != nil else { break }
            }
            keep()
        }
        keep()
    }

    private func ask(_ source: Source, _ instance: String) async {
        sources[instance]?.askedAt = .now
        sources[instance]?.nextAt = .now + Self.interval
        do {
            switch try await CardFetch.cards(of: source.host, port: source.port, tag: source.tag) {
            case .unchanged:
                board.seeAgain(source.address, at: Milliseconds.now)
                if board.lacksCards(of: source.address) { sources[instance]?.tag = nil }
            case .cards(let bytes, let tag):
                guard let list = await Self.read(bytes) else { throw CardFetch.Failure.brokenOff }
                if list.refusedCount > 0 {
                    logger.info(
                        "a node offers cards that are not valid",
                        metadata: ["node": "\(source.address)", "count": "\(list.refusedCount)"])
                }
                board.take(
                    list.entries.map(\.signed), from: source.address, here: list.here, at: Milliseconds.now)
                sources[instance]?.tag = tag
            }
            sources[instance]?.failureCount = 0
            if source.isLast { lost(instance) }
        } catch {
            logger.debug(
                "the cards of a node were not fetched", metadata: ["node": "\(source.address)", "reason": "\(error)"])
            // It may have asked for a pause, or be starting.
            sources[instance]?.tag = nil
            sources[instance]?.failureCount += 1
            if let count = sources[instance]?.failureCount, count >= Self.failureCountMax {
                lost(instance)
            } else {
                sources[instance]?.nextAt = .now + Self.pause
            }
        }
    }

    /// Checks the signatures, which takes a moment for many.
    @concurrent private static func read(_ bytes: [UInt8]) async -> CardList? { CardList(bytes) }

    /// Writes the cards into the data folder, if they have changed.
    private func keep() {
        guard board.version != writtenVersion else { return }
        writtenVersion = board.version
        let list = CardList(
            board.held.map { .init($0.signed, source: $0.source, seenAt: $0.seenAtMilliseconds) })
        do { try Data(list.bytes).write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
            logger.warning("the cards of other events are not kept", metadata: ["reason": "\(error)"])
        }
    }
}
