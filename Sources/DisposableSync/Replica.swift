// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// One event on this node: everything between the sockets, the disk and the screen, without I/O.
///
/// The shell calls `handle(_:at:)` with an input and then takes `nextOutput()` until it is `nil`; at `nextDeadline` it
/// passes `.deadlineReached`. Time and randomness are in the inputs, so that a whole swarm of replicas runs in one
/// process and replays from one seed.
///
/// Two data paths. *Operations* arrive from peers, are verified (`verify`, by the shell on all cores), stored
/// (`persist`), and only then enter the sets and the state and are passed on. Reconciliation finds the missed ones,
/// first in the authority set, then in the content set. *Blobs*: operations describe which exist, `have` messages
/// announce their holders, the `ChunkScheduler` requests chunks, verifies them and has them stored.
///
/// Trust. A connection exists only to a node that knows the event secret. A device belongs to the event when its join
/// counts; until then it is sent an admission and nothing else, and only joins and members' operations are accepted
/// from it.
///
/// The replica owns a state machine for each concern and lets them meet: it passes each the time and what it needs of
/// the others, and performs what it returns. A machine has its own file and tests, and never calls another one.
///
/// | concern | machine | the replica's part |
/// | --- | --- | --- |
/// | commands | `Authoring`, with `OwnChains` and `LostFrames` | `Replica+Authoring`, and one file a kind of command |
/// | operations of others | `OperationPipeline`, with `OperationBudgets` | `Replica+Operations`, `Replica+Budgets` |
/// | gossip | `Gossip` | `Replica+Push` |
/// | reconciliation | `ReconciliationSession`, `OperationIndex` | `Replica+Reconciliation` |
/// | withdrawn photos | `WithdrawnSubjects`, of `OperationIndex` | `Replica+Destruction` |
/// | blobs | `ChunkScheduler`, `BlobCatalogue`, `BlobInterest` | `Replica+Blobs`, `+Serving`, `+Interest` |
/// | inventories | `Inventories`, with `InventorySigner` | `Replica+Inventories` |
/// | epochs | `EpochFollower` | `Replica+Epochs`, `Replica+Rotation` |
/// | reveal | `Notices`, `RevealReminders` | `Replica+Reveal` |
/// | portals | `PortalDirectory` | `Replica+Portals` |
/// | bundles | `Peer` | `Replica+Bundles` |
/// | connections | `Peer`, `AddressBook`, `AdmissionControl` | `Replica+Peers`, `Replica+View`, `Replica+Joining` |
public struct Replica {
    let identity: Identity
    var status: NodeStatus

    // The event
    public internal(set) var state: EventState
    var index = OperationIndex()
    var epochs: EpochFollower

    // Operations of this node, and of others
    var authoring: Authoring
    var pipeline: OperationPipeline
    var gossip = Gossip()
    var inventories: Inventories

    // Blobs
    var blobs = BlobCatalogue()
    var interests: BlobInterest
    var scheduler: ChunkScheduler

    // Connections
    var peers: OrderedDictionary<ConnectionID, Peer> = [:]
    var addresses: AddressBook
    var portals = PortalDirectory()
    var admissions = AdmissionControl()

    var timers = TimerTable()
    var random: SplitMix64
    var outputs = OutputQueue()
    var now = Instant(milliseconds: 0, wallClockMilliseconds: 0)

    /// - Parameters:
    ///   - identity: the keys of the event and of this device.
    ///   - listenPort: the port on which this node listens; 0 until it is known.
    ///   - keptClasses: the classes of blobs that this node fetches without a request.
    ///   - budgets: the units of operations that are accepted at any speed.
    ///   - mustReconcile: whether the store has lost operations.
    ///   - originalsPerTree: see `Input.originalsLimited`; known before the store is restored, so that not more is
    ///     wanted than the disk has room for.
    public init(
        identity: Identity, listenPort: UInt16, keptClasses: Set<BlobClass>, budgets: UnitBudgets = UnitBudgets(),
        mustReconcile: Bool = false, originalsPerTree: UInt64? = nil
    ) {
        self.identity = identity
        status = NodeStatus(listenPort: listenPort, mustReconcile: mustReconcile)
        state = EventState(eventKey: identity.eventKey)
        epochs = EpochFollower(Keyring(invited: identity.credentials))
        authoring = Authoring(of: identity.device, eventKey: DeviceID(identity.eventKey))
        pipeline = OperationPipeline(limits: budgets)
        inventories = Inventories(of: identity.device, instance: identity.instance)
        interests = BlobInterest(classes: keptClasses, originalsPerTree: originalsPerTree)
        random = SplitMix64(seed: identity.seed)
        scheduler = ChunkScheduler(random: SplitMix64(seed: identity.seed ^ 0x5EED), device: identity.device)
        addresses = AddressBook(random: SplitMix64(seed: identity.seed ^ 0xADD2))
    }

    /// Handles one input. Every output that it causes is then waiting at `nextOutput()`.
    public mutating func handle(_ input: Input, at instant: Instant) {
        now = instant
        switch input {
        case .sighted(let address, let isPersistent, let attempt):
            addresses.add(address, isPersistent: isPersistent, attempt: attempt, at: now)
        case .invited(let secret): take(invited: secret)
        case .remembered(let addresses): self.addresses.remember(addresses, at: now)
        case .connected(let connection, let address, let entropy): connected(connection, to: address, entropy)
        case .dialFailed(let address): addresses.failed(address, at: now)
        case .accepted(let connection, let host, let challenge, let preface, let entropy):
            accepted(connection, from: host, challenge: challenge, preface: preface, entropy)
        case .received(let connection, let bytes): received(bytes, from: connection)
        case .sent(let connection, let byteCount): sent(byteCount, to: connection)
        case .disconnected(let connection): remove(connection, code: nil)
        case .bundleOpened(let connection, let entropy): bundleOpened(connection, entropy)
        case .bundleAnswered(let connection, let messages): bundleAnswered(connection, messages)
        case .listens(let port): status.listenPort = port
        case .operationsLost: status.mustReconcile = true
        case .author(let statement, let key, let ticket): authoring.append(statement, by: key, ticket)
        case .verified(let ticket, let operations): verified(ticket, operations)
        case .persisted(let ticket): persisted(ticket)
        case .persistFailed(let ticket): persistFailed(ticket)
        case .loaded(let ticket, let operations): loaded(ticket, operations)
        case .chunkStored(let blob, let index): chunkStored(blob, index: index)
        case .chunkTurnedOutWrong(let blob, let index): chunkTurnedOutWrong(blob, index: index)
        case .chunkStoringFailed(let blob, let index):
            scheduler.storingFailed(index, of: blob, at: now.milliseconds)
        case .chunkRead(let ticket, let result): chunkRead(ticket, result)
        case .takenBack(let root, let left): takenBack(root, left: left)
        case .destroyed(let subjects, let roots): destroyed(subjects, roots)
        case .handOver: askWhatIsThere()
        case .servesPages(let addresses):
            portals.serve(addresses)
            announcePortal()
        case .roomChanged(let space): spaceChanged(to: space)
        case .originalsLimited(let byteCount): limitOriginals(to: byteCount)
        case .deadlineReached: keepTime()
        case .interrupted: interrupted()
        case .stop: stop()
        }
        settle()
    }

    /// Returns the next output, `nil` if there is none until the next input.
    public mutating func nextOutput() -> Output? { outputs.popFirst() }

    /// Continues work after any input: commands to sign, peers to dial, chunks to request.
    private mutating func settle() {
        guard !isStopping else { return timers.stop() }
        followEpochs()
        claimLostSlots()
        confirmTicketUses()
        authorNext()
        joinIfOffered()
        dialDue()
        reviewIfDue()
        for output in scheduler.poll(at: now.milliseconds) { perform(output) }
        timers.schedule(with: [
            scheduler.nextDeadline(after: now.milliseconds), authoring.nextDeadline, gossip.nextDeadline,
            inventories.signer.nextDeadline, interests.review.nextDeadline, status.notices.reveal.nextDeadline,
        ])
    }

    /// Milliseconds of the monotonic clock at which `.deadlineReached` is due at the latest.
    public var nextDeadline: UInt64? { timers.nextDeadline }

    mutating func newTicket() -> Ticket { outputs.newTicket() }
}
