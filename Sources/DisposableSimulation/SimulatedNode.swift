// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableSync
package import DisposableWire

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
    /// The difference of this machine's wall clock to the true time, in milliseconds; positive if ahead.
    package var clockOffset: Int64
    package var replica: Replica?
    /// A dishonest peer with the secret, instead of a replica.
    package var dishonestPeer: DishonestPeer?
    package var incarnation = 0
    package var disk: any Disk
    /// Whether the disk refuses writes.
    package var isDiskFull = false
    /// The share of reads and writes that fail, 0 to 1.
    package var diskErrorShare = 0.0
    /// The node's address; another one after a change of network.
    package internal(set) var address: PeerAddress
    /// The addresses that the node's person has entered, entered again at each start.
    var addresses: [PeerAddress] = []
    /// Transactions in progress, in order: there is one writer.
    var writes: [(operations: [VerifiedOperation], durably: Bool, ticket: Ticket)] = []
    var writesUntil: UInt64 = 0
    var suspendedUntil: UInt64 = 0
    /// Whether its disk may contain blobs whose operations it has lost.
    var hasLostPower = false
    /// The time that the machine has slept, which its clock does not count.
    var sleptMilliseconds: UInt64 = 0
    var isFlushDue = false

    var inputs = EventQueue<Replica.Input>()
    var wakeAt: UInt64?
    var outputs: [Replica.Output] = []
    private(set) var trace: UInt64 = 0
    private(set) var stepCount = 0
    package private(set) var largestLoad = Replica.Load()

    /// Replaces the result of a read: a lying disk, or (`nil`) one that never answers.
    package var answerRead: (BlobRead, ReadResult) -> ReadResult? = { $1 }
    package var alterLoad: ([VerifiedOperation]) -> [VerifiedOperation] = { $0 }

    package private(set) var closings: [ProtocolCode] = []
    package private(set) var refusals: [ProtocolCode] = []
    /// The number of times that the replica paused reading.
    package internal(set) var pauseCount = 0
    package private(set) var clockWarnings: [Int64] = []
    /// For each notice to reveal sealed photos, how long the reveal had been due, in milliseconds.
    package private(set) var revealNotices: [UInt64] = []
    package private(set) var completed: [BlobID] = []
    /// Devices whose keys it has seen in use twice.
    package private(set) var clones: [DeviceID] = []
    /// The sub-keys with which it signs for the guests of its page.
    package var subKeys: [AuthorID: SigningKey] = [:]
    /// The number of changes to another event secret, and the epochs that were sealed to it falsely.
    package private(set) var rotationCount = 0
    package private(set) var falselySealed: [OperationID] = []
    /// The number of times that members refused it because it was not given the current secret.
    package private(set) var turnedAwayCount = 0
    private var ticketCount: UInt64 = 0
    package var authored: [Ticket: [OperationID]] = [:]
    package var refused: [Ticket: AuthoringError] = [:]

    init(
        index: Int, deviceKey: SigningKey, secret: SecretBytes, keptClasses: Set<BlobClass>, importSecret: SecretBytes,
        clockOffset: Int64, disk: any Disk
    ) {
        self.index = index
        self.deviceKey = deviceKey
        self.secret = secret
        self.keptClasses = keptClasses
        self.importSecret = importSecret
        self.clockOffset = clockOffset
        self.disk = disk
        address = PeerAddress(host: "10.0.\((index + 1) / 250).\((index + 1) % 250 + 1)", port: 8028)
    }

    package var device: DeviceID { DeviceID(deviceKey.verifyingKey) }
    package var isUp: Bool { replica != nil || dishonestPeer != nil }
    package var isHonest: Bool { dishonestPeer == nil }
    /// The disk if it is memory, as it is unless a test provides another.
    package var memoryDisk: MemoryDisk? { disk as? MemoryDisk }

    func credentials(for event: FoundedEvent) -> EventCredentials { EventCredentials(event: event.id, secret: secret) }

    package func newTicket() -> Ticket {
        ticketCount += 1
        return Ticket(ticketCount)
    }

    /// The time of the node's next work.
    var nextTime: UInt64? {
        guard isUp else { return nil }
        let due = min(inputs.nextTime ?? .max, wakeAt ?? .max)
        return due == .max ? nil : max(due, suspendedUntil)
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
        wakeAt = deadline
    }

    private var deadline: UInt64? {
        (replica?.nextDeadline ?? dishonestPeer?.nextDeadline).map { $0 + sleptMilliseconds }
    }

    private func handle(_ input: Replica.Input, at now: UInt64) {
        guard isUp else { return }
        stepCount += 1
        mix(input, now)
        let wallClock = Int64(Swarm.epochMilliseconds + now) + clockOffset
        let instant = Instant(
            milliseconds: now - sleptMilliseconds, wallClockMilliseconds: UInt64(max(wallClock, 0)))
        if dishonestPeer != nil {
            outputs += dishonestPeer!.handle(input, at: instant)
            return
        }
        replica!.handle(input, at: instant)
        while let output = replica!.nextOutput() {
            if case .changed(let change) = output { note(change) }
            outputs.append(output)
        }
        if stepCount % 256 == 0 { noteLoad() }
    }

    /// Records the fill levels of the queues now, in addition to the regular records.
    package func noteLoad() {
        if let replica { largestLoad.formMaximum(replica.load) }
    }

    private func note(_ change: Replica.Change) {
        switch change {
        case .closed(_, let code): if closings.count < 1_000 { closings.append(code) }
        case .clockDiffers(_, let milliseconds): if clockWarnings.count < 1_000 { clockWarnings.append(milliseconds) }
        case .blobComplete(let blob): completed.append(blob)
        case .refused(_, let code): if refusals.count < 1_000 { refusals.append(code) }
        case .cloned(let device): if clones.count < 1_000 { clones.append(device) }
        case .revealDue(let milliseconds): revealNotices.append(milliseconds)
        case .rotated: rotationCount += 1
        case .falselySealed(let epoch): if falselySealed.count < 1_000 { falselySealed.append(epoch) }
        case .invitationReplaced: turnedAwayCount += 1
        case .album, .messages, .peers, .pages, .admitted, .rejected, .reconciled, .slotsLost, .otherVersion: break
        }
    }

    // The trace: a hash over the inputs. Equal seeds give equal traces, in every process.

    private func mix(_ input: Replica.Input, _ now: UInt64) {
        mix(now)
        switch input {
        case .received(let connection, let bytes):
            mix(connection.number)
            mix(UInt64(bytes.count))
            // The end of an encrypted frame authenticates everything before it.
            for byte in bytes.suffix(16) { trace = (trace ^ UInt64(byte)) &* 0x100_0000_01B3 }
        case .persisted(let ticket), .persistFailed(let ticket), .chunkRead(let ticket, _), .loaded(let ticket, _),
            .verified(let ticket, _), .author(_, _, let ticket):
            mix(ticket.number)
        case .chunkStored(let blob, let index), .chunkTurnedOutWrong(let blob, let index),
            .chunkStoringFailed(let blob, let index):
            mix(blob.root.bytes32.prefix64 &+ UInt64(index))
        case .connected(let connection, _, _), .accepted(let connection, _, _, _, _), .disconnected(let connection),
            .sent(let connection, _):
            mix(connection.number)
        case .takenBack(let root, _): mix(root.bytes32.prefix64)
        case .sighted, .invited, .listens, .operationsLost, .remembered, .dialFailed, .destroyed, .handOver,
            .servesPages, .roomChanged, .originalsLimited, .deadlineReached, .interrupted, .stop, .bundleOpened,
            .bundleAnswered:
            break
        }
    }

    private func mix(_ number: UInt64) {
        var mixer = SplitMix64(seed: trace ^ number)
        trace = mixer.next()
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
