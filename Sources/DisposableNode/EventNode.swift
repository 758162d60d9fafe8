// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation
internal import Logging
internal import NIOCore

/// One event of a node: the shell around its `Replica`, with its store, its connections and the watchers of its album.
///
/// Every event becomes an input of the replica (`apply`), and each output is started before the next input (`perform`);
/// nothing is awaited in between. Longer work returns as an input. A database that is rebuilt gets another `EventNode`.
///
/// Its executor is an event loop, the one that moves the bytes of its connections: these are handled on arrival.
public actor EventNode {
    public nonisolated let event: EventID
    nonisolated let context: NodeContext
    nonisolated let store: EventStore
    /// The guests' links, which the portal shares.
    public nonisolated let links: GuestLinks
    /// The watchers of the album.
    package nonisolated let watchers: AlbumWatchers
    nonisolated let summary: EventSummary
    /// A message for people if the event's database was rebuilt when it was opened.
    nonisolated let story: String?
    /// The executor, and the loop of every connection.
    nonisolated let loop: any EventLoop
    private nonisolated let executor: any SerialExecutor
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    var replica: Replica
    /// Writes are executed one after the other.
    let writes = DispatchQueue(label: "disposable.writes")
    /// The task that wakes the event for the earliest deadline, and that deadline.
    private var timer: (dueAt: UInt64, task: Scheduled<Void>)?
    /// Inputs that arrived while another one was handled, as from a socket that fails at once.
    private var inputs: [Replica.Input] = []
    private var isApplying = false
    private var sleep = SleepDetector()
    private var lastTicket: UInt64 = 0
    /// Callers that wait until their operations are stored.
    var waiting: [Ticket: CheckedContinuation<[OperationID], any Error>] = [:]
    var isStopped = false
    /// Whether the store is closed, or is about to be: nothing reaches the replica then.
    private(set) var isClosed = false

    /// Work that takes several steps. Unbounded: each answers one output of the replica, whose limits bound those.
    let jobs: AsyncStream<@Sendable () async -> Void>
    nonisolated let jobSink: AsyncStream<@Sendable () async -> Void>.Continuation

    var network: EventConnections
    var chunks = ChunkWriting()
    var disk = EventDisk()
    var destruction: EventDestruction
    var departure: EventDeparture
    var reading = AlbumReading()
    /// From the invitation, until the charter is here.
    let invitedName: String?
    /// The name that this node's person gave.
    var ownName: String?

    /// Reads the whole store. Throws `StoreError` if it is corrupt.
    /// - Parameter earlier: the event before its database was rebuilt: its watchers continue with this one.
    init(store: EventStore, following earlier: EventNode? = nil, context: NodeContext) throws {
        self.store = store
        self.context = context
        event = store.folder.event
        loop = context.loop
        executor = context.loop.executor
        let configuration = context.configuration
        let keys = store.keys
        func text(_ key: String) throws -> String? {
            try store.metadata(for: key).map { String(decoding: $0, as: UTF8.self) }
        }
        func addresses(_ key: String) throws -> [PeerAddress] {
            try text(key)?.split(separator: " ").compactMap { PeerAddress($0) } ?? []
        }
        invitedName = try text("name")
        ownName = try text("own name")
        let network = EventConnections(
            invited: try addresses("addresses"), remembered: try addresses("remembered addresses"))
        self.network = network
        destruction = try EventDestruction(store, delayMilliseconds: configuration.destructionDelayMilliseconds)
        departure = try EventDeparture(store)
        var replica = Replica(
            identity: .init(
                eventKey: keys.eventKey, secret: keys.eventSecret, deviceKey: keys.device,
                staticKey: context.staticKey, instance: context.instance,
                joinSalt: Entropy.bytes(OperationBody.saltByteCount), seed: Entropy.number),
            listenPort: 0, keptClasses: configuration.keptClasses,
            budgets: configuration.budgets ?? UnitBudgets(memoryByteCount: ProcessInfo.processInfo.physicalMemory),
            mustReconcile: try store.mustReconcile,
            originalsPerTree: try DiskRoom(at: store.folder.path).originalsPerTree)
        try Self.restore(&replica, from: store)
        self.replica = replica
        (jobs, jobSink) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        watchers = earlier?.watchers ?? AlbumWatchers()
        links = earlier?.links ?? GuestLinks(replica.keyring, of: event)
        links.follow(replica.keyring, of: event)
        summary = EventSummary(Self.summary(of: replica, name: invitedName, network))
        story = Self.story(of: store, replica, name: replica.state.charter?.name ?? invitedName ?? event.short)
        // The thread that detects corruption reports it.
        store.blobs.onDamage { [weak self] root in self?.complete { $0.takeBack(root) } }
        store.onDamage { [event] error in context.report(.databaseDamaged(event, error)) }
    }

    private static func restore(_ replica: inout Replica, from store: EventStore) throws {
        let inventory = try store.blobs.inventory()
        let partial = Dictionary(uniqueKeysWithValues: inventory.partial.map { ($0.root, $0) })
        try store.forEachOperation(bodies: { _ in true }) { replica.restore(part: $0) }
        var described: Set<BlobRoot> = []
        replica.finishRestoring { blob in
            described.insert(blob.root)
            // A root fixes the length: a description with another one describes nothing that is stored.
            if inventory.complete[blob.root] == blob.byteCount { return .complete }
            guard let partial = partial[blob.root], partial.byteCount == blob.byteCount else { return .absent }
            return .partial(partial.chunks, hashes: partial.chunkHashes)
        }
        replica.restore(
            registers: try store.registers().map {
                HeardRegister($0.register, heardAtMilliseconds: $0.heardAtMilliseconds)
            })
        // A rebuilt database may lack operations until others have sent them.
        guard !replica.mustReconcile else { return }
        // If the disk fails here, the next start repeats it.
        do { try store.blobs.sweepUnstated { described.contains($0) } } catch {}
    }

    // Common parts of the event

    nonisolated var logger: Logger { context.logger }
    nonisolated var configuration: NodeConfiguration { context.configuration }
    nonisolated var readers: DispatchQueue { context.readers }
    nonisolated var clock: ContinuousClock { context.clock }
    nonisolated var now: Instant { context.now }
    nonisolated func announce(_ update: Node.Update) { context.announce(update) }
    nonisolated func note(_ problem: Problem, _ text: String) { context.problems.note(problem, of: event, text) }
    nonisolated func solve(_ problem: Problem, _ text: String? = nil) {
        context.problems.solve(problem, of: event, text)
    }

    var name: String { replica.state.charter?.name ?? invitedName ?? event.short }

    func newTicket() -> Ticket {
        lastTicket += 1
        return Ticket(lastTicket)
    }

    /// Throws `NodeError` unless operations of `device` count.
    func checkStanding(of device: DeviceID) throws {
        do { try replica.checkStanding(of: device) } catch { throw NodeError(error) }
    }

    /// Updates the node's summary of the event.
    func refreshSummary() {
        guard summary.update(Self.summary(of: replica, name: invitedName, network)) else { return }
        context.report(.summaryChanged(event))
    }

    private static func summary(
        of replica: Replica, name: String?, _ network: EventConnections
    ) -> EventSummary.Content {
        let state = replica.state
        return EventSummary.Content(
            event: state.event, name: state.charter?.name ?? name ?? state.event.short, keyring: replica.keyring,
            charter: state.charter,
            memberHosts: (network.remembered + network.invited).map(\.host),
            mayServeGuests: state.membership.mayServePages(replica.deviceID) && state.mayBeShown)
    }

    // Running

    /// Announces the port, the known addresses and the name when the event starts.
    func begin() {
        guard configuration.listen != .none else { return }
        apply(.listens(port: context.reach.listenPort))
        apply(.remembered(network.remembered))
        for address in network.invited + configuration.peers { apply(.sighted(address, isPersistent: true)) }
        sayName()
        lookAtOnlyKey()
        lookAtOutcasts()
        lookAtVersion()
        lookAtMembership()
        lookAtPrinted()
        tellPages()
    }

    /// Runs jobs until the event is stopped.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask { await job() } }
            group.cancelAll()
        }
    }

    /// Passes the result of work on a queue to the event, in the order in which results arrive.
    nonisolated func complete(_ take: @escaping @Sendable (isolated EventNode) -> Void) {
        loop.execute {
            self.assumeIsolated { event in
                guard !event.isStopped else { return }
                take(event)
            }
        }
    }

    /// Sends close messages to the peers and ends `run`.
    /// - Parameter forGood: whether the store is closed next: nothing reaches the replica then.
    func stop(forGood: Bool = false) {
        if !isStopped {
            isStopped = true
            apply(.stop)
            jobSink.finish()
            failWaiting()
        }
        guard forGood else { return }
        isClosed = true
        timer?.task.cancel()
        timer = nil
    }

    /// Fails waiting callers, which would never be answered.
    private func failWaiting() {
        for continuation in waiting.values { continuation.resume(throwing: NodeError.stopped) }
        waiting = [:]
        destruction.end()
    }

    /// Stops at the end of the process, when nothing of the event runs any longer.
    func shutDown() async {
        stop()
        await closeConnections()
        stop(forGood: true)
        noteDestructions()
        writes.sync {}
        do { try store.close() } catch {
            logger.error("event not closed cleanly", metadata: ["event": "\(event.short)", "reason": "\(error)"])
        }
    }

    // The input loop

    /// Handles an input; the only caller of `handle`: starts every output, then flushes sent bytes and sets the timer.
    /// Synchronous, so nothing interleaves; an input that one of these steps causes at once waits for its end.
    func apply(_ input: Replica.Input) {
        guard !isClosed else { return }
        inputs.append(input)
        guard !isApplying else { return }
        isApplying = true
        defer { isApplying = false }
        if sleep.look(at: now) { inputs.insert(.interrupted, at: 0) }
        repeat {
            let next = inputs
            inputs = []
            for input in next { handle(input) }
            // Under load the timer would be late.
            if let deadline = replica.nextDeadline, deadline <= now.milliseconds { handle(.deadlineReached) }
            flush()
        } while !inputs.isEmpty
        setTimer()
    }

    private func handle(_ input: Replica.Input) {
        replica.handle(input, at: now)
        while let output = replica.nextOutput() { perform(output) }
        if case .interrupted = input { tellPages() }
    }

    /// Notifies the replica of sleep before any other input, above all before deadlines: then input that has arrived
    /// meanwhile, in the sockets' buffers, still counts.
    func lookForSleep() {
        if sleep.look(at: now) { apply(.interrupted) }
    }

    /// Sets the timer, again only for an earlier deadline: one that fires early sets the next.
    private func setTimer() {
        guard !isClosed, let dueAt = [replica.nextDeadline, chunks.flushDueAt].compactMap(\.self).min() else { return }
        if let timer {
            guard dueAt < timer.dueAt else { return }
            timer.task.cancel()
        }
        let now = now.milliseconds
        let delay = TimeAmount.milliseconds(dueAt > now ? Int64(clamping: dueAt - now) : 1)
        timer = (
            dueAt,
            loop.scheduleTask(in: delay) { self.assumeIsolated { $0.keepTime() } }
        )
    }

    private func keepTime() {
        timer = nil
        flushIfDue()
        if let deadline = replica.nextDeadline, deadline <= now.milliseconds {
            apply(.deadlineReached)
        } else {
            setTimer()
        }
    }

    /// Signs a command and waits until it is stored.
    /// - Parameter key: the sub-key of a guest; `nil` for this device.
    /// Throws `.stopped` if no answer would come.
    func author(_ statement: Statement, by key: SigningKey? = nil) async throws -> [OperationID] {
        guard !isStopped else { throw NodeError.stopped }
        let ticket = newTicket()
        return try await withCheckedThrowingContinuation { continuation in
            waiting[ticket] = continuation
            apply(.author(statement, by: key, ticket))
        }
    }

    /// Signs the name that the person gave, once this device is a member and if it is not signed yet.
    func sayName() {
        guard replica.isAdmitted, let name = ownName, replica.state.album.name(of: replica.authorID) != name else {
            return
        }
        let body = OperationBody.encode(.name(name), salt: Entropy.bytes(OperationBody.saltByteCount))
        apply(.author(.name(body: body), by: nil, newTicket()))
    }
}
