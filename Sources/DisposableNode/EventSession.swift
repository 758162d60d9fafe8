// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire

/// One event of a node: its replica, its store, and the work between them that is under way.
///
/// A class, because looking at one in the actor's table would copy all of it, a thousand times a second.
final class EventSession {
    var replica: Replica
    let store: EventStore
    /// What is written goes one after the other.
    let writes: DispatchQueue
    /// Chunks that came while others were being written: the next batch.
    var chunks: [ArrivedChunk] = []
    var isWritingChunks = false
    /// When chunks of unfinished blobs are to be made lasting.
    var flushDueAt: UInt64?
    /// How large photos' shared files are, by the operations that describe them.
    var originalByteCounts: [OperationID: UInt64] = [:]
    /// Damaged blobs that are being looked at.
    var takingBack: Set<BlobRoot> = []
    /// Why the last operations could not be stored.
    var storageFailure: StoreError?
    // Destroying what was taken away
    var destruction: DestructionSchedule
    /// The replica's count when the schedule was last brought into line.
    var lookedAtWithdrawals: Int?
    var isDestroying = false
    /// Who waits for the end of that.
    var destructionWaiters: [CheckedContinuation<Void, Never>] = []
    /// When what failed is tried again, and the clock as it stands on disk, both by `uptimeMilliseconds`.
    var destroyAgainAt: UInt64 = 0
    var notedUptime: UInt64
    private let openedAt = SuspendingClock.now
    private let earlierUptime: UInt64
    /// What this node's person wants, who is going.
    var leaving: Node.Leaving?
    var leavingSince: ContinuousClock.Instant?
    /// When the event is over, as noted; and whether it matters how long the node runs.
    var expiry: Node.Expiry?
    var countsUptime = false
    /// Since when it is to be forgotten, by the node's steady clock.
    var dueAtMilliseconds: UInt64?
    /// Files that are being made photos of.
    var importCount = 0
    /// How long nodes have been running for the event on this folder, without the time that the machine slept.
    var uptimeMilliseconds: UInt64 { earlierUptime + (SuspendingClock.now - openedAt).wholeMilliseconds }
    var waiting: [Ticket: CheckedContinuation<[OperationID], any Error>] = [:]
    /// By which guests come in.
    var links: GuestLinks
    let invitedAddresses: [PeerAddress]
    /// Where members have been met, as it stands in the store.
    var rememberedAddresses: [PeerAddress]
    /// From the invitation, until the charter is here.
    let invitedName: String?
    var ownName: String?

    init(store: EventStore, staticKey: AgreementKey, instance: [UInt8], configuration: NodeConfiguration) throws {
        self.store = store
        writes = DispatchQueue(label: "disposable.writes")
        earlierUptime = try store.uptimeMilliseconds
        notedUptime = earlierUptime
        destruction = DestructionSchedule(
            pending: try store.pendingDestructions(), delayMilliseconds: configuration.destructionDelayMilliseconds,
            at: earlierUptime)
        let keys = store.keys
        replica = Replica(
            identity: .init(
                eventKey: keys.eventKey, secret: keys.eventSecret, deviceKey: keys.device, staticKey: staticKey,
                instance: instance, joinSalt: Entropy.bytes(OperationBody.saltByteCount), seed: Entropy.number),
            listenPort: 0, keptClasses: configuration.keptClasses)
        links = GuestLinks(replica.keyring, of: keys.event)
        func text(_ key: String) throws -> String? {
            try store.metadata(for: key).map { String(decoding: $0, as: UTF8.self) }
        }
        invitedName = try text("name")
        ownName = try text("own name")
        func addresses(_ key: String) throws -> [PeerAddress] {
            try text(key)?.split(separator: " ").compactMap { PeerAddress($0) } ?? []
        }
        invitedAddresses = try addresses("addresses")
        rememberedAddresses = try addresses("remembered addresses")
        leaving = try Node.leaving(store)
        expiry = try Node.expiry(store)
        replica.mustReconcile = try store.mustReconcile
        replica.originalsPerTree = try DiskRoom(at: store.folder.path).originalsPerTree
        try restore()
        replica.restore(
            registers: try store.registers().map {
                HeardRegister($0.register, heardAtMilliseconds: $0.heardAtMilliseconds)
            })
        links.follow(replica.keyring, of: replica.state.event)
    }

    private func restore() throws {
        let inventory = try store.blobs.inventory()
        let partial = Dictionary(uniqueKeysWithValues: inventory.partial.map { ($0.root, $0) })
        try store.forEachOperation(bodies: { _ in true }) { replica.restore(part: $0) }
        replica.finishRestoring { blob in
            // A root fixes the length: a description with another one describes nothing that is here.
            if inventory.complete[blob.root] == blob.byteCount { return .complete }
            guard let partial = partial[blob.root], partial.byteCount == blob.byteCount else { return .absent }
            return .partial(partial.chunks, hashes: partial.chunkHashes)
        }
    }

    var name: String { replica.state.charter?.name ?? invitedName ?? replica.state.event.short }

    /// Throws `NodeError` unless what `device` says counts.
    func checkStanding(of device: DeviceID) throws {
        do { try replica.checkStanding(of: device) } catch { throw NodeError(error) }
    }

    func failWaiting() {
        for continuation in waiting.values { continuation.resume(throwing: NodeError.stopped) }
        for continuation in destructionWaiters { continuation.resume() }
        (waiting, destructionWaiters, isDestroying) = ([:], [], false)
    }
}
