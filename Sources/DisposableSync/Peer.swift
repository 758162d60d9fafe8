// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// One connection and what this replica knows of the node at its other end.
///
/// A class: there is a lot of it, and it changes with every message.
final class Peer {
    var connection: PeerConnection
    /// The address that was dialled, `nil` for an accepted connection until the peer says where it listens.
    var address: PeerAddress?
    let host: String
    /// Where it takes connections, as it has said or as it was dialled.
    var listensAt: PeerAddress?
    let openedAt: UInt64
    /// `nil` until the peer has proved who it is.
    var device: DeviceID?
    var instance: [UInt8] = []
    /// Whether another process has its device's key: an answer tells that there are two, silence that this one has
    /// ended.
    var hasDouble = false
    /// Whether its device was no member when it came.
    var isNewcomer = false
    /// Set while the connection is under another secret than the current one, and good for nothing but news of that.
    var renewal: Renewal?
    /// The epochs of which it has told.
    var epochsSaid: Set<OperationID> = []
    /// Whether it was answered what shows which epoch is current.
    var wasShownEpochs = false
    /// How far its wall clock was ahead of ours when it proved itself.
    var clockDifference: Int64?
    /// How far its wall clock is ahead of our monotonic one, which nobody can set.
    var wallClockLead: Int64?

    var lastReceivedAt: UInt64
    var pingDueAt: UInt64 = .max
    var pingSentAt: (nonce: UInt64, milliseconds: UInt64)?
    /// Until when it has to give a sign of life, where the connection is in doubt.
    var answerDueAt: UInt64 = .max
    var roundTripMilliseconds: UInt64?
    var receivedByteCount: UInt64 = 0
    var sentByteCount: UInt64 = 0
    /// Bytes handed to the shell that the network has not taken.
    var unsentByteCount = 0

    /// The admission that it has sent to this device last, while that is not in.
    var offer: Admission?
    /// Messages of a peer whose join is not here yet; they count once it is.
    var deferred: [PeerMessage] = []
    /// What it was told last of coming in, while it is not in.
    var toldOutside: OutsideNews?
    /// How many rulings it was shown because it takes this device for an outsider.
    var toldRulingCount = 0
    /// Whether it has been told what this node has.
    var isGreeted = false
    /// What the peer has said last of its sets.
    var told: Ping?

    /// Operations that it has sent and whose author, or whose join's sponsor, is not (yet) a member. Bounded for each
    /// peer by itself, so that none can crowd out another's.
    private(set) var orphans: OrderedDictionary<OperationID, UncheckedOperation> = [:]
    private var orphanByteCount = 0

    /// Operations that it has sent and that no budget pays for at present.
    var room = WaitingRoom()
    /// Units of those for which there was no room.
    var excess: Allowance

    /// Operations to send when there is room, by name; their bodies come from the store.
    var outgoing: Deque<OperationID> = []
    var isLoading = false
    /// Devices whose registers wait until there is room and no operation waits. Each is sent as it is then.
    var outgoingRegisters: OrderedSet<DeviceID> = []
    /// Once all have been sent, the peer is asked whether the sets are equal now.
    var pingsWhenSent = false
    /// Operations of the peer that are being checked or stored.
    var operationsInProgressCount = 0
    /// More came than that may be: what was dropped is found by reconciling again.
    var hasMissedOperations = false

    /// Whether it has been told where others are, and they where it is.
    var isIntroduced = false
    /// The addresses of this node's pages that it has been told.
    var toldPages: [PeerAddress] = []
    /// Addresses that it has told since the last ping was due.
    var toldAddressCount = 0

    var session: ReconciliationSession?
    var sessionEndedAt: UInt64?
    /// Since when a session is put off because operations are being checked or stored.
    var sessionPutOffSince: UInt64?
    var isSynchronized = false

    /// Messages that make work without carrying anything.
    var steering: Allowance
    /// Operations of its own, once it is known who it is.
    var operations: Allowance?

    /// Which blobs the peer holds, by the operations that describe them.
    var holdings = HoldingSet()
    var haveSent = false
    /// Whether it has been told all registers, and so is told new ones.
    var hasRegisters = false
    /// Chunks the peer asked for, by class, in order.
    var serving: [Deque<ServedChunk>] = Array(repeating: [], count: BlobClass.allCases.count + 1)
    /// Those that are being read, in the order in which they are to be sent, whenever the reads end.
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

    /// The oldest go when there are too many; what is dropped is found by reconciling again.
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

    /// Room for bulk: operations from the store and chunks wait when there is none, messages that steer do not.
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

/// What two nodes that meet under another secret than the current one of either wait for.
struct Renewal {
    let dueAt: UInt64
    /// Why it ends then.
    let code: ProtocolCode
    /// Whether the peer has told of the epoch that is current here: what else it has to tell is on its way.
    var isKnown = false
}

/// A chunk, or the list, that a peer has asked for.
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
