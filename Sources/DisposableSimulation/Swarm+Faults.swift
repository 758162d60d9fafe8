// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync

/// Faults of machines and networks.
extension Swarm {
    // Machines

    /// Cuts the power: work in progress is lost, or part of it.
    /// - Parameter isNoticed: whether the others' connections end at once, or just become silent.
    package func crash(_ node: SimulatedNode, isNoticed: Bool = true) {
        for write in node.writes {
            // Transactions reach the disk in order; the moment of the power cut is random.
            guard Bool.random(using: &random), !node.isDiskFull else { break }
            _ = node.disk.write(write.operations, durably: write.durably && sabotage != .dropsSyncs)
        }
        node.disk.losePower(&random)
        node.hasLostPower = true
        switchOff(node, isNoticed: isNoticed)
    }

    /// Shuts the machine down properly: close messages to peers, everything durable.
    package func shutDown(_ node: SimulatedNode) {
        apply(.stop, to: node)
        for write in node.writes where !node.isDiskFull { _ = node.disk.write(write.operations, durably: true) }
        node.disk.synchronize()
        transmit()
        switchOff(node, isNoticed: true)
    }

    private func switchOff(_ node: SimulatedNode, isNoticed: Bool) {
        node.noteLoad()
        node.incarnation += 1
        node.replica = nil
        node.wakeAt = nil
        node.writes = []
        node.writesUntil = now
        node.isFlushDue = false
        node.outputs = []
        node.suspendedUntil = 0
        _ = node.inputs.removeAll()
        for link in openLinks[node.index].sorted() { sever(link, isNoticed: isNoticed) }
    }

    /// Lets the machine sleep: nothing happens on it, and its clock of uptime stands still. It notices when it wakes,
    /// before anything else.
    package func suspend(_ node: SimulatedNode, milliseconds: UInt64) {
        guard node.isUp, node.suspendedUntil <= now else { return }
        node.suspendedUntil = now + milliseconds
        node.sleptMilliseconds += milliseconds
        if let wakeAt = node.wakeAt { node.wakeAt = wakeAt + milliseconds }
        node.inputs.insert(.interrupted, at: now)
    }

    /// Gives the node another address, as when it moves to another network. Its connections are dead: it knows that, as
    /// their local address is gone, and no other node is notified.
    package func move(_ node: SimulatedNode) {
        let old = node.address
        let host = old.host.split(separator: ".")
        owners[old] = nil
        node.address = PeerAddress(host: "10.\((Int(host[1]) ?? 0) + 1).\(host[2]).\(host[3])", port: old.port)
        owners[node.address] = node.index
        for link in openLinks[node.index].sorted() {
            sever(link, isNoticed: false)
            hangUp(link, links[link].nodes[0] == node.index ? 0 : 1)
        }
        node.inputs.insert(.interrupted, at: now)
    }

    // The network

    private func pair(_ node: SimulatedNode, _ other: SimulatedNode) -> [Int] {
        [min(node.index, other.index), max(node.index, other.index)]
    }

    /// Cuts all traffic between the two; data in transit are lost.
    package func cut(_ node: SimulatedNode, _ other: SimulatedNode, isNoticed: Bool = true) {
        cuts.insert(pair(node, other))
        for link in openLinks(node, other) { sever(link, isNoticed: isNoticed) }
    }

    package func heal(_ node: SimulatedNode, _ other: SimulatedNode) {
        cuts.remove(pair(node, other))
        stalls.remove(pair(node, other))
    }

    /// Stops all traffic between the two; connections wait, and continue if it ends soon.
    package func stall(_ node: SimulatedNode, _ other: SimulatedNode) { stalls.insert(pair(node, other)) }

    /// Lets only `other` dial `node` from now on, not the reverse.
    package func forbidDials(from node: SimulatedNode, to other: SimulatedNode) {
        oneWayBlocks.insert([node.index, other.index])
    }

    /// Separates two halves of the nodes.
    package func partition(_ half: [SimulatedNode]) {
        let inside = Set(half.map(\.index))
        for node in half { for other in nodes where !inside.contains(other.index) { stall(node, other) } }
    }

    package func healAll() {
        cuts = []
        stalls = []
        oneWayBlocks = []
    }

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
        let isReachable = owners[address].map { !isCut(node.index, $0) } ?? true
        guard node.isUp, isReachable, !random.chance(medium.lossShare) else {
            guard attempt < 6 else { return }
            // Queries are repeated with growing pauses.
            happenings.insert(
                .sight(address, node: node.index, attempt: attempt + 1), at: now + 1_000 << UInt64(attempt))
            return
        }
        apply(.sighted(address, isPersistent: false), to: node)
    }

}
