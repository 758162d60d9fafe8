// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
package import DisposableSync
internal import DisposableWire

/// The remaining shares of a millisecond of each part of the network.
struct Buckets {
    var up: [TokenBucket] = []
    var down: [TokenBucket] = []
    var radio: TokenBucket
    /// From the even room to the odd one, and back.
    var bridge: [TokenBucket]

    init(_ medium: Medium, nodeCount: Int) {
        radio = TokenBucket(rate: medium.radioRate)
        bridge = [TokenBucket(rate: medium.bridgeRate), TokenBucket(rate: medium.bridgeRate)]
        for _ in 0..<nodeCount { addHost(medium) }
    }

    mutating func addHost(_ medium: Medium) {
        let rate = medium.ownRates[up.count] ?? medium.hostRate
        up.append(TokenBucket(rate: rate))
        down.append(TokenBucket(rate: rate))
    }
}

/// Connections: dialling, transfer of bytes, closing. The parts of kernel and shell for a replica.
extension Swarm {
    /// The timeout of a dial without an answer.
    private static let dialMilliseconds: UInt64 = 5_000
    /// TCP's pause before a retransmission, doubled each time.
    private static let resendMilliseconds: UInt64 = 200
    private static let reportMilliseconds: UInt64 = 50
    private static let reportByteCount = 128 << 10

    package func connection(_ link: Int, _ end: Int) -> ConnectionID { ConnectionID(UInt64(2 * link + end + 1)) }

    private func place(_ connection: ConnectionID) -> (link: Int, end: Int) {
        (Int(connection.number - 1) / 2, Int(connection.number - 1) % 2)
    }

    private func pair(_ node: Int, _ other: Int) -> [Int] { [min(node, other), max(node, other)] }

    package func isCut(_ node: Int, _ other: Int) -> Bool {
        cuts.contains(pair(node, other)) || stalls.contains(pair(node, other))
    }

    func dial(_ address: PeerAddress, from node: SimulatedNode) {
        let latency = UInt64.random(in: medium.latencies, using: &random)
        guard let owner = owners[address], nodes[owner].isUp else {
            node.inputs.insert(.dialFailed(address), at: now + 2 * latency)
            return
        }
        let other = nodes[owner]
        guard !isCut(node.index, owner), !oneWayBlocks.contains([node.index, owner]), other.suspendedUntil <= now else {
            node.inputs.insert(.dialFailed(address), at: now + Self.dialMilliseconds)
            return
        }
        let link = links.count
        links.append(Link(nodes: [node.index, owner], latency: latency, challenge: random.bytes(16)))
        openLinks[node.index].insert(link)
        openLinks[owner].insert(link)
        node.inputs.insert(.connected(connection(link, 0), to: address, random.entropy()), at: now + 2 * latency)
        links[link][1].arrivesAt = now + 2 * latency
        enqueue(links[link].challenge, on: connection(link, 1))
    }

    /// Queues bytes for the network.
    func enqueue(_ bytes: [UInt8], on connection: ConnectionID) {
        let (link, end) = place(connection)
        // A test may use an invented connection.
        guard links.indices.contains(link), links[link][end].isOpen, !links[link][end].isClosing else { return }
        links[link][end].queue.append(bytes)
        guard !links[link][end].isReady else { return }
        links[link][end].isReady = true
        ready.append((link, end))
    }

    /// Sends the queued bytes of this millisecond: one message of each connection in turn, as long as sender, receiver
    /// and the network between them have capacity left.
    func transmit() {
        guard !ready.isEmpty else { return }
        // The first connection in this millisecond is the last in the next.
        ready.append(ready.removeFirst())
        var line = ready
        while !line.isEmpty {
            line = line.filter { link, end in
                let (from, to) = (links[link].nodes[end], links[link].nodes[1 - end])
                guard links[link][end].hasQueued, now >= links[link][end].heldUntil, mayMove(from, to) else {
                    return false
                }
                let bytes = links[link][end].takeQueued()
                pay(bytes.count, from, to)
                if links[link][end].segment.isEmpty {
                    links[link][end].segment = bytes
                } else {
                    links[link][end].segment += bytes
                }
                return links[link][end].hasQueued
            }
        }
        for (link, end) in ready { depart(link, end) }
        ready = ready.filter { link, end in
            let remains = links[link][end].hasQueued
            links[link][end].isReady = remains
            return remains
        }
    }

    private func mayMove(_ from: Int, _ to: Int) -> Bool {
        (stalls.isEmpty || !stalls.contains(pair(from, to)))
            && buckets.up[from].isOpen(at: now) && buckets.down[to].isOpen(at: now) && buckets.radio.isOpen(at: now)
            && (from % 2 == to % 2 || buckets.bridge[from % 2].isOpen(at: now))
    }

    private func pay(_ byteCount: Int, _ from: Int, _ to: Int) {
        sentByteCount += UInt64(byteCount)
        buckets.up[from].take(byteCount, at: now)
        buckets.down[to].take(byteCount, at: now)
        buckets.radio.take(from == 0 || to == 0 ? byteCount : 2 * byteCount, at: now)
        if from % 2 != to % 2 { buckets.bridge[from % 2].take(byteCount, at: now) }
    }

    /// Sends a segment on its way.
    private func depart(_ link: Int, _ end: Int) {
        let bytes = links[link][end].segment
        links[link][end].segment = []
        if !bytes.isEmpty {
            let isShell = end == 1 && links[link].preface != nil
            if !isShell { noteSent(bytes.count, link, end) }
            if !links[link].isSilent { deliver(bytes, link, end) }
        }
        if links[link][end].isClosing, !links[link][end].hasQueued { sayGoodbye(link, end) }
    }

    /// Reports sent bytes; a kernel reports many small writes together.
    private func noteSent(_ byteCount: Int, _ link: Int, _ end: Int) {
        if links[link][end].unreportedByteCount == 0 {
            happenings.insert(.report(link: link, end: end), at: now + Self.reportMilliseconds)
        }
        links[link][end].unreportedByteCount += byteCount
        if links[link][end].unreportedByteCount >= Self.reportByteCount { reportSent(link, end) }
    }

    func reportSent(_ link: Int, _ end: Int) {
        let byteCount = links[link][end].unreportedByteCount
        guard byteCount > 0 else { return }
        links[link][end].unreportedByteCount = 0
        nodes[links[link].nodes[end]].inputs.insert(.sent(connection(link, end), byteCount: byteCount), at: now + 1)
    }

    private func deliver(_ bytes: [UInt8], _ link: Int, _ end: Int) {
        var arrivesAt = max(now + links[link].latency, links[link][end].arrivesAt + 1)
        var pause = Self.resendMilliseconds
        while random.chance(medium.lossShare), pause < 30_000 {
            arrivesAt += pause
            pause *= 2
        }
        links[link][end].arrivesAt = arrivesAt
        links[link][1 - end].deliveredByteCount += bytes.count
        // The network does not know messages: some arrive in two parts.
        let split = random.oneIn(8) ? Int.random(in: 0...bytes.count, using: &random) : 0
        for part in split == 0 ? [bytes] : [Array(bytes[..<split]), Array(bytes[split...])] where !part.isEmpty {
            if end == 0, links[link].preface != nil {
                happenings.insert(.arrive(part, link: link, end: 1), at: arrivesAt)
            } else {
                nodes[links[link].nodes[1 - end]].inputs.insert(
                    .received(connection(link, 1 - end), part), at: arrivesAt)
            }
        }
    }

    /// Delivers bytes. The listener's shell reads the preface before it involves the replica.
    func arrive(_ bytes: [UInt8], at end: Int, of link: Int) {
        guard links[link][end].isOpen, !links[link].isSilent else { return }
        let node = nodes[links[link].nodes[end]]
        guard let earlier = links[link].preface else {
            node.inputs.insert(.received(connection(link, end), bytes), at: now)
            return
        }
        let preface = earlier + bytes
        links[link].preface = preface
        guard preface.count >= Preface.byteCount else { return }
        let head = Array(preface.prefix(Preface.byteCount))
        let challenge = links[link].challenge
        let isOfThisEvent =
            node.replica?.recognises(head, challenge: challenge)
            ?? Preface.matches(head, challenge: challenge, credentials: node.credentials(for: founding))
        guard isOfThisEvent else {
            close(connection(link, end))
            return
        }
        links[link].preface = nil
        let host = nodes[links[link].nodes[0]].address.host
        node.inputs.insert(
            .accepted(
                connection(link, end), host: host, challenge: links[link].challenge, preface: head, random.entropy()),
            at: now)
        let rest = Array(preface.dropFirst(Preface.byteCount))
        if !rest.isEmpty { node.inputs.insert(.received(connection(link, end), rest), at: now) }
    }

    /// Stops the end's reading for a while, so that the other's bytes wait at their sender.
    func pause(_ connection: ConnectionID, milliseconds: UInt64) {
        let (link, end) = place(connection)
        links[link][1 - end].heldUntil = now + milliseconds
    }

    func close(_ connection: ConnectionID) {
        let (link, end) = place(connection)
        // A test may use an invented connection.
        guard links.indices.contains(link), links[link][end].isOpen, !links[link][end].isClosing else { return }
        links[link][end].isClosing = true
        if !links[link][end].hasQueued, links[link][end].segment.isEmpty { sayGoodbye(link, end) }
    }

    private func sayGoodbye(_ link: Int, _ end: Int) {
        forget(link, end)
        guard !links[link].isSilent, links[link][1 - end].isOpen else { return }
        let arrivesAt = max(now + links[link].latency, links[link][end].arrivesAt + 1)
        happenings.insert(.hangUp(link: link, end: 1 - end), at: arrivesAt)
    }

    private func forget(_ link: Int, _ end: Int) {
        links[link][end].isOpen = false
        links[link][end].isClosing = false
        links[link][end].clear()
        openLinks[links[link].nodes[end]].remove(link)
    }

    func hangUp(_ link: Int, _ end: Int) {
        guard links[link][end].isOpen else { return }
        let isKnown = end == 0 || links[link].preface == nil
        forget(link, end)
        if isKnown {
            nodes[links[link].nodes[end]].inputs.insert(.disconnected(connection(link, end)), at: now)
        }
    }

    /// Ends a connection in the middle of any transfer.
    /// - Parameter isNoticed: whether both ends are notified, or just receive nothing more.
    package func sever(_ link: Int, isNoticed: Bool = true) {
        links[link].isSilent = true
        guard isNoticed else { return }
        for end in 0...1 where links[link][end].isOpen {
            happenings.insert(.hangUp(link: link, end: end), at: now + links[link].latency)
        }
    }

    /// Returns connections that both ends hold and that carry bytes.
    package func openLinks(_ node: SimulatedNode, _ other: SimulatedNode) -> [Int] {
        openLinks[node.index].intersection(openLinks[other.index]).sorted().filter { !links[$0].isSilent }
    }
}
