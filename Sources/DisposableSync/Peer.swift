// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// A connection and this replica's knowledge of the node at its other end.
///
/// A class: it is large, and it changes with every message.
final class Peer {
    var connection: PeerConnection
    /// The address that was dialled, `nil` for an accepted connection until the peer names its listening address.
    var address: PeerAddress?
    let host: String
    /// The peer's listening address, as it has said or as it was dialled.
    var listensAt: PeerAddress?
    let openedAt: UInt64
    /// `nil` until the peer has proved its identity.
    var device: DeviceID?
    var instance: [UInt8] = []
    /// Whether another process has its device's key: an answer shows that there are two, silence that this one has
    /// ended.
    var hasDouble = false
    /// Whether its device was no member when it connected.
    var isNewcomer = false
    /// Set while the connection uses another secret than the current one: it then carries only news of that.
    var renewal: Renewal?
    /// The epochs that the peer has named.
    var epochsSaid: Set<OperationID> = []
    /// Whether it was sent the proof of the current epoch.
    var wasShownEpochs = false
    /// The difference of its wall clock to ours when it authenticated; positive if ahead.
    var clockDifference: Int64?
    /// The difference of its wall clock to our monotonic one, which nobody can set.
    var wallClockLead: Int64?

    var lastReceivedAt: UInt64
    var pingDueAt: UInt64 = .max
    var pingSentAt: (nonce: UInt64, milliseconds: UInt64)?
    /// The deadline for a sign of life, if the connection is in doubt.
    var answerDueAt: UInt64 = .max
    var roundTripMilliseconds: UInt64?
    var receivedByteCount: UInt64 = 0
    var sentByteCount: UInt64 = 0
    /// Bytes given to the shell that the network has not taken.
    var unsentByteCount = 0

    /// The last admission that it has offered to this device, until that is a member.
    var offer: Admission?
    /// Messages of a peer whose join has not arrived yet; they are handled once it has.
    var deferred: [PeerMessage] = []
    /// The last news about joining that it was sent, while it is no member.
    var toldOutside: OutsideNews?
    /// The number of rulings that it was sent because it takes this device for an outsider.
    var toldRulingCount = 0
    /// Whether it was sent this node's holdings.
    var isGreeted = false
    /// The peer's last summary of its sets.
    var told: Ping?

    /// Operations that it has sent and whose author, or whose join's sponsor, is not (yet) a member. Bounded for each
    /// peer separately, so that none can crowd out another's.
    private(set) var orphans: OrderedDictionary<OperationID, UncheckedOperation> = [:]
    private var orphanByteCount = 0

    /// Operations that it has sent and that no budget covers at present.
    var room = WaitingRoom()
    /// Units of the operations that did not fit into the room.
    var excess: Allowance

    /// Ids of operations to send when there is room; their bodies come from the store.
    var outgoing: Deque<OperationID> = []
    var isLoading = false
    /// Devices whose inventories wait until there is room and no operation waits. The latest of each is sent.
    var outgoingRegisters: OrderedSet<DeviceID> = []
    /// Once all have been sent, ping the peer to compare the sets.
    var pingsWhenSent = false
    /// Operations of the peer that are being verified or stored.
    var operationsInProgressCount = 0
    /// Whether operations beyond that limit were dropped; a new reconciliation finds them.
    var hasMissedOperations = false

    /// Whether it was sent the addresses of others, and they its address.
    var isIntroduced = false
    /// The addresses of this node's pages that it was sent.
    var toldPages: [PeerAddress] = []
    /// The number of addresses that it has sent since the last ping was due.
    var toldAddressCount = 0

    var session: ReconciliationSession?
    var sessionEndedAt: UInt64?
    /// The start of the delay of a session while operations are being verified or stored.
    var sessionPutOffSince: UInt64?
    var isSynchronized = false

    /// The rate limit for messages that cause work without carrying anything.
    var steering: Allowance
    /// The rate limit for its own operations, once its identity is known.
    var operations: Allowance?

    /// The blobs that the peer holds, by the operations that describe them.
    var holdings = HoldingSet()
    var haveSent = false
    /// Whether it was sent all inventories, and so is sent new ones.
    var hasRegisters = false
    /// Chunks that the peer requested, by class, in order.
    var serving: [Deque<ServedChunk>] = Array(repeating: [], count: BlobClass.allCases.count + 1)
    /// Chunks that are being read, in the order in which to send them, in whatever order the reads end.
    var reads: Deque<ReadInProgress> = []

    init(connection: PeerConnection, address: PeerAddress?, host: String, at now: UInt64) {
        self.connection = connection
        self.address = address
        self.host = host
        openedAt = now
        lastReceivedAt = now
        steering = Allowance(perSecond: Limits.steeringPerSecond, burst: Limits.steeringBurstMax, at: now)
        excess = Allowance(perSecond: Limits.excessUnitsPerSecond, burst: Limits.excessUnitsBurstMax, at: now)
    }

    /// Keeps an orphan. The oldest are dropped if there are too many; a new reconciliation finds them.
    func keep(orphan operation: UncheckedOperation) {
        guard orphans[operation.id] == nil else { return }
        orphans[operation.id] = operation
        orphanByteCount += operation.byteCount
        while orphans.count > Limits.orphansMax || orphanByteCount > Limits.orphanByteCountMax {
            drop(orphan: orphans.keys[0])
            hasMissedOperations = true
        }
    }

    func drop(orphan id: OperationID) {
        orphanByteCount -= orphans.removeValue(forKey: id)?.byteCount ?? 0
    }

    /// When a connection under another secret ends: at once after the last news of a peer that knows the current one.
    var renewalDueAt: UInt64? {
        renewal.map { $0.isKnown ? min($0.dueAt, lastReceivedAt + UInt64(Limits.renewalMilliseconds)) : $0.dueAt }
    }

    /// Whether bulk data may be sent: operations from the store and chunks wait for room, control messages do not.
    var hasRoom: Bool { unsentByteCount < Limits.outboundByteCountMax }
    var servedCount: Int { serving.reduce(0) { $0 + $1.count } }

    /// When the next session may begin.
    var reconciliationDueAt: UInt64 {
        sessionEndedAt.map { $0 + UInt64(Limits.reconciliationPauseMilliseconds) } ?? 0
    }

    var nextDeadline: UInt64 {
        guard device != nil else { return renewalDueAt ?? openedAt + UInt64(Limits.handshakeMillisecondsMax) }
        let idle = session.map { $0.lastProgress + UInt64(Limits.reconciliationIdleMillisecondsMax) } ?? .max
        return min(
            pingDueAt, renewalDueAt ?? .max, lastReceivedAt + UInt64(Limits.silenceMillisecondsMax), answerDueAt, idle
        )
    }
}

/// The pending end of a connection between two nodes, one of which uses another secret than its current one.
struct Renewal {
    let dueAt: UInt64
    /// The reason for the end.
    let code: ProtocolCode
    /// Whether the peer has sent the epoch that is current here: the rest of its news is on its way.
    var isKnown = false
}

/// A chunk, or the list, that a peer has requested.
struct ServedChunk: Equatable {
    let request: UInt32
    let read: Replica.BlobRead
}

struct ReadInProgress: Equatable {
    let ticket: Ticket
    let chunk: ServedChunk
    /// `nil` until the read has ended.
    var result: Replica.ReadResult?
    var isCancelled = false
}
