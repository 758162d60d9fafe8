// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableModel
internal import DisposableWire

/// One connection and what this replica knows of the node at its other end.
struct Peer {
    var connection: PeerConnection
    /// The address that was dialled, `nil` for an accepted connection until the peer says where it listens.
    var address: PeerAddress?
    let host: String
    let openedAt: UInt64
    /// `nil` until the peer has proved who it is.
    var device: DeviceID?
    var instance: [UInt8] = []

    var lastReceivedAt: UInt64
    var pingDueAt: UInt64 = .max
    var pingSentAt: (nonce: UInt64, milliseconds: UInt64)?
    var roundTripMilliseconds: UInt64?
    var receivedByteCount: UInt64 = 0
    var sentByteCount: UInt64 = 0
    /// Bytes handed to the shell that the network has not taken.
    var unsentByteCount = 0

    /// Messages of a peer whose join is not here yet; they count once it is.
    var deferred: [PeerMessage] = []
    var admissionSent = false

    /// Operations to send when there is room, by name; their bodies come from the store.
    var outgoing: Deque<OperationID> = []
    var isLoading = false
    /// More had to be sent than is kept: only reconciling again helps.
    var outgoingOverflowed = false

    var session: ReconciliationSession?
    var sessionEndedAt: UInt64?
    var isSynchronized = false

    /// Which blobs the peer holds, by the operations that describe them.
    var holdings = HoldingSet()
    var haveSent = false
    /// Chunks the peer asked for, by class, in order.
    var serving: [Deque<ServedChunk>] = Array(repeating: [], count: BlobClass.allCases.count + 1)
    var readsInProgress = 0

    init(connection: PeerConnection, address: PeerAddress?, host: String, at now: UInt64) {
        self.connection = connection
        self.address = address
        self.host = host
        openedAt = now
        lastReceivedAt = now
    }

    /// Room for bulk: operations from the store and chunks wait when there is none, messages that steer do not.
    var hasRoom: Bool { unsentByteCount < Limits.outboundByteCountMax }
    var servedCount: Int { serving.reduce(0) { $0 + $1.count } }

    var nextDeadline: UInt64 {
        guard device != nil else { return openedAt + UInt64(Limits.handshakeMillisecondsMax) }
        return min(pingDueAt, lastReceivedAt + UInt64(Limits.silenceMillisecondsMax))
    }
}

/// A chunk, or the list, that a peer has asked for.
struct ServedChunk: Equatable {
    let request: UInt32
    let read: Replica.BlobRead
}

/// Sequence numbers by device and class, as ascending ranges that neither touch nor overlap.
struct HoldingSet: Equatable {
    private struct Key: Hashable {
        let device: DeviceID
        let blobClass: BlobClass
    }
    private var ranges: [Key: [Range<UInt32>]] = [:]

    mutating func insert(_ new: Range<UInt32>, device: DeviceID, blobClass: BlobClass) {
        let key = Key(device: device, blobClass: blobClass)
        var merged = new
        var result: [Range<UInt32>] = []
        var placed = false
        for range in ranges[key] ?? [] {
            if range.upperBound < merged.lowerBound {
                result.append(range)
            } else if merged.upperBound < range.lowerBound {
                if !placed { result.append(merged) }
                placed = true
                result.append(range)
            } else {
                merged = min(range.lowerBound, merged.lowerBound)..<max(range.upperBound, merged.upperBound)
            }
        }
        if !placed { result.append(merged) }
        ranges[key] = result
    }

    func contains(_ sequence: UInt32, device: DeviceID, blobClass: BlobClass) -> Bool {
        guard let ranges = ranges[Key(device: device, blobClass: blobClass)] else { return false }
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= sequence { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(sequence)
    }
}
