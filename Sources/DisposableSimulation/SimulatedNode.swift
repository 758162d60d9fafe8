// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableSync
internal import DisposableWire

/// One machine of a swarm: its replica while it runs, its disk always, and the events that its person would have seen.
///
/// `work(at:)` accesses only the node itself, so that the nodes of a swarm can work in parallel; the results wait in
/// `outputs` until the swarm, one node after the other, passes them to networks and disks.
// Unchecked: a swarm gives each node to one thread at a time, and waits for all threads before it accesses any.
package final class SimulatedNode: @unchecked Sendable {
    package let index: Int
    package let deviceKey: SigningKey
    /// The secret of the invitation that its person was shown last.
    package internal(set) var secret: SecretBytes
    package let keptClasses: Set<BlobClass>
    package let importSecret: SecretBytes
    package var replica: Replica?
    /// A dishonest peer with the secret, instead of a replica.
    package var dishonestPeer: DishonestPeer?
    /// The number of times that it was switched off: work of an earlier time is ignored.
    private(set) var incarnation = 0
    /// The node's address; another one after a change of network.
    package internal(set) var address: PeerAddress

    package var storage: NodeStorage
    package var clock: NodeClock
    package var person = NodePerson()
    package internal(set) var journal = NodeJournal()
    private(set) var trace = InputTrace()
    var inputs = EventQueue<Replica.Input>()
    private var outputs: [Replica.Output] = []

    init(
        index: Int, deviceKey: SigningKey, secret: SecretBytes, keptClasses: Set<BlobClass>, importSecret: SecretBytes,
        clockOffset: Int64, disk: any SimulatedDisk
    ) {
        self.index = index
        self.deviceKey = deviceKey
        self.secret = secret
        self.keptClasses = keptClasses
        self.importSecret = importSecret
        clock = NodeClock(offset: clockOffset)
        storage = NodeStorage(disk: disk)
        address = PeerAddress(host: "10.0.\((index + 1) / 250).\((index + 1) % 250 + 1)", port: 8028)
    }

    package var device: DeviceID { DeviceID(deviceKey.verifyingKey) }
    package var isUp: Bool { replica != nil || dishonestPeer != nil }
    package var isHonest: Bool { dishonestPeer == nil }
    /// The disk itself, without its troubles.
    package var disk: any SimulatedDisk {
        get { storage.disk }
        set { storage.disk = newValue }
    }
    package var memoryDisk: MemoryDisk? { storage.memoryDisk }

    func credentials(for event: FoundedEvent) -> EventCredentials { EventCredentials(event: event.id, secret: secret) }

    /// The time of the node's next work.
    var nextTime: UInt64? {
        guard isUp else { return nil }
        let due = min(inputs.nextTime ?? .max, clock.wakesAt ?? .max)
        return due == .max ? nil : max(due, clock.sleepsUntil)
    }

    // Working

    /// Does everything that is due, in order.
    func work(at now: UInt64) {
        guard isUp else { return }
        while let input = inputs.popFirst(dueAt: now) { handle(input, at: now) }
        keepTime(at: now)
    }

    /// Handles one input from outside, at once.
    func apply(_ input: Replica.Input, at now: UInt64) {
        handle(input, at: now)
        keepTime(at: now)
    }

    /// Does the same as the product's shell: handles a deadline that has passed before the next input.
    private func keepTime(at now: UInt64) {
        if let deadline, deadline <= now { handle(.deadlineReached, at: now) }
        clock.setAlarm(at: deadline)
    }

    private var deadline: UInt64? {
        (replica?.nextDeadline ?? dishonestPeer?.nextDeadline).map(clock.time)
    }

    private func handle(_ input: Replica.Input, at now: UInt64) {
        guard isUp else { return }
        trace.add(input, at: now)
        let instant = clock.instant(at: now)
        if dishonestPeer != nil {
            outputs += dishonestPeer!.handle(input, at: instant)
            return
        }
        replica!.handle(input, at: instant)
        while let output = replica!.nextOutput() {
            if case .changed(let change) = output { journal.note(change) }
            outputs.append(output)
        }
        if trace.stepCount % 256 == 0 { noteLoad() }
    }

    /// Returns the outputs that wait, in order.
    func takeOutputs() -> [Replica.Output] {
        defer { outputs.removeAll(keepingCapacity: true) }
        return outputs
    }

    /// Records the fill levels of the queues now, in addition to the regular records.
    package func noteLoad() {
        if let replica { journal.note(replica.load) }
    }

    /// Ends the node's process; nothing that it had begun is finished.
    func switchOff(at now: UInt64) {
        noteLoad()
        incarnation += 1
        replica = nil
        clock.reset()
        storage.reset(at: now)
        outputs = []
        _ = inputs.removeAll()
    }

    // Accessors for others

    /// Both sets in one line of text: equal lines mean equal sets.
    package var sets: String {
        guard let replica else { return "down" }
        return OperationSet.allCases.map { set in
            let summary = replica.summary(of: set)
            return "\(summary.count):\(summary.fingerprint.hex)"
        }.joined(separator: " ")
    }

    /// A summary for the text of a failure.
    var summary: String {
        if dishonestPeer != nil { return "\(index) dishonest" }
        guard let replica else { return "\(index) down" }
        let peers = replica.livePeers.count
        return "\(index)\(replica.isAdmitted ? "" : " outside") peers \(peers) missing \(replica.missingBlobCount) "
            + "sets \(OperationSet.allCases.map { replica.summary(of: $0).count })"
    }
}
