// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync

/// Faults of machines and networks.
extension Swarm {
    // Machines

    /// Cuts the power: work in progress is lost, or part of it.
    /// - Parameter isNoticed: whether the others' connections end at once, or just become silent.
    package func crash(_ node: SimulatedNode, isNoticed: Bool = true) {
        node.storage.losePower(keepsPromises: sabotage != .dropsSyncs, &random)
        switchOff(node, isNoticed: isNoticed)
    }

    /// Shuts the machine down properly: close messages to peers, everything durable.
    package func shutDown(_ node: SimulatedNode) {
        apply(.stop, to: node)
        node.storage.finish()
        transmit()
        switchOff(node, isNoticed: true)
    }

    private func switchOff(_ node: SimulatedNode, isNoticed: Bool) {
        node.switchOff(at: now)
        for link in network.openLinks(of: node.index) { sever(link, isNoticed: isNoticed) }
    }

    /// Lets the machine sleep: nothing happens on it, and its clock of uptime stands still. It notices when it wakes,
    /// before anything else.
    package func suspend(_ node: SimulatedNode, milliseconds: UInt64) {
        guard node.isUp, !node.clock.isAsleep(at: now) else { return }
        node.clock.sleep(milliseconds, at: now)
        node.inputs.insert(.interrupted, at: now)
    }

    /// Gives the node another address, as when it moves to another network. Its connections are dead: it knows that, as
    /// their local address is gone, and no other node is notified.
    package func move(_ node: SimulatedNode) {
        let old = node.address
        let host = old.host.split(separator: ".")
        node.address = PeerAddress(host: "10.\((Int(host[1]) ?? 0) + 1).\(host[2]).\(host[3])", port: old.port)
        network.move(node.index, from: old, to: node.address)
        for link in network.openLinks(of: node.index) {
            sever(link, isNoticed: false)
            hangUp(link, network.links[link].nodes[0] == node.index ? 0 : 1)
        }
        node.inputs.insert(.interrupted, at: now)
    }

    // The network

    /// Cuts all traffic between the two; data in transit are lost.
    package func cut(_ node: SimulatedNode, _ other: SimulatedNode, isNoticed: Bool = true) {
        network.barriers.cut(node.index, other.index)
        for link in openLinks(node, other) { sever(link, isNoticed: isNoticed) }
    }

    package func heal(_ node: SimulatedNode, _ other: SimulatedNode) {
        network.barriers.heal(node.index, other.index)
    }

    /// Stops all traffic between the two; connections wait, and continue if it ends soon.
    package func stall(_ node: SimulatedNode, _ other: SimulatedNode) {
        network.barriers.stall(node.index, other.index)
    }

    /// Lets only `other` dial `node` from now on, not the reverse.
    package func forbidDials(from node: SimulatedNode, to other: SimulatedNode) {
        network.barriers.forbidDials(from: node.index, to: other.index)
    }

    /// Separates two halves of the nodes.
    package func partition(_ half: [SimulatedNode]) {
        let inside = Set(half.map(\.index))
        for node in half { for other in nodes where !inside.contains(other.index) { stall(node, other) } }
    }

    package func healAll() { network.barriers = Barriers() }

    // Discovery

    /// Lets `node` discover `other` soon, as by multicast: perhaps late, twice, or not the first time.
    package func discover(_ node: SimulatedNode, _ other: SimulatedNode) {
        happenings.insert(
            .sight(other.address, node: node.index, attempt: 0),
            at: now + UInt64.random(in: 50...1_500, using: &random))
        guard random.oneIn(4) else { return }
        happenings.insert(
            .sight(other.address, node: node.index, attempt: 0),
            at: now + UInt64.random(in: 50...20_000, using: &random))
    }

    func sight(_ address: PeerAddress, _ node: SimulatedNode, attempt: Int) {
        let isReachable = network.owner(of: address).map { !network.barriers.isCut(node.index, $0) } ?? true
        guard node.isUp, isReachable, !random.chance(network.medium.lossShare) else {
            guard attempt < 6 else { return }
            // Queries are repeated with growing pauses.
            happenings.insert(
                .sight(address, node: node.index, attempt: attempt + 1), at: now + 1_000 << UInt64(attempt))
            return
        }
        apply(.sighted(address, isPersistent: false), to: node)
    }
}
