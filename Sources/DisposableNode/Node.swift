// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
public import DisposableWire
public import Logging
internal import DisposableCrypto
internal import DisposableDiscovery
internal import DisposableImaging
internal import DisposableStore
internal import DisposableSync
internal import Foundation
internal import NIOCore

/// The process-wide part of a node: the data folder with its lock, the listening socket, mDNS, the control socket, and
/// one `EventNode` for each event of the folder.
public actor Node {
    /// A change for the display of a node.
    public enum Update: Sendable, Equatable {
        case ready(listen: String?)
        /// Photos, names or parameters.
        case album(EventID)
        case peers(EventID)
        case admitted(EventID)
        /// An address answered and closed the connection: it does not know this node's invitation.
        case rejected(EventID, PeerAddress)
        /// The present discovery mode: `daemon`, `embedded`, or `off` with the reason.
        case discovery(mode: String, reason: String?)
        /// This machine's addresses have changed.
        case moved
        /// A node of the event listens there and refuses the connection: it is full, or has another version.
        case refused(EventID, PeerAddress, ProtocolCode)
        /// The event has a new secret, and this node has it.
        case rotated(EventID, name: String)
        /// A member says that this node's invitation was replaced by another.
        case invitationReplaced(EventID)
        case warning(String)
        /// The cause of a warning is gone.
        case solved(String)
        /// The node has forgotten the event.
        case forgotten(EventID, name: String)
    }

    public nonisolated let folder: DataFolder
    let context: NodeContext
    /// The listed events that this node knows of.
    public nonisolated let board: BoardKeeper
    private let lock: FolderLock
    /// The events that are open.
    var open: [EventID: EventNode] { context.events }
    var listener: (any Channel)?
    /// Events whose databases are being rebuilt, or will be tried again.
    var rebuilding: [EventID: DamagedEvent] = [:]
    /// Events that are forgotten and whose folders are still to be destroyed, and whether they are unused now.
    var forgotten: [EventID: Bool] = [:]
    /// Commands that are being answered.
    var answerCount = 0
    /// The present level of free space.
    var diskSpace = DiskSpace.plenty
    /// Whether the disk has room for photos of events that this node only reads.
    var hasRoomToRead = true
    let deskKeys = DeskKeys()
    var discovery: Discovery?
    /// The name in mDNS: random for each start, so that a device cannot be followed from event to event.
    let instanceName = "disposable-" + Entropy.bytes(6).hex
    var advertisementSalt = Entropy.bytes(8)
    private var sleep = SleepDetector()
    var isStopped = false

    /// Opens every event of the folder. Throws `NodeError.folderInUse` if another process has it, and the error of an
    /// event that cannot be opened.
    public init(folder: DataFolder, configuration: NodeConfiguration, logger: Logger) throws {
        try folder.make()
        guard let lock = try FolderLock(folder) else { throw NodeError.folderInUse(path: folder.path) }
        self.folder = folder
        self.lock = lock
        let context = NodeContext(folder: folder, configuration: configuration, logger: logger)
        self.context = context
        board = BoardKeeper(folder: folder, interface: configuration.interface, logger: logger) {
            var own: [OwnEvent] = []
            for event in context.events.values where !event.isReader { own.append(await event.ownEvent()) }
            return own
        }
        try folder.finishForgetting()
        for stored in try EventFolder.all(in: folder.path) {
            context.set(try Self.open(stored, in: context), for: stored.event)
        }
        for event in context.events.values {
            if let story = event.story { event.note(.rebuilt, story) }
            context.report(.opened(event))
        }
    }

    nonisolated var logger: Logger { context.logger }
    nonisolated var configuration: NodeConfiguration { context.configuration }
    /// Updates for people. The newest 256 are kept for a slow reader: the screen shows the present.
    public nonisolated var updates: AsyncStream<Update> { context.updates }
    nonisolated func announce(_ update: Update) { context.announce(update) }
    /// The kinds of the problems in an event's status, by their texts.
    public nonisolated var problemReasons: [String: String] { context.problems.reasons }

    nonisolated func note(_ problem: Problem, _ text: String) { context.problems.note(problem, of: nil, text) }
    nonisolated func solve(_ problem: Problem, _ text: String) { context.problems.solve(problem, of: nil, text) }
    nonisolated func note(_ text: String) { note(.other(text), text) }

    // Running

    /// Runs until the task is cancelled or `stop` is called: serves peers and the command line.
    public func run() async throws {
        let control: ControlServer?
        do {
            try await listen()
            control = configuration.listen == .none ? nil : try await ControlServer(node: self)
        } catch {
            // Otherwise the folder would be in use until the process ends.
            await shutDown()
            throw error
        }
        startDiscovery()
        knowHosts()
        // Before the first output of an event.
        announce(.ready(listen: context.reach.listenAddress))
        for event in open.values { await event.begin() }
        await advertise()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watchDisk() }
            group.addTask { await self.lookAtDestructions() }
            group.addTask { await self.leaveEvents() }
            group.addTask { await self.forgetExpiredEvents() }
            group.addTask { await self.followTwins() }
            if let control { group.addTask { await control.run() } }
            if mayUseMulticast {
                group.addTask { await self.discover() }
                group.addTask { await self.renewAdvertisementRegularly() }
                group.addTask { await self.board.run() }
            }
            if listener != nil {
                group.addTask { await self.followNetwork() }
                group.addTask { await self.watchForSleep() }
            }
            for await report in context.reports { await handle(report, &group) }
            group.cancelAll()
        }
        await shutDown()
    }

    /// Runs commands without a running node: only with the store and the replica.
    public func runOffline<Result: Sendable>(_ body: @Sendable (Node) async throws -> Result) async throws -> Result {
        let result: Swift.Result<Result, any Error>
        result = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for await report in self.context.reports { await self.handle(report, &group) }
                }
            }
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body(self)) } catch { result = .failure(error) }
            await stop()
            return result
        }
        await shutDown()
        return try result.get()
    }

    private func handle(_ report: NodeReport, _ group: inout DiscardingTaskGroup) async {
        switch report {
        case .opened(let event): group.addTask { await event.run() }
        case .summaryChanged: await advertise()
        case .addressesChanged: knowHosts()
        case .rotated: await renewAdvertisement()
        case .diskFull(let error, let space): await diskFull(error, space)
        case .databaseDamaged(let event, let error): await rebuild(event, because: "\(error)")
        case .rebuilt(let result, let event): await rebuilt(result, event)
        }
    }

    /// Signs pending removals of guests, sends close messages to the peers and ends `run`.
    public func stop() async {
        guard !isStopped else { return }
        isStopped = true
        listener?.close(promise: nil)
        for event in open.values { await event.signAllRemovals() }
        for event in open.values { await event.stop() }
        discovery?.stop()
        context.endReports()
    }

    private func shutDown() async {
        await stop()
        await context.images.stop()
        await context.cleaners.stop()
        for event in open.values { await event.shutDown() }
        context.endUpdates()
        lock.release()  // not when the last reference goes: work that has just ended may hold one a moment longer
    }

    /// Checks the machine's clocks every second, even if the node is idle otherwise.
    private func watchForSleep() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            for event in open.values { await event.lookForSleep() }
            if sleep.look(at: context.now) { await renewAdvertisement() }
        }
    }

    /// Handles a change of this machine's addresses.
    func interrupt() async {
        logger.debug("this machine has moved")
        for event in open.values { await event.apply(.interrupted) }
        await renewAdvertisement()
    }
}

extension Duration {
    /// The duration in milliseconds, rounded down; 0 if it is negative.
    var wholeMilliseconds: UInt64 {
        UInt64(clamping: components.seconds) * 1_000 + UInt64(clamping: components.attoseconds / 1_000_000_000_000_000)
    }
}
