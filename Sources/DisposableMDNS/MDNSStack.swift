// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues

/// Multicast DNS and DNS-SD (RFC 6762, RFC 6763) for one type of service: publishes one instance, and reports those of
/// others, on any number of links. No sockets, clock or randomness: time in milliseconds of a clock that never goes
/// back, packets and a random source are arguments, packets and sightings are outputs.
///
/// The reason for our own stack: it parses untrusted packets in the process that holds the event's keys. Avahi's
/// library, which nodes embedded before, is C with assertions that one packet of 223 bytes could reach, and its work
/// for each packet grows with the number of nodes. This one is memory-safe, supports one type of service only, and has
/// a limit for everything that another host can cause (``MDNSLimits``).
///
/// After each call that takes `now`, ``takeOutputs()`` returns the actions to take, and ``nextDeadline`` the time to
/// call ``advance(to:)``.
package struct MDNSStack: Sendable {
    package enum Output: Equatable, Sendable {
        /// Send to the group of the link, or to one endpoint.
        case send([UInt8], on: LinkID, to: Endpoint?)
        /// Resolved for the first time, or with another address, port or text than before.
        case found(SeenService, on: LinkID)
        /// No longer on either link of an interface.
        case lost(instanceName: String, interfaceIndex: UInt32)
        /// Another host has, or claims to have, the name that was published.
        case renamed(String)
    }

    private let serviceType: DomainName
    private var jitter: Jitter
    private var links: [LinkID: MulticastLink] = [:]
    /// The addresses of this machine on all links.
    private var machine: Set<IPAddress> = []
    private var outputs: [Output] = []

    private var published: PublishedService?
    private var names: OwnNames?
    private var naming: InstanceNaming?

    /// - Parameter serviceType: such as "_disposable._tcp"; the domain is "local".
    package init(serviceType: String, random: any RandomNumberGenerator & Sendable) {
        guard let name = DomainName(serviceType + ".local") else { preconditionFailure("\(serviceType) is no name") }
        self.serviceType = name
        jitter = Jitter(random)
    }

    package var nextDeadline: UInt64? { links.values.compactMap(\.nextDeadline).min() }

    /// Returns the outputs in order; each is returned once.
    package mutating func takeOutputs() -> [Output] {
        defer { outputs.removeAll(keepingCapacity: true) }
        return outputs
    }

    /// The name that is published or being published.
    package var instanceName: String? { naming?.current }

    /// Sets the present links; beyond ``MDNSLimits/linkCountMax`` only those of the lowest indices.
    package mutating func setLinks(_ descriptions: [LinkDescription], at now: UInt64) {
        let wanted = descriptions.sorted { $0.id < $1.id }.prefix(MDNSLimits.linkCountMax)
        machine = Set(wanted.flatMap(\.addresses))
        for (id, link) in links where !wanted.contains(where: { $0.id == id }) {
            links[id] = nil
            for instance in link.browser.cache.instances.values {
                if let reported = instance.reported { lose(reported.instanceName, on: id) }
            }
        }
        for description in wanted where links[description.id]?.description != description {
            let id = description.id
            var link =
                links[id] ?? MulticastLink(description, serviceType: serviceType, at: now, &jitter)
            if link.description != description { link.change(to: description, at: now, &jitter) }
            links[id] = link
            publish(on: id, renewing: false, at: now)
        }
    }

    /// Publishes `service` instead of the previous one; `nil` withdraws it, with a goodbye.
    /// - Parameter renewing: announce it even if nothing has changed.
    package mutating func publish(_ service: PublishedService?, renewing: Bool, at now: UInt64) {
        if service?.instanceName != published?.instanceName {
            naming = service.map { InstanceNaming($0.instanceName) }
            names = service.flatMap { ownNames(instance: $0.instanceName) }
        }
        published = service
        for id in links.keys.sorted() { publish(on: id, renewing: renewing, at: now) }
    }

    private mutating func publish(on id: LinkID, renewing: Bool, at now: UInt64) {
        guard var link = links[id] else { return }
        link.responder.publish(
            ownService(on: link), isAsserted: naming?.isAsserted ?? false, renewing: renewing, at: now, &jitter,
            &link.output)
        links[id] = link
        collect(id, at: now)
    }

    package mutating func receive(_ datagram: Datagram, on id: LinkID, at now: UInt64) {
        guard var link = links.removeValue(forKey: id) else { return }
        link.receive(datagram, machine: machine, at: now, &jitter)
        links[id] = link
        collect(id, at: now)
    }

    package mutating func advance(to now: UInt64) {
        for id in links.keys.sorted() {
            guard let deadline = links[id]?.nextDeadline, deadline <= now else { continue }
            links[id]?.advance(to: now, &jitter)
            collect(id, at: now)
        }
    }

    /// Handles a failure to send on the link: it is tried again, with growing pauses.
    package mutating func sendFailed(on id: LinkID, at now: UInt64) { links[id]?.sendFailed(at: now, &jitter) }

    private mutating func collect(_ id: LinkID, at now: UInt64) {
        for item in links[id]?.output.take() ?? [] {
            switch item {
            case .send(let bytes, let endpoint): outputs.append(.send(bytes, on: id, to: endpoint))
            case .found(let service): outputs.append(.found(service, on: id))
            case .lost(let name): lose(name, on: id)
            case .conflict(let conflict): resolve(conflict, on: id, at: now)
            }
        }
    }

    private mutating func lose(_ instanceName: String, on id: LinkID) {
        let other = LinkID(interfaceIndex: id.interfaceIndex, isIPv6: !id.isIPv6)
        guard links[other]?.browser.sees(instanceName) != true else { return }
        outputs.append(.lost(instanceName: instanceName, interfaceIndex: id.interfaceIndex))
    }

    // Names

    private func ownService(on link: MulticastLink) -> OwnService? {
        guard let published, let names else { return nil }
        return OwnService(
            serviceType: serviceType, names: names, port: published.port, text: TextRecord.encode(published.text),
            addresses: Set(link.description.addresses).sorted())
    }

    /// Creates the names; the host's name is random, so that it identifies no device.
    private mutating func ownNames(instance: String) -> OwnNames? {
        guard let instance = DomainName(label: Array(instance.utf8), below: serviceType),
            let host = DomainName("disposable-\(jitter.name()).local")
        else { return nil }
        return OwnNames(instance: instance, host: host)
    }

    private mutating func resolve(_ conflict: LinkOutput.Conflict, on id: LinkID, at now: UInt64) {
        guard var naming, !naming.isAsserted else { return }
        let isTaken = if case .claimed(whileProbing: true) = conflict { true } else { false }
        let old = naming.current
        let pause = naming.resolveConflict(isTaken: isTaken, token: jitter.name(), at: now)
        self.naming = naming
        guard naming.current != old else {
            // The same name is probed for again: the winner of a tie will defend it.
            if case .lostTieBreak = conflict {
                links[id]?.responder.wait(until: now + max(1_000, pause))
            } else {
                links[id]?.responder.begin(at: now + pause, &jitter)
            }
            return
        }
        names = ownNames(instance: naming.current)
        outputs.append(.renamed(naming.current))
        for id in links.keys {
            guard let link = links[id], let service = ownService(on: link) else { continue }
            links[id]?.responder.rename(to: service, isAsserted: naming.isAsserted, until: now + pause, at: now)
        }
    }
}
