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
///
/// The state of each concern is a part in a file of its own, which knows nothing of the event node:
///
/// | concern | part | the node's extension |
/// | --- | --- | --- |
/// | inputs, one after the other, and deadlines | `EventInputs` | `EventNode+Inputs`, `+Outputs` |
/// | operations of this node | `WaitingAuthors`, `EventNames` | `EventNode+Authoring` |
/// | connections | `EventConnections` | `EventNode+Connections`, called by `PeerHandler` |
/// | chunks to store | `ChunkWriting` | `EventNode+Chunks` |
/// | a full or failing disk | `EventDisk` | `EventNode+Disk` |
/// | purging of withdrawn data | `EventDestruction` | `EventNode+Destruction` |
/// | the end of the event on this node | `EventDeparture` | `EventNode+Leaving`, `+Retention`, `+Twins` |
/// | the gallery in pages, and its changes | `AlbumReading`, `AlbumWatchers` | `EventNode+Album` and those beside it |
public actor EventNode {
    nonisolated let context: NodeContext
    nonisolated let store: EventStore
    /// The guests' links, which the portal shares.
    public nonisolated let links: GuestLinks
    /// The watchers of the album.
    package nonisolated let watchers: AlbumWatchers
    nonisolated let summary: EventSummary
    /// A message for people if the event's database was rebuilt when it was opened.
    nonisolated let story: String?
    /// The executor of `loop`, kept because `unownedExecutor` does not keep it.
    private nonisolated let executor: any SerialExecutor
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    var replica: Replica
    /// Writes are executed one after the other.
    let writes = DispatchQueue(label: "disposable.writes")
    var inputs = EventInputs()
    var authors = WaitingAuthors()
    nonisolated let jobs = EventJobs()
    private(set) var stage = Stage.running
    var names: EventNames
    var network: EventConnections
    var chunks = ChunkWriting()
    var disk = EventDisk()
    var destruction: EventDestruction
    var departure: EventDeparture
    var reading = AlbumReading()

    enum Stage {
        case running
        /// The peers are told that this node leaves.
        case stopped
        /// The store is closed, or is about to be: nothing reaches the replica.
        case closed
    }

    /// Reads the whole store. Throws `StoreError` if it is corrupt.
    /// - Parameter earlier: the event before its database was rebuilt: its watchers continue with this one.
    init(store: EventStore, following earlier: EventNode? = nil, context: NodeContext) throws {
        self.store = store
        self.context = context
        let event = store.folder.event
        executor = context.loop.executor
        let configuration = context.configuration
        let keys = store.keys
        func text(_ key: String) throws -> String? {
            try store.metadata(for: key).map { String(decoding: $0, as: UTF8.self) }
        }
        func addresses(_ key: String) throws -> [PeerAddress] {
            try text(key)?.split(separator: " ").compactMap { PeerAddress($0) } ?? []
        }
        let names = EventNames(invited: try text("name"), own: try text("own name"))
        self.names = names
        let network = EventConnections(
            invited: try addresses("addresses"), remembered: try addresses("remembered addresses"))
        self.network = network
        destruction = try EventDestruction(store, delayMilliseconds: configuration.destructionDelayMilliseconds)
        destruction.removals = Self.pendingRemovals(of: store, context)
        let departure = try EventDeparture(store)
        self.departure = departure
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
        watchers = earlier?.watchers ?? AlbumWatchers()
        links = earlier?.links ?? GuestLinks(replica.keyring, of: event)
        links.follow(replica.keyring, of: event)
        summary = EventSummary(
            Self.summary(of: replica, name: names.invited, network, isReader: departure.isReader))
        story = Self.story(of: store, replica, name: replica.state.charter?.name ?? names.invited ?? event.short)
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
        store.releaseMemory()
        // A rebuilt database may lack operations until others have sent them.
        guard !replica.mustReconcile else { return }
        // If the disk fails here, the next start repeats it.
        do { try store.blobs.sweepUnstated { described.contains($0) } } catch {}
    }

    // Common parts of the event

    public nonisolated var event: EventID { store.folder.event }
    /// The executor, and the loop of every connection.
    nonisolated var loop: any EventLoop { context.loop }
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

    var name: String { replica.state.charter?.name ?? names.invited ?? event.short }
    var isStopped: Bool { stage != .running }

    /// Updates the node's summary of the event.
    func refreshSummary() {
        let content = Self.summary(of: replica, name: names.invited, network, isReader: departure.isReader)
        guard summary.update(content) else { return }
        context.report(.summaryChanged(event))
    }

    private static func summary(
        of replica: Replica, name: String?, _ network: EventConnections, isReader: Bool
    ) -> EventSummary.Content {
        let state = replica.state
        return EventSummary.Content(
            event: state.event, name: state.charter?.name ?? name ?? state.event.short, keyring: replica.keyring,
            charter: state.charter,
            memberHosts: (network.remembered + network.invited).map(\.host),
            mayServeGuests: state.membership.mayServePages(replica.deviceID) && state.mayBeShown && !isReader,
            isReader: isReader)
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
        signRemovalsWhenDue()
    }

    /// Runs the event's jobs until it is stopped.
    func run() async { await jobs.run() }

    /// Sends close messages to the peers and ends `run`.
    /// - Parameter forGood: whether the store is closed next: nothing reaches the replica then.
    func stop(forGood: Bool = false) {
        if !isStopped {
            stage = .stopped
            apply(.stop)
            jobs.end()
            authors.end()
            destruction.end()
        }
        guard forGood else { return }
        stage = .closed
        inputs.cancelTimer()
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
}
