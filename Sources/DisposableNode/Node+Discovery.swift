// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableDiscovery
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire
internal import Logging

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
                    text: AdvertisementText.encode(
                        shown, salt: advertisementSalt, pagePort: context.announcedPagePort)),
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
                await board.sighted(sighting)
            case .lost(let instance, let interface):
                // A hint as well: only the connection shows that the node is gone.
                await board.lost(instance, on: interface)
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
