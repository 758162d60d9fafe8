// SPDX-License-Identifier: Apache-2.0
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
