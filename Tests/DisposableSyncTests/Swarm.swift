// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSync
import DisposableWire
import Testing

/// Real replicas in one process, on a virtual clock, network and disk, everything drawn from one seed.
///
/// What happens next is the earliest entry of one queue ordered by time, then by the order in which entries were made.
/// One entry is one step. A run that does not reach its goal within its steps is a failure, not a hang. `trace` is a
/// hash over all inputs of all replicas, bytes included: equal seeds, equal traces, in every process.
final class Swarm {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    enum Happening {
        case input(Replica.Input)
        case wake
        case persist([VerifiedOperation], durably: Bool, Ticket)
        case store(ArrivedChunk)
        case read(Replica.BlobRead, Ticket)
        case load([OperationID], Ticket)
        case arrive(link: Int, end: Int, [UInt8])
        case hangUp(link: Int, end: Int)
    }

    private struct Entry {
        let time: UInt64
        let sequence: Int
        let node: Int
        /// Entries for a process that has crashed since are void.
        let incarnation: Int
        let happening: Happening

        static func < (left: Entry, right: Entry) -> Bool {
            (left.time, left.sequence) < (right.time, right.sequence)
        }
    }

    /// One TCP connection; end 0 has dialled, end 1 listens.
    struct Link {
        let nodes: [Int]
        let latency: UInt64
        let challenge: [UInt8]
        var isOpen = [true, true]
        /// What is sent vanishes, and nobody is told: a machine asleep, a cable cut.
        var isSilent = false
        /// What the listener has of the preface; `nil` once it is handed over.
        var preface: [UInt8]? = []
        /// When what has been sent from an end will have left, and will have arrived.
        var leavesAt: [UInt64] = [0, 0]
        var arrivesAt: [UInt64] = [0, 0]
        var deliveredByteCount = [0, 0]
    }

    let founding: FoundedEvent
    var random: SplitMix64
    private(set) var now: UInt64 = 100_000
    private(set) var stepCount = 0
    private(set) var trace: UInt64 = 0
    private(set) var nodes: [SimulatedNode] = []
    private(set) var links: [Link] = []
    private var queue: [Entry] = []
    private var entryCount = 0
    /// Pairs of nodes, smaller first, between which nothing gets through.
    private var cuts: Set<[Int]> = []

    /// One way, in milliseconds.
    var latencies: ClosedRange<UInt64> = 1...10
    /// Bytes a millisecond and direction of each link; `nil` for no limit.
    var bandwidth: Int?
    /// What reads and writes take, and what checking signatures takes beside that, in milliseconds.
    var workMilliseconds: ClosedRange<UInt64> = 0...6
    var checkMilliseconds: UInt64 = 0

    /// 2026-06-06 12:00 UTC at the start of every run.
    static let epochMilliseconds: UInt64 = 1_780_747_200_000

    init(seed: UInt64, frames: UInt32 = 27) {
        random = SplitMix64(seed: seed)
        founding = FoundedEvent(frames: frames, random: &random)
    }

    // Nodes

    /// A node; the first one is the organizer's, founded and admitted.
    @discardableResult func addNode(
        secret: SecretBytes? = nil, clockOffset: Int64 = 0, keeping classes: Set<BlobClass> = Set(BlobClass.allCases)
    ) -> SimulatedNode {
        let key = nodes.isEmpty ? founding.deviceKey : SigningKey(seed: random.secret())
        let node = SimulatedNode(
            index: nodes.count, deviceKey: key, secret: secret ?? founding.secret, keptClasses: classes,
            importSecret: random.secret(), clockOffset: clockOffset)
        if nodes.isEmpty { node.disk.write(founding.operations, durably: true) }
        nodes.append(node)
        start(node)
        return node
    }

    func start(_ node: SimulatedNode) {
        let identity = Replica.Identity(
            eventKey: founding.eventKey.verifyingKey, secret: node.secret, deviceKey: node.deviceKey,
            staticKey: AgreementKey(scalar: random.secret()), instance: random.bytes(16), joinSalt: random.bytes(16),
            seed: random.next())
        var replica = Replica(identity: identity, listenPort: 8028, keptClasses: node.keptClasses)
        replica.restore(node.disk.operations) { node.disk.state(of: $0) }
        node.replica = replica
        for address in node.addresses { apply(.sighted(address, isPersistent: true), to: node) }
    }

    /// Pulls the plug: work that is under way is lost, or part of it, as after a power cut.
    /// - Parameter isNoticed: whether the others' connections end at once, or just fall silent.
    func crash(_ node: SimulatedNode, isNoticed: Bool = true) {
        let pending = queue.filter { $0.node == node.index && $0.incarnation == node.incarnation }.sorted(by: <)
        var reachesDisk = true
        for entry in pending {
            reachesDisk = reachesDisk && Bool.random(using: &random)
            if reachesDisk, case .persist(let operations, let durably, _) = entry.happening {
                node.disk.write(operations, durably: durably)
            }
        }
        node.disk.losePower(&random)
        node.incarnation += 1
        node.replica = nil
        node.wakeAt = nil
        for link in links.indices where links[link].nodes.contains(node.index) { sever(link, isNoticed: isNoticed) }
    }

    /// Tells `node` where `other` is, as mDNS or an invitation would.
    func introduce(_ node: SimulatedNode, to other: SimulatedNode) {
        node.addresses.insert(other.address)
        apply(.sighted(other.address, isPersistent: true), to: node)
    }

    func introduceAll() {
        for node in nodes { for other in nodes where other !== node { introduce(node, to: other) } }
    }

    // The network

    func cut(_ node: SimulatedNode, _ other: SimulatedNode, isNoticed: Bool = true) {
        cuts.insert([min(node.index, other.index), max(node.index, other.index)])
        for link in links.indices where Set(links[link].nodes) == [node.index, other.index] {
            sever(link, isNoticed: isNoticed)
        }
    }

    func heal(_ node: SimulatedNode, _ other: SimulatedNode) {
        cuts.remove([min(node.index, other.index), max(node.index, other.index)])
    }

    func healAll() { cuts = [] }

    func isCut(_ node: Int, _ other: Int) -> Bool { cuts.contains([min(node, other), max(node, other)]) }

    /// Ends a connection in the middle of whatever it carries.
    func sever(_ link: Int, isNoticed: Bool = true) {
        links[link].isSilent = true
        guard isNoticed else { return }
        for end in 0...1 where links[link].isOpen[end] {
            schedule(.hangUp(link: link, end: end), for: nodes[links[link].nodes[end]], in: links[link].latency)
        }
    }

    /// Connections that both ends hold and that carry bytes.
    func openLinks(_ node: SimulatedNode, _ other: SimulatedNode) -> [Int] {
        links.indices.filter {
            Set(links[$0].nodes) == [node.index, other.index] && links[$0].isOpen == [true, true] && !links[$0].isSilent
        }
    }

    // Running

    /// Steps until `condition` holds, which is asked every few steps and when nothing is about to happen.
    func drive(
        within stepCountMax: Int = 200_000, milliseconds: UInt64 = 600_000, askingEvery interval: Int = 16,
        _ goal: String = "goal", until condition: () -> Bool
    ) throws {
        let first = stepCount
        let end = now + milliseconds
        while true {
            let isQuiet = queue.first.map { $0.time > now + 20 } ?? true
            if isQuiet || (stepCount - first) % interval == 0, condition() { return }
            guard stepCount - first < stepCountMax, now < end, step() else {
                if condition() { return }
                throw Failure(
                    description: "\(goal) not reached in \(stepCount - first) steps, \(now + milliseconds - end) ms: "
                        + nodes.map(\.summary).joined(separator: " | "))
            }
        }
    }

    /// Steps for a while.
    func drive(milliseconds: UInt64, within stepCountMax: Int = 200_000) throws {
        let end = now + milliseconds
        let first = stepCount
        while let next = queue.first, next.time <= end {
            guard stepCount - first < stepCountMax else {
                throw Failure(description: "\(stepCountMax) steps in less than \(milliseconds) ms")
            }
            step()
        }
        now = end
    }

    @discardableResult func step() -> Bool {
        guard let entry = pop() else { return false }
        now = max(now, entry.time)
        stepCount += 1
        let node = nodes[entry.node]
        guard node.incarnation == entry.incarnation else { return true }
        perform(entry.happening, on: node)
        return true
    }

    private func perform(_ happening: Happening, on node: SimulatedNode) {
        switch happening {
        case .input(let input): apply(input, to: node)
        case .wake:
            node.wakeAt = nil
            if let deadline = node.replica?.nextDeadline, deadline <= now { apply(.deadlineReached, to: node) }
            scheduleWake(node)
        case .persist(let operations, let durably, let ticket):
            if node.disk.isFull {
                apply(.persistFailed(ticket), to: node)
            } else {
                node.disk.write(operations, durably: durably)
                apply(.persisted(ticket), to: node)
            }
        case .store(let chunk):
            if node.disk.isFull {
                apply(.chunkStoringFailed(chunk.blob, index: chunk.index), to: node)
            } else {
                node.disk.store(chunk)
                apply(.chunkStored(chunk.blob, index: chunk.index), to: node)
            }
        case .read(let read, let ticket):
            guard let result = node.answerRead(read, node.disk.read(read)) else { return }
            apply(.chunkRead(ticket, result), to: node)
        case .load(let ids, let ticket):
            apply(.loaded(ticket, node.alterLoad(node.disk.load(ids))), to: node)
        case .arrive(let link, let end, let bytes): arrive(bytes, at: end, of: link)
        case .hangUp(let link, let end):
            guard links[link].isOpen[end] else { return }
            links[link].isOpen[end] = false
            if end == 0 || links[link].preface == nil { apply(.disconnected(connection(link, end)), to: node) }
        }
    }

    /// The only place where a replica is touched: an input, then all outputs.
    func apply(_ input: Replica.Input, to node: SimulatedNode) {
        guard node.replica != nil else { return }
        mix(node.index, input)
        let wallClock = Int64(Self.epochMilliseconds + now) + node.clockOffset
        node.replica!.handle(input, at: Instant(milliseconds: now, wallClockMilliseconds: UInt64(wallClock)))
        while let output = node.replica!.nextOutput() { perform(output, of: node) }
        scheduleWake(node)
    }

    private func scheduleWake(_ node: SimulatedNode) {
        guard let deadline = node.replica?.nextDeadline, deadline < node.wakeAt ?? .max else { return }
        node.wakeAt = deadline
        schedule(.wake, for: node, in: deadline > now ? deadline - now : 0)
    }

    private func perform(_ output: Replica.Output, of node: SimulatedNode) {
        let work = UInt64.random(in: workMilliseconds, using: &random)
        switch output {
        case .dial(let address): dial(address, from: node)
        case .send(let connection, let bytes): transmit(bytes, on: connection)
        case .close(let connection): close(connection)
        case .verify(let operations, let ticket):
            let results = operations.map { try? $0.verified(event: founding.id) }
            schedule(.input(.verified(ticket, results)), for: node, in: work + checkMilliseconds)
        case .persist(let operations, let durably, let ticket):
            // One writer: transactions end in the order in which they were begun.
            node.writesUntil = max(node.writesUntil, now) + work
            schedule(.persist(operations, durably: durably, ticket), for: node, in: node.writesUntil - now)
        case .load(let ids, let ticket): schedule(.load(ids, ticket), for: node, in: work)
        case .storeChunk(let chunk): schedule(.store(chunk), for: node, in: work)
        case .read(let read, let ticket): schedule(.read(read, ticket), for: node, in: work)
        case .authored(let ticket, let ids): node.authored[ticket] = ids
        case .refused(let ticket, let error): node.refused[ticket] = error
        case .changed(let change): node.note(change)
        }
    }

    // The shell's part of connections

    private func connection(_ link: Int, _ end: Int) -> ConnectionID { ConnectionID(UInt64(2 * link + end + 1)) }

    private func dial(_ address: PeerAddress, from node: SimulatedNode) {
        let latency = UInt64.random(in: latencies, using: &random)
        guard let other = nodes.first(where: { $0.address == address }), other.replica != nil,
            !isCut(node.index, other.index)
        else {
            schedule(.input(.dialFailed(address)), for: node, in: 2 * latency)
            return
        }
        let link = links.count
        links.append(Link(nodes: [node.index, other.index], latency: latency, challenge: random.bytes(16)))
        schedule(
            .input(.connected(connection(link, 0), to: address, random.entropy())), for: node, in: 2 * latency)
        links[link].leavesAt[1] = now + latency
        transmit(links[link].challenge, on: connection(link, 1))
    }

    private func transmit(_ bytes: [UInt8], on connection: ConnectionID) {
        let (link, end) = (Int(connection.number - 1) / 2, Int(connection.number - 1) % 2)
        guard links[link].isOpen[end] else { return }
        let duration = bandwidth.map { UInt64(bytes.count / $0) } ?? 0
        let leavesAt = max(links[link].leavesAt[end], now) + duration
        links[link].leavesAt[end] = leavesAt
        let sender = nodes[links[link].nodes[end]]
        let isShell = end == 1 && links[link].preface != nil
        if !isShell { schedule(.input(.sent(connection, byteCount: bytes.count)), for: sender, in: leavesAt - now) }
        guard !links[link].isSilent else { return }
        let arrivesAt = max(leavesAt + links[link].latency, links[link].arrivesAt[end])
        links[link].arrivesAt[end] = arrivesAt
        // The network knows nothing of messages: some arrive in two parts.
        let receiver = nodes[links[link].nodes[1 - end]]
        let split = UInt8.random(in: 0...7, using: &random) == 0 ? Int.random(in: 0...bytes.count, using: &random) : 0
        for part in [bytes[..<split], bytes[split...]] where !part.isEmpty {
            schedule(.arrive(link: link, end: 1 - end, Array(part)), for: receiver, in: arrivesAt - now)
        }
    }

    private func arrive(_ bytes: [UInt8], at end: Int, of link: Int) {
        guard links[link].isOpen[end], !links[link].isSilent else { return }
        links[link].deliveredByteCount[end] += bytes.count
        let node = nodes[links[link].nodes[end]]
        guard end == 1, let earlier = links[link].preface else {
            apply(.received(connection(link, end), bytes), to: node)
            return
        }
        let preface = earlier + bytes
        links[link].preface = preface
        guard preface.count >= Preface.byteCount else { return }
        let head = Array(preface.prefix(Preface.byteCount))
        let credentials = node.credentials(for: founding)
        guard Preface.matches(head, challenge: links[link].challenge, credentials: credentials) else {
            close(connection(link, end))
            return
        }
        links[link].preface = nil
        let host = nodes[links[link].nodes[0]].address.host
        apply(
            .accepted(
                connection(link, end), host: host, challenge: links[link].challenge, preface: head, random.entropy()),
            to: node)
        let rest = Array(preface.dropFirst(Preface.byteCount))
        if !rest.isEmpty { apply(.received(connection(link, end), rest), to: node) }
    }

    private func close(_ connection: ConnectionID) {
        let (link, end) = (Int(connection.number - 1) / 2, Int(connection.number - 1) % 2)
        guard links[link].isOpen[end] else { return }
        links[link].isOpen[end] = false
        guard !links[link].isSilent else { return }
        let arrivesAt = max(links[link].arrivesAt[end], max(links[link].leavesAt[end], now) + links[link].latency)
        schedule(.hangUp(link: link, end: 1 - end), for: nodes[links[link].nodes[1 - end]], in: arrivesAt - now)
    }

    // The queue: a binary heap, earliest first

    private func schedule(_ happening: Happening, for node: SimulatedNode, in milliseconds: UInt64) {
        entryCount += 1
        queue.append(
            Entry(
                time: now + milliseconds, sequence: entryCount, node: node.index, incarnation: node.incarnation,
                happening: happening))
        var child = queue.count - 1
        while child > 0, queue[child] < queue[(child - 1) / 2] {
            queue.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private func pop() -> Entry? {
        guard !queue.isEmpty else { return nil }
        queue.swapAt(0, queue.count - 1)
        let entry = queue.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < queue.count && queue[child] < queue[least] {
                least = child
            }
            if least == parent { return entry }
            queue.swapAt(parent, least)
            parent = least
        }
    }

    // The trace: what goes into the replicas

    private func mix(_ node: Int, _ input: Replica.Input) {
        mix(now)
        mix(UInt64(node))
        switch input {
        case .received(let connection, let bytes):
            mix(connection.number)
            mix(BLAKE2b.hash(bytes).prefix64)
        case .persisted(let ticket), .persistFailed(let ticket), .chunkRead(let ticket, _), .loaded(let ticket, _),
            .verified(let ticket, _), .author(_, _, let ticket):
            mix(ticket.number)
        case .chunkStored(let blob, let index), .chunkStoringFailed(let blob, let index):
            mix(blob.root.bytes32.prefix64 &+ UInt64(index))
        case .connected(let connection, _, _), .accepted(let connection, _, _, _, _), .disconnected(let connection),
            .sent(let connection, _):
            mix(connection.number)
        case .sighted, .remembered, .dialFailed, .deadlineReached, .stop: break
        }
    }

    private func mix(_ number: UInt64) {
        var mixer = SplitMix64(seed: trace ^ number)
        trace = mixer.next()
    }
}
