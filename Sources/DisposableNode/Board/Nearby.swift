// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableDiscovery
public import DisposableModel
internal import DisposableSync
internal import DisposableWire
public import Logging

/// An event that is announced on this network.
public struct NearbyEvent: Codable, Sendable, Hashable {
    /// `nil` for an unlisted event.
    public var name: String?
    /// Milliseconds since 1970 UTC.
    public var startsAtMilliseconds: UInt64?
    /// A word of `EventCategory`, and the place, if the advertisement has room for them.
    public var category: String?
    public var place: String?
    /// Likewise.
    public var position: EventParameters.Position?
    /// The address of one of its nodes.
    public var address: String
    /// Whether this node is a member of it.
    public var isJoined: Bool
}

/// Watches the network without being a node.
public enum Nearby {
    /// Calls `found` for each event as it is seen, until the task is cancelled. Throws if mDNS is unavailable at the
    /// start; an interface that disappears later may return.
    /// - Parameters:
    ///   - interface: the only network interface to watch; `nil` for all.
    ///   - folder: the data folder whose events are marked as joined.
    ///   - logger: the log.
    ///   - found: called for one event at a time.
    public static func watch(
        interface: String?, folder: DataFolder, logger: Logger, found: @Sendable (NearbyEvent) async -> Void
    ) async throws {
        let discovery = try Discovery(interface: interface, logger: logger)
        defer { discovery.stop() }
        let joined = try folder.credentials
        var hasWorked = false
        for await update in discovery.updates {
            switch update {
            case .found(let sighting):
                for event in AdvertisementText.events(in: sighting.text) {
                    await found(
                        NearbyEvent(
                            name: event.name, startsAtMilliseconds: event.startsAtMilliseconds,
                            category: event.category?.rawValue, place: event.place,
                            position: event.position.map { EventParameters.Position($0) },
                            address: PeerAddress(host: sighting.host, port: sighting.port).description,
                            isJoined: joined.contains {
                                AdvertisementText.names($0, at: event.index, in: sighting.text)
                            }))
                }
            case .mode(.off, let reason):
                guard hasWorked else { throw NodeError.storage("mDNS does not work: \(reason ?? "no reason given")") }
            case .mode: hasWorked = true
            case .lost: break
            }
        }
    }

    /// Returns the listed events that this machine knows of, without a running node: the events kept in the data folder,
    /// and the events that nodes on the network relay before the time limit.
    /// - Parameters:
    ///   - interface: the only network interface to watch; `nil` for all.
    ///   - folder: the data folder.
    ///   - logger: the log.
    ///   - time: the time limit.
    ///   - whenDeaf: called if the network cannot be watched; then only kept events are returned.
    public static func board(
        interface: String?, folder: DataFolder, logger: Logger, within time: Duration,
        whenDeaf: @Sendable (any Error) -> Void
    ) async -> [BoardRow] {
        let keeper = BoardKeeper(folder: folder, interface: interface, logger: logger) { [] }
        do {
            let discovery = try Discovery(interface: interface, logger: logger)
            defer { discovery.stop() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await update in discovery.updates {
                        guard case .found(let sighting) = update else { continue }
                        await keeper.sighted(sighting)
                    }
                }
                group.addTask { await keeper.run() }
                group.addTask { try? await Task.sleep(for: time) }
                await group.next()
                group.cancelAll()
            }
        } catch { whenDeaf(error) }
        return await keeper.rows()
    }
}

/// An event of the board for the command line.
public struct BoardEvent: Codable, Sendable, Equatable {
    /// Rounded numbers of the last hour.
    public struct Recent: Codable, Sendable, Equatable {
        public var photos: UInt32
        public var people: UInt32
    }

    public var event: String
    public var name: String
    /// A word of `EventCategory`; `nil` if none is stated.
    public var category: String?
    public var place: String
    /// `nil` if not stated.
    public var position: EventParameters.Position?
    /// Milliseconds since 1970 UTC.
    public var startsAt: UInt64
    public var endsAt: UInt64
    /// `running`, `upcoming` or `over`.
    public var phase: String
    /// Whether its pages can be reached on this network.
    public var isReachable: Bool
    /// Whether this node is in it.
    public var isJoined: Bool
    /// `nil` if nothing is known to have happened.
    public var recent: Recent?
    /// `nil` if not stated.
    public var price: EventParameters.Price?
    public var links: [EventParameters.Link]
    public var details: String
    public var organizer: String
    public var contact: String
    public var registration: String
    /// The addresses of its pages on other nodes.
    public var pages: [String]
    public var seenAt: UInt64
    /// The event's public key, of which the fingerprint words are made.
    public var key: String

    public init(_ row: BoardRow) {
        event = row.event.description
        name = row.card.name
        category = row.category?.rawValue
        place = row.card.place
        position = row.card.position.map { EventParameters.Position($0) }
        startsAt = row.card.startsAtMilliseconds
        endsAt = row.card.endsAtMilliseconds
        phase = "\(row.phase)"
        isReachable = row.isReachable
        isJoined = row.isOwn
        recent =
            row.activity == .none
            ? nil : Recent(photos: row.activity.photoCount, people: row.activity.personCount)
        price = row.card.price.map { .init(cents: $0.cents, currency: $0.currency) }
        links = row.card.links.map { .init(kind: "\($0.kind)", address: $0.address) }
        details = row.card.details
        organizer = row.card.organizer
        contact = row.card.contact
        registration = row.card.registration
        pages = row.pages.map { "http://\($0)/" }
        seenAt = row.seenAtMilliseconds
        key = row.eventKey.description
    }
}
