// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableSync
internal import DisposableWire

/// Real replicas in one process, on a virtual clock, network and disk, with all random values from one seed.
///
/// Time advances in milliseconds in which something happens. In each of them (1) disks finish their operations and
/// machines start, in the order of one queue; (2) every node handles its due inputs, accessing only itself, so that
/// nodes may work on several cores; (3) their outputs are started, node after node; (4) the network moves bytes, which
/// arrive a millisecond later at the earliest. So the order of everything is determined: by time, then by node, then by
/// the order of scheduling, for any number of cores.
///
/// One input to one replica is a step. A run that does not reach its goal within its steps is a failure, not a hang.
/// `trace` is a hash over all inputs of all replicas: equal seeds, equal traces, in every process.
package final class Swarm {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }
    }

    /// An external event of a machine.
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
    package var network = Network()
    /// Called with the number of jobs and the job for each index; may run several at once.
    package var concurrently: Concurrently = { count, body in for index in 0..<count { body(index) } }

    /// The duration of reads and writes, in milliseconds, and in addition of verifying signatures.
    package var workMilliseconds: ClosedRange<UInt64> = 0...6
    package var checkMilliseconds: UInt64 = 0
    /// Breaks a rule at a replica's inputs or outputs, to test the checkers.
    package var sabotage: Sabotage?

    var happenings = EventQueue<Happening>()
    var evidence = Evidence()
    /// The operation budgets of nodes that are started from now on.
    package var budgets = UnitBudgets()
    /// Called for each blob that a node has completed, in the order of the nodes.
    package var onComplete: (SimulatedNode, BlobID) -> Void = { _, _ in }
    /// Called with one line for each event, if set.
    package var log: ((String) -> Void)?

    package init(
        seed: UInt64, frames: UInt32 = 27, reveal: RevealRule = .now, needsTickets: Bool = false,
        shares: ShareRule? = nil
    ) {
        random = SplitMix64(seed: seed)
        founding = FoundedEvent(
            frames: frames, reveal: reveal, needsTickets: needsTickets, shares: shares, random: &random)
    }

    package var stepCount: Int { nodes.reduce(0) { $0 + $1.trace.stepCount } }

    /// A hash over the inputs of every node.
    package var trace: UInt64 {
        nodes.reduce(now) { trace, node in
            var mixer = SplitMix64(seed: trace ^ node.trace.hash)
            return mixer.next()
        }
    }

    // Nodes

    /// Adds a node; the first one is the organizer's, which is created with the event and admitted.
    /// - Parameters:
    ///   - deviceKey: the key of another node, for a copied folder.
    ///   - disk: the storage, memory by default.
    @discardableResult package func addNode(
        secret: SecretBytes? = nil, deviceKey: SigningKey? = nil, clockOffset: Int64 = 0,
        keeping classes: Set<BlobClass> = Set(BlobClass.allCases), disk: (any SimulatedDisk)? = nil
    ) -> SimulatedNode {
        let node = makeNode(
            secret: secret, deviceKey: deviceKey, clockOffset: clockOffset, keeping: classes, disk: disk)
        if node.index == 0 { _ = node.disk.write(founding.operations, durably: true) }
        start(node)
        return node
    }

    func makeNode(
        secret: SecretBytes? = nil, deviceKey: SigningKey? = nil, clockOffset: Int64 = 0,
        keeping classes: Set<BlobClass> = Set(BlobClass.allCases), disk: (any SimulatedDisk)? = nil
    ) -> SimulatedNode {
        let key = deviceKey ?? (nodes.isEmpty ? founding.deviceKey : SigningKey(seed: random.secret()))
        let node = SimulatedNode(
            index: nodes.count, deviceKey: key, secret: secret ?? founding.secret, keptClasses: classes,
            importSecret: random.secret(), clockOffset: clockOffset, disk: disk ?? MemoryDisk(archive: archive))
        nodes.append(node)
        network.addHost(at: node.address)
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
        for address in node.person.addresses { apply(.sighted(address, isPersistent: true), to: node) }
    }

    // Running

    /// Runs until `condition` holds, which is checked every few steps and when no event is scheduled.
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

    /// Runs for a while.
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

    /// The time of the next event.
    package var nextTime: UInt64? {
        var next = happenings.nextTime ?? .max
        if !network.ready.isEmpty { next = min(next, now + 1) }
        for node in nodes { if let time = node.nextTime { next = min(next, time) } }
        return next == .max ? nil : max(next, now)
    }

    /// Advances the time without events.
    package func skip(to time: UInt64) { now = max(now, time) }

    package var openConnectionCount: Int { network.openConnectionCount }

    /// Runs one millisecond with events. Returns false if there will never be one.
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

    /// Handles one input from outside, and its consequences.
    package func apply(_ input: Replica.Input, to node: SimulatedNode) {
        node.apply(input, at: now)
        performOutputs(of: node)
    }
}
