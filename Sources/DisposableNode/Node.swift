// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
public import DisposableWire
public import Logging
internal import Dispatch
internal import DisposableCrypto
internal import DisposableDiscovery
internal import DisposableImaging
internal import DisposableStore
internal import DisposableSync
internal import Foundation
internal import NIOPosix

/// The shell around the engine: one actor that owns a `Replica` for each event of its folder, and everything that
/// touches the world for them: sockets, disk, image workers, mDNS.
///
/// Whatever happens becomes an input of a replica (`apply`), and what the replica wants done in answer is begun before
/// the next input is looked at (`perform`); nothing is awaited in between. Work that takes time comes back as an input.
public actor Node {
    /// What somebody who shows the node to people wants to know.
    public enum Update: Sendable, Equatable {
        case ready(listen: String?)
        /// Photos, names or parameters.
        case album(EventID)
        case peers(EventID)
        case admitted(EventID)
        /// An address answered and hung up on what this node's invitation says.
        case rejected(EventID, PeerAddress)
        /// How other nodes are looked for from now on: `daemon`, `embedded`, or `off` and why.
        case discovery(mode: String, reason: String?)
        /// This machine's addresses are others than before.
        case moved
        /// A node of the event listens there and will not have the connection: it is full, or of another version.
        case refused(EventID, PeerAddress, ProtocolCode)
        /// The event has another secret than before, and this node has it.
        case rotated(EventID, name: String)
        /// A member says that this node's invitation was replaced by another.
        case invitationReplaced(EventID)
        case warning(String)
        /// What was warned of is over.
        case solved(String)
        /// The event is none of this node's any more, and nothing of it is here.
        case forgotten(EventID, name: String)
    }

    public nonisolated let folder: DataFolder
    let configuration: NodeConfiguration
    let logger: Logger
    private let lock: FolderLock

    var sessions: [EventID: EventSession] = [:]
    /// The Noise static key and the instance of this process.
    private let staticKey = AgreementKey(scalar: Entropy.secret(AgreementKey.byteCount))
    private let instance = Entropy.bytes(16)

    // The network
    var connections: [ConnectionID: PeerChannel] = [:]
    /// Which event a connection is about, once that is known.
    var attached: [ConnectionID: EventID] = [:]
    /// Connections that are not read from, and until when.
    var pauses: [ConnectionID: ContinuousClock.Instant] = [:]
    /// Which of this machine's addresses a connection uses.
    var localHosts: [ConnectionID: String] = [:]
    /// Accepted connections that have not shown a preface, and the places they hold.
    var strangers: [ConnectionID: AcceptGate.Place] = [:]
    let gate = Gate()
    private var lastConnection: UInt64 = 0
    var listenPort: UInt16 = 0
    var listenAddress: String?
    var pages: Pages?
    var deskKey: (@Sendable () -> String?)?
    var discovery: Discovery?
    var discoveryName = "off"
    /// What mDNS calls this node: random per start, so that a device is not followed from event to event.
    let instanceName = "disposable-" + Entropy.bytes(6).hex
    var advertisementSalt = Entropy.bytes(8)
    /// What the advertisement was made from.
    var advertisedCharters: [EventID: Charter?] = [:]
    var problems: [Problem: String] = [:]
    /// What the disk has left of what is kept free.
    var diskSpace = DiskSpace.plenty
    /// Whether it has room for blobs.
    var hasRoom: Bool { diskSpace == .plenty }
    /// What whoever serves pages looks at: the same ones when a database is made anew.
    var guestLinks: [EventID: GuestLinks] = [:]
    /// Events whose databases are being made anew, or will be tried again.
    var rebuilding: [EventID: DamagedEvent] = [:]
    /// Events that are forgotten and whose folders are still to be destroyed, and whether nothing uses them any more.
    var forgotten: [EventID: Bool] = [:]
    /// Questions that are being answered.
    var answerCount = 0

    // Those who look at the album
    /// What everybody sees, oldest first, and how many photos are sealed besides, until something changes.
    var galleries: [EventID: (visible: [Photo], sealedCount: Int)] = [:]
    /// The same with those that are hidden.
    var sheets: [EventID: [Photo]] = [:]
    var albumReaders: [EventID: [AsyncStream<AlbumUpdate>.Continuation]] = [:]
    var adding: [AddingTurn: [CheckedContinuation<Void, Never>]] = [:]

    // Work in the background
    /// Decodes pictures in processes of its own.
    let images: ImageWorkerPool
    let readers = DispatchQueue(label: "disposable.readers", attributes: .concurrent)
    let clock = ContinuousClock()
    let startedAt: ContinuousClock.Instant
    private var sleep = SleepDetector()
    private let timer: DeadlineTimer
    /// Inputs from queues and timers. Unbounded, because each answers one output of a replica, whose limits bound
    /// those.
    let completions: AsyncStream<Completion>
    let completionSink: AsyncStream<Completion>.Continuation
    /// Connections to run. Unbounded for the same reason: dials answer outputs, accepted ones are counted before.
    let jobs: AsyncStream<@Sendable () async -> Void>
    let jobSink: AsyncStream<@Sendable () async -> Void>.Continuation
    /// For people. The newest 256 are kept for a reader that is slow: the screen wants the present.
    public nonisolated let updates: AsyncStream<Update>
    private let updateSink: AsyncStream<Update>.Continuation
    var isStopped = false

    enum Completion: Sendable {
        case input(Replica.Input, EventID)
        case deadline
        case chunksWritten([(chunk: ArrivedChunk, outcome: ChunkOutcome)], EventID)
        /// Operations are on disk, or could not be put there.
        case stored(Ticket, StoreError?, EventID)
        case damaged(BlobRoot, EventID)
        case takenBack(BlobRoot, Result<BlobStore.Remainder, StoreError>, EventID)
        case destroyed([OperationID], [BlobRoot], Result<Void, StoreError>, EventID)
        case databaseDamaged(StoreError, EventID)
        case rebuilt(Result<EventStore, StoreError>, DamagedEvent)
    }

    /// Opens every event of the folder. Throws `NodeError.folderInUse` when another process has it, and what the store
    /// says of an event that cannot be opened.
    public init(folder: DataFolder, configuration: NodeConfiguration, logger: Logger) throws {
        try folder.make()
        guard let lock = try FolderLock(folder) else { throw NodeError.folderInUse(path: folder.path) }
        self.folder = folder
        self.configuration = configuration
        self.logger = logger
        self.lock = lock
        try folder.finishForgetting()
        images = ImageWorkerPool()
        startedAt = clock.now
        (completions, completionSink) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        (jobs, jobSink) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        (updates, updateSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
        timer = DeadlineTimer { [completionSink] in completionSink.yield(.deadline) }
        for stored in try EventFolder.all(in: folder.path) {
            sessions[stored.event] = try Self.session(
                of: stored, staticKey: staticKey, instance: instance, configuration: configuration)
        }
        for session in sessions.values { Self.watch(session.store, completionSink) }
        for (event, session) in sessions {
            guard let text = Self.story(of: session) else { continue }
            problems[.rebuilt(event)] = text
            logger.error("problem", metadata: ["reason": "\(text)"])
            updateSink.yield(.warning(text))
        }
    }

    var now: Instant {
        Instant(
            milliseconds: (clock.now - startedAt).wholeMilliseconds,
            wallClockMilliseconds: UInt64(max(0, Date().timeIntervalSince1970 * 1_000)))
    }

    // Events

    public var events: [EventID] { sessions.keys.sorted() }

    /// Makes an event whose organizer this node is.
    public func host(_ charter: Charter, organizerName: String?) throws -> EventID {
        let keys = EventKeys.makeEvent()
        guard let eventKey = keys.organizer else { throw NodeError.stopped }
        var charter = charter
        if charter.reveal != .now {
            charter.revealKey = Sealing.revealKey(eventKeySeed: eventKey.seed, event: keys.event).publicKey.bytes32
        }
        let founding = try Founding.operations(
            charter: charter, eventKey: eventKey, deviceKey: keys.device, charterSalt: Entropy.bytes(16),
            joinSalt: Entropy.bytes(16), wallClockMilliseconds: now.wallClockMilliseconds)
        let store = try EventStore.create(in: folder.path, keys: keys)
        try store.append(founding, durably: true)
        return try open(store, name: organizerName)
    }

    /// Enters the event of an invitation; the node is a member once one lets it in.
    /// - Parameter again: whether also one that this node has forgotten.
    public func join(_ invitation: Invitation, name: String?, again: Bool = false) throws -> EventID {
        guard sessions[invitation.event] == nil else {
            if try renew(invitation) { return invitation.event }
            throw NodeError.alreadyJoined(name: invitation.name)
        }
        if let tombstone = folder.tombstone(of: invitation.event) {
            guard again else { throw NodeError.forgotten(tombstone) }
            try folder.raise(invitation.event)
        }
        let keys = EventKeys.makeDevice(eventKey: invitation.eventKey, eventSecret: invitation.secret)
        let store = try EventStore.create(in: folder.path, keys: keys)
        try store.setMetadata(Array(invitation.name.utf8), for: "name")
        try store.setMetadata(
            Array(invitation.addresses.map(\.description).joined(separator: " ").utf8), for: "addresses")
        return try open(store, name: name)
    }

    /// Tries addresses where nodes of the event may be.
    public func dial(_ addresses: [PeerAddress], for event: EventID) {
        for address in addresses { apply(.sighted(address, isPersistent: true), to: event) }
    }

    private func open(_ store: EventStore, name: String?) throws -> EventID {
        if let name {
            guard Label.isAcceptable(name) else { throw NodeError.malformedName(name) }
            try store.setMetadata(Array(name.utf8), for: "own name")
        }
        return try adopt(store)
    }

    /// The event of the store is one of this node's from now on; after an error the store is closed.
    @discardableResult func adopt(_ store: EventStore) throws -> EventID {
        let session: EventSession
        do {
            session = try EventSession(
                store: store, staticKey: staticKey, instance: instance, configuration: configuration)
        } catch {
            do { try store.close() } catch {}  // what went wrong first is told
            throw error
        }
        let event = store.folder.event
        session.links = guestLinks[event] ?? session.links
        session.links.follow(session.replica.keyring, of: event)
        sessions[event] = session
        Self.watch(store, completionSink)
        if !hasRoom { apply(.roomChanged(diskSpace), to: event) }
        begin(event)
        return event
    }

    /// What a session does first: its port, the addresses it knows, its name.
    private func begin(_ event: EventID) {
        guard let session = sessions[event], configuration.listen != .none else { return }
        sessions[event]?.replica.listenPort = listenPort
        apply(.remembered(session.rememberedAddresses), to: event)
        knowHosts()
        for address in session.invitedAddresses + configuration.peers {
            apply(.sighted(address, isPersistent: true), to: event)
        }
        sayName(in: event)
        lookAtOnlyKey(of: event)
        lookAtOutcasts(of: event)
        lookAtVersion(of: event)
        lookAtMembership(of: event)
        lookAtPrinted(of: event)
        tellPages(of: event)
        advertise()
    }

    /// States the name that the person gave, once this device is in and where it is not said yet.
    func sayName(in event: EventID) {
        guard let session = sessions[event], session.replica.isAdmitted, let name = session.ownName,
            session.replica.state.album.name(of: session.replica.authorID) != name
        else { return }
        let body = OperationBody.encode(.name(name), salt: Entropy.bytes(OperationBody.saltByteCount))
        apply(.author(.name(body: body), by: nil, newTicket()), to: event)
    }

    private var lastTicket: UInt64 = 0
    func newTicket() -> Ticket {
        lastTicket += 1
        return Ticket(lastTicket)
    }

    func newConnection() -> ConnectionID {
        lastConnection += 1
        return ConnectionID(lastConnection)
    }

    // Running

    /// Runs until the task is cancelled or `stop` is called: serves peers and the command line.
    public func run() async throws {
        let listener = try await listen()
        let control = configuration.listen == .none ? nil : try await ControlServer(node: self)
        startDiscovery()
        for event in sessions.keys.sorted() { begin(event) }
        announce(.ready(listen: listenAddress))
        await withDiscardingTaskGroup { group in
            group.addTask { await self.takeCompletions() }
            group.addTask { await self.watchRoom() }
            group.addTask { await self.destroyWhatIsDue() }
            group.addTask { await self.leaveWhatIsToBeLeft() }
            group.addTask { await self.forgetWhatIsOver() }
            if let listener { group.addTask { await self.accept(from: listener) } }
            if let control { group.addTask { await control.run() } }
            if mayUseMulticast {
                group.addTask { await self.discover() }
                group.addTask { await self.renewAdvertisementRegularly() }
            }
            if listener != nil {
                group.addTask { await self.followNetwork() }
                group.addTask { await self.watchForSleep() }
            }
            for await job in jobs { group.addTask { await job() } }
            group.cancelAll()
        }
        await shutDown()
    }

    /// For commands without a running node: only what the store and the replica need.
    public func runOffline<Result: Sendable>(_ body: @Sendable (Node) async throws -> Result) async throws -> Result {
        let result: Swift.Result<Result, any Error>
        result = await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.takeCompletions() }
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body(self)) } catch { result = .failure(error) }
            completionSink.finish()
            return result
        }
        await shutDown()
        return try result.get()
    }

    private func takeCompletions() async {
        for await completion in completions {
            switch completion {
            case .input(let input, let event): apply(input, to: event)
            case .deadline: keepTime()
            case .chunksWritten(let chunks, let event): chunksWritten(chunks, in: event)
            case .stored(let ticket, let error, let event): stored(ticket, error, in: event)
            case .damaged(let root, let event): takeBack(root, in: event)
            case .takenBack(let root, let result, let event): takenBack(root, result, in: event)
            case .destroyed(let subjects, let blobs, let result, let event):
                destroyed(subjects, blobs, result, in: event)
            case .databaseDamaged(let error, let event): rebuild(event, because: "\(error)")
            case .rebuilt(let result, let event): rebuilt(result, event)
            }
        }
    }

    /// Says goodbye to the peers and ends `run`.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        for event in sessions.keys.sorted() { apply(.stop, to: event) }
        discovery?.stop()
        completionSink.finish()
        jobSink.finish()
        // What is being stated is not answered any more, and `run` waits for whoever waits for it.
        for session in sessions.values { session.failWaiting() }
    }

    private func shutDown() async {
        stop()
        timer.cancel()
        await images.stop()
        for (event, session) in sessions {
            noteDestructions(of: session)
            session.writes.sync {}
            do { try session.store.close() } catch {
                logger.error("event not closed cleanly", metadata: ["event": "\(event.short)", "reason": "\(error)"])
            }
        }
        updateSink.finish()
        for readers in albumReaders.values { for reader in readers { reader.finish() } }
        lock.release()  // not when the last reference goes: work that has just ended may hold one a moment longer
    }

    // The drain

    /// The only caller of `handle`: input in, every output begun, then the timer set. Synchronous, so nothing
    /// interleaves.
    func apply(_ input: Replica.Input, to event: EventID) {
        if sleep.look(at: now) { interrupt() }
        guard sessions[event] != nil else { return }
        sessions[event]!.replica.handle(input, at: now)
        while let output = sessions[event]?.replica.nextOutput() { perform(output, in: event) }
        // The timer is set anew at each input, so under load it would never fire.
        if let deadline = sessions[event]?.replica.nextDeadline, deadline <= now.milliseconds {
            sessions[event]?.replica.handle(.deadlineReached, at: now)
            while let output = sessions[event]?.replica.nextOutput() { perform(output, in: event) }
        }
        setTimer()
    }

    /// Without anything else to do the machine's clocks are looked at every second.
    private func watchForSleep() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            if sleep.look(at: now) { interrupt() }
        }
    }

    /// Before a replica hears of anything else, the passing of time above all: then what has come in meanwhile, and
    /// waits in the sockets' buffers, still counts.
    func interrupt() {
        logger.debug("this machine has slept or moved")
        for event in sessions.keys.sorted() {
            apply(.interrupted, to: event)
            tellPages(of: event)
        }
        renewAdvertisement()
    }

    private func keepTime() {
        for event in sessions.keys.sorted() {
            flushIfDue(event)
            apply(.deadlineReached, to: event)
        }
        setTimer()
    }

    private func setTimer() {
        let deadlines = sessions.values.flatMap { [$0.replica.nextDeadline, $0.flushDueAt] }.compactMap(\.self)
        guard let deadline = deadlines.min() else { return }
        let now = now.milliseconds
        timer.set(inMilliseconds: deadline > now ? deadline - now : 0)
    }

    func announce(_ update: Update) { updateSink.yield(update) }

    /// Tells a problem, once, and keeps it for `status` until it is solved.
    func note(_ problem: Problem, _ text: String) {
        guard problems.updateValue(text, forKey: problem) == nil else { return }
        logger.error("problem", metadata: ["reason": "\(text)"])
        announce(.warning(text))
    }

    func note(problem: String) { note(.lasting(problem), problem) }

    func solve(_ problem: Problem, _ text: String? = nil) {
        guard problems.removeValue(forKey: problem) != nil, let text else { return }
        logger.notice("problem solved", metadata: ["reason": "\(text)"])
        announce(.solved(text))
    }
}

extension Duration {
    /// Milliseconds, rounded down; 0 for what is negative.
    var wholeMilliseconds: UInt64 {
        UInt64(clamping: components.seconds) * 1_000 + UInt64(clamping: components.attoseconds / 1_000_000_000_000_000)
    }
}

/// What a node can have trouble with, each told once.
enum Problem: Hashable {
    case room
    /// There is no mDNS to begin with.
    case multicast
    case storage(EventID)
    case rebuilt(EventID)
    /// Photos are sealed to a key that no other machine has.
    case onlyKey(EventID)
    /// A device key is in use on two machines.
    case clone(DeviceID)
    case destruction(EventID)
    case leaving(EventID)
    case expiry(EventID)
    /// What is printed is of an old secret.
    case printed(EventID)
    /// Somebody who was put out has the event's secret.
    case leakedSecret(EventID)
    /// An organizer has stated what only a newer version understands.
    case olderVersion(EventID)
    /// This node is no member any more.
    case putOut(EventID)
    case lasting(String)
}
