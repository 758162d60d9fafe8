// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
package import DisposableSync
internal import DisposableWire

/// Connections: dialling, transfer of bytes, closing. The parts of kernel and shell for a replica.
extension Swarm {
    /// The timeout of a dial without an answer.
    private static let dialMilliseconds: UInt64 = 5_000
    /// TCP's pause before a retransmission, doubled each time.
    private static let resendMilliseconds: UInt64 = 200
    private static let reportMilliseconds: UInt64 = 50
    private static let reportByteCount = 128 << 10

    package func connection(_ link: Int, _ end: Int) -> ConnectionID { Network.connection(link, end) }

    func dial(_ address: PeerAddress, from node: SimulatedNode) {
        let latency = UInt64.random(in: network.medium.latencies, using: &random)
        guard let owner = network.owner(of: address), nodes[owner].isUp else {
            node.inputs.insert(.dialFailed(address), at: now + 2 * latency)
            return
        }
        let other = nodes[owner]
        guard network.barriers.mayDial(node.index, owner), !other.clock.isAsleep(at: now) else {
            node.inputs.insert(.dialFailed(address), at: now + Self.dialMilliseconds)
            return
        }
        let link = network.open(from: node.index, to: owner, latency: latency, challenge: random.bytes(16))
        node.inputs.insert(.connected(connection(link, 0), to: address, random.entropy()), at: now + 2 * latency)
        network.links[link][1].arrivesAt = now + 2 * latency
        enqueue(network.links[link].challenge, on: connection(link, 1))
    }

    func enqueue(_ bytes: [UInt8], on connection: ConnectionID) {
        let (link, end) = Network.place(connection)
        network.enqueue(bytes, link, end)
    }

    /// Sends the bytes of this millisecond.
    func transmit() {
        guard !network.ready.isEmpty else { return }
        network.fillSegments(at: now)
        for (link, end) in network.ready { depart(link, end) }
        network.dropIdle()
    }

    /// Sends a segment on its way.
    private func depart(_ link: Int, _ end: Int) {
        let bytes = network.links[link][end].segment
        network.links[link][end].segment = []
        if !bytes.isEmpty {
            let isShell = end == 1 && network.links[link].preface != nil
            if !isShell { noteSent(bytes.count, link, end) }
            if !network.links[link].isSilent { deliver(bytes, link, end) }
        }
        if network.links[link][end].isClosing, !network.links[link][end].hasQueued { sayGoodbye(link, end) }
    }

    /// Reports sent bytes; a kernel reports many small writes together.
    private func noteSent(_ byteCount: Int, _ link: Int, _ end: Int) {
        if network.links[link][end].unreportedByteCount == 0 {
            happenings.insert(.report(link: link, end: end), at: now + Self.reportMilliseconds)
        }
        network.links[link][end].unreportedByteCount += byteCount
        if network.links[link][end].unreportedByteCount >= Self.reportByteCount { reportSent(link, end) }
    }

    func reportSent(_ link: Int, _ end: Int) {
        let byteCount = network.links[link][end].unreportedByteCount
        guard byteCount > 0 else { return }
        network.links[link][end].unreportedByteCount = 0
        let node = nodes[network.links[link].nodes[end]]
        node.inputs.insert(.sent(connection(link, end), byteCount: byteCount), at: now + 1)
    }

    private func deliver(_ bytes: [UInt8], _ link: Int, _ end: Int) {
        var arrivesAt = max(now + network.links[link].latency, network.links[link][end].arrivesAt + 1)
        var pause = Self.resendMilliseconds
        while random.chance(network.medium.lossShare), pause < 30_000 {
            arrivesAt += pause
            pause *= 2
        }
        network.links[link][end].arrivesAt = arrivesAt
        network.links[link][1 - end].deliveredByteCount += bytes.count
        // The network does not know messages: some arrive in two parts.
        let split = random.oneIn(8) ? Int.random(in: 0...bytes.count, using: &random) : 0
        for part in split == 0 ? [bytes] : [Array(bytes[..<split]), Array(bytes[split...])] where !part.isEmpty {
            if end == 0, network.links[link].preface != nil {
                happenings.insert(.arrive(part, link: link, end: 1), at: arrivesAt)
            } else {
                nodes[network.links[link].nodes[1 - end]].inputs.insert(
                    .received(connection(link, 1 - end), part), at: arrivesAt)
            }
        }
    }

    /// Delivers bytes. The listener's shell reads the preface before it involves the replica.
    func arrive(_ bytes: [UInt8], at end: Int, of link: Int) {
        guard network.links[link][end].isOpen, !network.links[link].isSilent else { return }
        let node = nodes[network.links[link].nodes[end]]
        guard let earlier = network.links[link].preface else {
            node.inputs.insert(.received(connection(link, end), bytes), at: now)
            return
        }
        let preface = earlier + bytes
        network.links[link].preface = preface
        guard preface.count >= Preface.byteCount else { return }
        let head = Array(preface.prefix(Preface.byteCount))
        let challenge = network.links[link].challenge
        let isOfThisEvent =
            node.replica?.recognises(head, challenge: challenge)
            ?? Preface.matches(head, challenge: challenge, credentials: node.credentials(for: founding))
        guard isOfThisEvent else {
            close(connection(link, end))
            return
        }
        network.links[link].preface = nil
        let host = nodes[network.links[link].nodes[0]].address.host
        node.inputs.insert(
            .accepted(connection(link, end), host: host, challenge: challenge, preface: head, random.entropy()),
            at: now)
        let rest = Array(preface.dropFirst(Preface.byteCount))
        if !rest.isEmpty { node.inputs.insert(.received(connection(link, end), rest), at: now) }
    }

    /// Stops the end's reading for a while, so that the other's bytes wait at their sender.
    func pause(_ connection: ConnectionID, milliseconds: UInt64) {
        let (link, end) = Network.place(connection)
        network.links[link][1 - end].heldUntil = now + milliseconds
    }

    func close(_ connection: ConnectionID) {
        let (link, end) = Network.place(connection)
        if network.close(link, end) { sayGoodbye(link, end) }
    }

    private func sayGoodbye(_ link: Int, _ end: Int) {
        network.forget(link, end)
        guard !network.links[link].isSilent, network.links[link][1 - end].isOpen else { return }
        let arrivesAt = max(now + network.links[link].latency, network.links[link][end].arrivesAt + 1)
        happenings.insert(.hangUp(link: link, end: 1 - end), at: arrivesAt)
    }

    func hangUp(_ link: Int, _ end: Int) {
        guard network.links[link][end].isOpen else { return }
        let isKnown = end == 0 || network.links[link].preface == nil
        network.forget(link, end)
        if isKnown {
            nodes[network.links[link].nodes[end]].inputs.insert(.disconnected(connection(link, end)), at: now)
        }
    }

    /// Ends a connection in the middle of any transfer.
    /// - Parameter isNoticed: whether both ends are notified, or just receive nothing more.
    package func sever(_ link: Int, isNoticed: Bool = true) {
        network.links[link].isSilent = true
        guard isNoticed else { return }
        for end in 0...1 where network.links[link][end].isOpen {
            happenings.insert(.hangUp(link: link, end: end), at: now + network.links[link].latency)
        }
    }

    package func openLinks(_ node: SimulatedNode, _ other: SimulatedNode) -> [Int] {
        network.openLinks(between: node.index, other.index)
    }
}
