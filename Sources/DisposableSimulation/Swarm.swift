// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableSync
internal import DisposableWire

/// Real replicas in one process, on a virtual clock, network and disk, everything drawn from one seed.
///
/// Time goes in milliseconds in which something happens. In each of them (1) disks finish what was begun and machines
/// start, in the order of one queue; (2) every node works off the inputs that are due, touching nothing but itself, so
/// that nodes may work on several cores; (3) what they want done is begun, node after node; (4) the network moves
/// bytes, which arrive a millisecond later at the earliest. So the order of everything is given: by time, then by node,
/// then by the order in which it was scheduled, however many cores there are.
///
/// One input to one replica is a step. A run that does not reach its goal within its steps is a failure, not a hang.
/// `trace` is a hash over all inputs of all replicas: equal seeds, equal traces, in every process.
package final class Swarm {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }
    }

    /// What happens to a machine from outside.
    enum Happening {
        case written(node: Int, incarnation: Int)
        case store(ArrivedChunk, node: Int, incarnation: Int)
        case flush(node: Int, incarnation: Int)
        case arrive([UInt8], link: Int, end: Int)
        case hangUp(link: Int, end: Int)
        case report(link: Int, end: Int)
        case sight(PeerAddress, node: Int, attempt: Int)
    }

    package typealias Concurrently = @Sendable (Int, @Sendable (Int) -> Void) -> Void

    package let founding: FoundedEvent
    package let archive = Archive()
    package var random: SplitMix64
    package internal(set) var now: UInt64 = 100_000
    package internal(set) var nodes: [SimulatedNode] = []
    package internal(set) var links: [Link] = []
    /// Called with how many there are and what is to be done for each; may do several at once.
    package var concurrently: Concurrently = { count, body in for index in 0..<count { body(index) } }

    package var medium = Medium() { didSet { buckets = Buckets(medium, nodeCount: nodes.count) } }
    /// What reads and writes take, in milliseconds, and what checking signatures takes beside that.
    package var workMilliseconds: ClosedRange<UInt64> = 0...6
    package var checkMilliseconds: UInt64 = 0
    /// Breaks a rule at a replica's inputs or outputs, to see whether a checker notices.
    package var sabotage: Sabotage?

    var happenings = EventQueue<Happening>()
    var owners: [PeerAddress: Int] = [:]
    /// Pairs of nodes, smaller first, between which no connection is made.
    var cuts: Set<[Int]> = []
    /// Those of which existing connections wait for the end of the cut.
    var stalls: Set<[Int]> = []
    /// Dialler and listener: what a firewall on one side forbids.
    var oneWayBlocks: Set<[Int]> = []
    /// Node and place of blobs of which a bit was flipped on purpose.
    var damage: Set<[Int]> = []
    /// Photos that were shown when somebody they depend on was removed.
    var hostagePhotos: Set<PhotoID> = []
    var openLinks: [Set<Int>] = []
    var ready: [(link: Int, end: Int)] = []
    var buckets = Buckets(Medium(), nodeCount: 0)
    /// How much nodes that are started from now on take at any speed.
    package var budgets = UnitBudgets()
    package internal(set) var sentByteCount: UInt64 = 0
    /// Told of each blob that a node has got to the end, in the order of the nodes.
    package var onComplete: (SimulatedNode, BlobID) -> Void = { _, _ in }
    /// Operations that a node has acknowledged to its person, which it may never lose.
    package internal(set) var acknowledged: [(node: Int, id: OperationID)] = []

    /// One line an event, where somebody listens.
    package var log: ((String) -> Void)?

    /// 2026-06-06 12:00 UTC at the start of every run.
    package static let epochMilliseconds: UInt64 = 1_780_747_200_000

    package init(seed: UInt64, frames: UInt32 = 27, reveal: RevealRule = .now) {
        random = SplitMix64(seed: seed)
        founding = FoundedEvent(frames: frames, reveal: reveal, random: &random)
    }

    package var stepCount: Int { nodes.reduce(0) { $0 + $1.stepCount } }

    /// A hash over the inputs of every node.
    package var trace: UInt64 {
        nodes.reduce(now) { trace, node in
            var mixer = SplitMix64(seed: trace ^ node.trace)
            return mixer.next()
        }
    }

    // Nodes

    /// A node; the first one is the organizer's, founded and admitted.
    /// - Parameters:
    ///   - deviceKey: of a node that has the key of another one: a copied folder.
    ///   - disk: what it stores on, memory unless given.
    @discardableResult package func addNode(
        secret: SecretBytes? = nil, deviceKey: SigningKey? = nil, clockOffset: Int64 = 0,
        keeping classes: Set<BlobClass> = Set(BlobClass.allCases), disk: (any Disk)? = nil
    ) -> SimulatedNode {
        let node = makeNode(
            secret: secret, deviceKey: deviceKey, clockOffset: clockOffset, keeping: classes, disk: disk)
        if node.index == 0 { _ = node.disk.write(founding.operations, durably: true) }
        start(node)
        return node
    }

    func makeNode(
        secret: SecretBytes? = nil, deviceKey: SigningKey? = nil, clockOffset: Int64 = 0,
        keeping classes: Set<BlobClass> = Set(BlobClass.allCases), disk: (any Disk)? = nil
    ) -> SimulatedNode {
        let key = deviceKey ?? (nodes.isEmpty ? founding.deviceKey : SigningKey(seed: random.secret()))
        let node = SimulatedNode(
            index: nodes.count, deviceKey: key, secret: secret ?? founding.secret, keptClasses: classes,
            importSecret: random.secret(), clockOffset: clockOffset, disk: disk ?? MemoryDisk(archive: archive))
        nodes.append(node)
        openLinks.append([])
        owners[node.address] = node.index
        buckets.addHost(medium)
        return node
    }

    package func start(_ node: SimulatedNode) {
        guard !node.isUp else { return }
        let identity = Replica.Identity(
            eventKey: founding.eventKey.verifyingKey, secret: node.secret, deviceKey: node.deviceKey,
            staticKey: AgreementKey(scalar: random.secret()), instance: random.bytes(16), joinSalt: random.bytes(16),
            seed: random.next())
        var replica = Replica(
            identity: identity, listenPort: node.address.port, keptClasses: node.keptClasses,
            budgets: budgets)
        replica.restore(node.disk.operations) { node.disk.state(of: $0) }
        node.replica = replica
        for address in node.addresses { apply(.sighted(address, isPersistent: true), to: node) }
    }

    // Running

    /// Steps until `condition` holds, which is asked every few steps and when nothing is about to happen.
    package func drive(
        within stepCountMax: Int = 200_000, milliseconds: UInt64 = 600_000, askingEvery interval: Int = 16,
        _ goal: String = "goal", until condition: () -> Bool
    ) throws {
        let first = stepCount
        let end = now + milliseconds
        var askedAt = first
        while true {
            let isQuiet = nextTime.map { $0 > now + 20 } ?? true
            if isQuiet || stepCount >= askedAt + interval {
                askedAt = stepCount
                if condition() { return }
            }
            guard stepCount - first < stepCountMax, now < end, step() else {
                if condition() { return }
                throw Failure(
                    "\(goal) not reached in \(stepCount - first) steps, \(now + milliseconds - end) ms: "
                        + nodes.map(\.summary).joined(separator: " | "))
            }
        }
    }

    /// Steps for a while.
    package func drive(milliseconds: UInt64, within stepCountMax: Int = 200_000) throws {
        let end = now + milliseconds
        let first = stepCount
        while let next = nextTime, next <= end {
            guard stepCount - first < stepCountMax else {
                throw Failure("\(stepCountMax) steps in less than \(milliseconds) ms")
            }
            step()
        }
        now = end
    }

    /// When something happens next.
    package var nextTime: UInt64? {
        var next = happenings.nextTime ?? .max
        if !ready.isEmpty { next = min(next, now + 1) }
        for node in nodes { if let time = node.nextTime { next = min(next, time) } }
        return next == .max ? nil : max(next, now)
    }

    /// Lets time pass in which nothing happens.
    func skip(to time: UInt64) { now = max(now, time) }

    package var openConnectionCount: Int { openLinks.reduce(0) { $0 + $1.count } / 2 }

    /// One millisecond in which something happens. False when nothing ever will.
    @discardableResult package func step() -> Bool {
        guard let time = nextTime else { return false }
        now = time
        while let happening = happenings.popFirst(dueAt: now) { perform(happening) }
        let due = nodes.filter { node in node.nextTime.map { $0 <= now } ?? false }
        let instant = now
        concurrently(due.count) { due[$0].work(at: instant) }
        for node in due { performOutputs(of: node) }
        transmit()
        return true
    }

    /// One input from outside, and what follows from it.
    package func apply(_ input: Replica.Input, to node: SimulatedNode) {
        node.apply(input, at: now)
        performOutputs(of: node)
    }
}
