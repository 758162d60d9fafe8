// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableDiscovery
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire
public import Logging

/// mDNS: announces the events of this node, as tags that only members recognize, and notices those of others. A
/// sighting is a hint worth one dial, never an identity.
extension Node {
    func startDiscovery() {
        guard mayUseMulticast else { return }
        do {
            discovery = try Discovery(interface: configuration.interface, logger: logger)
        } catch {
            noteMulticastProblem("\(error)")
        }
    }

    private func noteMulticastProblem(_ reason: String) {
        note(
            .multicast,
            "no mDNS (\(reason)): it is tried again every few seconds; until then this node uses the addresses that it "
                + "knows, and those named with --peer or in an invitation")
    }

    var mayUseMulticast: Bool { configuration.usesMulticast && configuration.listen != .none }

    /// Follows mDNS as soon as it is available: an adapter may be plugged in after the start.
    func discover() async {
        while discovery == nil {
            guard (try? await Task.sleep(for: .seconds(5))) != nil, !isStopped else { return }
            startDiscovery()
            await advertise()
        }
        if let discovery { await follow(discovery) }
    }

    /// The present mode of discovery.
    public var usesMulticast: Bool { discovery != nil }

    /// Updates the advertisement of all events: a node in several has the tag of each.
    /// - Parameter renewing: announces it again even if it is unchanged.
    func advertise(renewing: Bool = false) async {
        let port = context.reach.listenPort
        guard let discovery, port > 0 else { return }
        var shown: [AdvertisedEvent] = []
        for event in open.values { shown.append(await event.advertised) }
        do {
            try discovery.advertise(
                Advertisement(
                    instanceName: instanceName, port: port,
                    text: AdvertisementText.encode(shown, salt: advertisementSalt)),
                renewing: renewing)
        } catch {
            note("this node is not announced by mDNS: \(error)")
        }
    }

    func follow(_ discovery: Discovery) async {
        for await update in discovery.updates {
            switch update {
            case .found(let sighting):
                // Also under the name that it gets when another node, or an echo of its own, has this one.
                guard !sighting.instanceName.hasPrefix(instanceName) else { continue }
                let address = PeerAddress(host: sighting.host, port: sighting.port)
                for event in open.values {
                    let attempt = event.summary.current.keyring.all.firstIndex {
                        AdvertisementText.names($0, in: sighting.text)
                    }
                    if let attempt { await event.sighted(address, attempt: attempt) }
                }
            case .lost: break  // a hint as well: only the connection shows that the node is gone
            case .mode(let mode, let reason):
                context.updateReach { $0.discoveryMode = mode.rawValue }
                if mode == .off {
                    noteMulticastProblem(reason ?? "no reason given")
                } else {
                    logger.info("searching for other nodes", metadata: ["mDNS": "\(mode.rawValue)"])
                    solve(.multicast, "mDNS works: this node searches for others")
                }
                announce(.discovery(mode: mode.rawValue, reason: reason))
                for event in events { announce(.peers(event)) }
            }
        }
    }

    /// Repeats the advertisement, because caches forget it, packets are lost, and its addresses may be outdated. A new
    /// salt also makes new tags.
    func renewAdvertisement() async {
        advertisementSalt = Entropy.bytes(8)
        await advertise(renewing: true)
    }

    func followNetwork() async {
        for await _ in NetworkChanges.stream() {
            await endStrandedConnections()
            await interrupt()
            announce(.moved)
        }
    }

    func renewAdvertisementRegularly() async {
        while (try? await Task.sleep(for: .seconds(600))) != nil { await renewAdvertisement() }
    }
}

/// The advertised data of one event.
struct AdvertisedEvent: Sendable {
    let event: EventID
    let credentials: EventCredentials
    /// Earlier secrets, as long as members may have no later one.
    let olderCredentials: [EventCredentials]
    let charter: Charter?
}

extension EventNode {
    var advertised: AdvertisedEvent {
        AdvertisedEvent(
            event: event, credentials: replica.credentials,
            olderCredentials: Array(replica.shownCredentials.dropFirst()),
            charter: replica.state.charter)
    }
}

/// The content of an advertisement's TXT record (protocol/disposable-v1.md §5).
package enum AdvertisementText {
    static let version = Array("1".utf8)

    /// `v`, the salt `s` and a tag `t0`, `t1`, ... for each event; for earlier secrets `o0`, ...; for listed events the
    /// name `n0`, `n1`, ... and start `b0`, ...
    static func encode(_ events: [AdvertisedEvent], salt: [UInt8]) -> [String: [UInt8]] {
        var text: [String: [UInt8]] = ["v": version, "s": Array(salt.hex.utf8)]
        let events = events.sorted { $0.event < $1.event }
        for (index, event) in events.prefix(tagCountMax).enumerated() {
            text["t\(index)"] = Array(event.credentials.advertisementTag(salt: salt).hex.utf8)
            guard let charter = event.charter, charter.isListed else { continue }
            text["n\(index)"] = shortened(charter.name)
            guard !charter.isUndatedDraft else { continue }
            text["b\(index)"] = Array(String(charter.startsAtMilliseconds).utf8)
        }
        // If there is room, tags by earlier secrets, for members that have not received the new one.
        let older = events.flatMap(\.olderCredentials)
        for (index, credentials) in older.prefix(max(0, tagCountMax - events.count)).enumerated() {
            text["o\(index)"] = Array(credentials.advertisementTag(salt: salt).hex.utf8)
        }
        return text
    }

    private static let tagCountMax = 8
    /// The length limit of a name: eight fit into a text record of 1,300 bytes. Cut between characters.
    private static let nameByteCountMax = 80

    private static func shortened(_ name: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for character in name {
            guard bytes.count + character.utf8.count <= nameByteCountMax else { break }
            bytes += character.utf8
        }
        return bytes
    }

    /// Whether one of the tags belongs to the event.
    static func names(_ credentials: EventCredentials, in text: [String: [UInt8]]) -> Bool {
        (0..<tagCountMax).contains {
            names(credentials, at: $0, in: text) || isTag("o\($0)", of: credentials, in: text)
        }
    }

    static func names(_ credentials: EventCredentials, at index: Int, in text: [String: [UInt8]]) -> Bool {
        isTag("t\(index)", of: credentials, in: text)
    }

    private static func isTag(_ key: String, of credentials: EventCredentials, in text: [String: [UInt8]]) -> Bool {
        guard let salt = salt(in: text), let tag = text[key],
            let bytes = [UInt8](hex: String(decoding: tag, as: UTF8.self))
        else { return false }
        return credentials.matches(advertisementTag: bytes, salt: salt)
    }

    private static func salt(in text: [String: [UInt8]]) -> [UInt8]? {
        guard text["v"] == version, let salt = text["s"] else { return nil }
        return [UInt8](hex: String(decoding: salt, as: UTF8.self))
    }

    /// Returns the events of an advertisement, listed or unlisted.
    package static func events(in text: [String: [UInt8]]) -> [(
        index: Int, name: String?, startsAtMilliseconds: UInt64?
    )] {
        guard salt(in: text) != nil else { return [] }
        return (0..<8).filter { text["t\($0)"] != nil }.map { index in
            let name = text["n\(index)"].map { String(decoding: $0, as: UTF8.self) }
            let start = text["b\(index)"].flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
            return (index, name.flatMap { Label.isWellFormed($0) ? $0 : nil }, start)
        }
    }
}

/// An event that is advertised on this network.
public struct NearbyEvent: Codable, Sendable, Hashable {
    /// `nil` for an unlisted event.
    public var name: String?
    /// Milliseconds since 1970 UTC.
    public var startsAtMilliseconds: UInt64?
    /// The address of one of its nodes.
    public var address: String
    /// Whether this node is a member of it.
    public var isJoined: Bool
}

/// Watches the network without being a node.
public enum Nearby {
    /// Calls `found` for each event as it is seen, until the task is cancelled. Throws if mDNS is unavailable at the
    /// start; an interface that disappears later may return.
    /// - Parameter folder: the data folder whose events are marked as joined.
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
}
