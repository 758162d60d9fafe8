// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync

/// The network between the machines of a swarm: their addresses and connections, the obstacles between them, and the
/// bytes that each part can carry. Machines are named by their numbers.
package struct Network {
    package var medium = Medium() { didSet { buckets = Buckets(medium, hostCount: openLinks.count) } }
    /// All connections that were ever dialled.
    package internal(set) var links: [Link] = []
    var barriers = Barriers()
    package private(set) var sentByteCount: UInt64 = 0
    /// By machine: its open connections.
    private var openLinks: [Set<Int>] = []
    /// The ends of connections with bytes for the network, in the order of their turns.
    private(set) var ready: [(link: Int, end: Int)] = []
    private var owners: [PeerAddress: Int] = [:]
    private var buckets = Buckets(Medium(), hostCount: 0)

    // Machines

    mutating func addHost(at address: PeerAddress) {
        owners[address] = openLinks.count
        openLinks.append([])
        buckets.addHost(medium)
    }

    func owner(of address: PeerAddress) -> Int? { owners[address] }

    mutating func move(_ host: Int, from old: PeerAddress, to new: PeerAddress) {
        owners[old] = nil
        owners[new] = host
    }

    // Connections

    static func connection(_ link: Int, _ end: Int) -> ConnectionID { ConnectionID(UInt64(2 * link + end + 1)) }

    static func place(_ connection: ConnectionID) -> (link: Int, end: Int) {
        (Int(connection.number - 1) / 2, Int(connection.number - 1) % 2)
    }

    var openConnectionCount: Int { openLinks.reduce(0) { $0 + $1.count } / 2 }

    func openLinks(of host: Int) -> [Int] { openLinks[host].sorted() }

    /// Returns connections that both ends hold and that carry bytes.
    func openLinks(between host: Int, _ other: Int) -> [Int] {
        openLinks[host].intersection(openLinks[other]).sorted().filter { !links[$0].isSilent }
    }

    /// Returns the number of the new connection.
    mutating func open(from dialler: Int, to listener: Int, latency: UInt64, challenge: [UInt8]) -> Int {
        let link = links.count
        links.append(Link(nodes: [dialler, listener], latency: latency, challenge: challenge))
        openLinks[dialler].insert(link)
        openLinks[listener].insert(link)
        return link
    }

    /// Closes one end once it has sent its bytes. Returns whether it has none.
    mutating func close(_ link: Int, _ end: Int) -> Bool {
        guard isOpen(link, end) else { return false }
        links[link][end].isClosing = true
        return !links[link][end].hasQueued && links[link][end].segment.isEmpty
    }

    /// Whether the end sends. A test may use an invented connection.
    private func isOpen(_ link: Int, _ end: Int) -> Bool {
        links.indices.contains(link) && links[link][end].isOpen && !links[link][end].isClosing
    }

    /// Closes one end now.
    mutating func forget(_ link: Int, _ end: Int) {
        links[link][end].isOpen = false
        links[link][end].isClosing = false
        links[link][end].clear()
        openLinks[links[link].nodes[end]].remove(link)
    }

    // Bytes

    /// Queues bytes.
    mutating func enqueue(_ bytes: [UInt8], _ link: Int, _ end: Int) {
        guard isOpen(link, end) else { return }
        links[link][end].queue.append(bytes)
        guard !links[link][end].isReady else { return }
        links[link][end].isReady = true
        ready.append((link, end))
    }

    /// Moves the bytes of this millisecond from queues into segments: one message of each connection in turn, as long
    /// as sender, receiver and the network between them have capacity left.
    mutating func fillSegments(at now: UInt64) {
        // The first connection in this millisecond is the last in the next.
        ready.append(ready.removeFirst())
        var line = ready
        while !line.isEmpty {
            line.removeAll { link, end in
                guard links[link][end].hasQueued, now >= links[link][end].heldUntil else { return true }
                let (from, to) = (links[link].nodes[end], links[link].nodes[1 - end])
                guard mayMove(from, to, at: now) else { return true }
                let bytes = links[link][end].takeQueued()
                pay(bytes.count, from, to, at: now)
                if links[link][end].segment.isEmpty {
                    links[link][end].segment = bytes
                } else {
                    links[link][end].segment += bytes
                }
                return !links[link][end].hasQueued
            }
        }
    }

    /// Keeps those connections in line that have more to send.
    mutating func dropIdle() {
        let line = ready
        ready = line.filter { link, end in
            let hasQueued = links[link][end].hasQueued
            links[link][end].isReady = hasQueued
            return hasQueued
        }
    }

    private func mayMove(_ from: Int, _ to: Int, at now: UInt64) -> Bool {
        !barriers.isStalled(from, to) && buckets.areOpen(from, to, at: now)
    }

    private mutating func pay(_ byteCount: Int, _ from: Int, _ to: Int, at now: UInt64) {
        sentByteCount += UInt64(byteCount)
        buckets.take(byteCount, from, to, at: now)
    }
}

/// The remaining shares of a millisecond of each part of the network.
private struct Buckets {
    private var up: [ByteRate] = []
    private var down: [ByteRate] = []
    private var radio: ByteRate
    /// From the even room to the odd one, and back.
    private var bridge: [ByteRate]

    init(_ medium: Medium, hostCount: Int) {
        radio = ByteRate(rate: medium.radioRate)
        bridge = [ByteRate(rate: medium.bridgeRate), ByteRate(rate: medium.bridgeRate)]
        for _ in 0..<hostCount { addHost(medium) }
    }

    mutating func addHost(_ medium: Medium) {
        let rate = medium.ownRates[up.count] ?? medium.hostRate
        up.append(ByteRate(rate: rate))
        down.append(ByteRate(rate: rate))
    }

    func areOpen(_ from: Int, _ to: Int, at now: UInt64) -> Bool {
        up[from].isOpen(at: now) && down[to].isOpen(at: now) && radio.isOpen(at: now)
            && (from % 2 == to % 2 || bridge[from % 2].isOpen(at: now))
    }

    mutating func take(_ byteCount: Int, _ from: Int, _ to: Int, at now: UInt64) {
        up[from].take(byteCount, at: now)
        down[to].take(byteCount, at: now)
        radio.take(from == 0 || to == 0 ? byteCount : 2 * byteCount, at: now)
        if from % 2 != to % 2 { bridge[from % 2].take(byteCount, at: now) }
    }
}
