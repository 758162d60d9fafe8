// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// A connection and this replica's knowledge of the node at its other end.
///
/// A class: it is large, and it changes with every message.
final class Peer {
    var connection: PeerConnection
    /// The address that was dialled, `nil` for an accepted connection until the peer names its listening address.
    let address: PeerAddress?
    let host: String
    let openedAt: UInt64
    /// Whether the other end is no node but a file that a person has named (`Replica+Bundles`).
    var isBundle = false
    /// `nil` until the peer has proved its identity.
    var device: DeviceID?
    var process = PeerProcess()
    var traffic = Traffic()

    var liveness: Liveness
    var rates: PeerRates
    var joining = JoinExchange()
    var epochs = EpochExchange()
    var addresses = AddressExchange()
    var reconciliation = PeerReconciliation()
    var intake = PeerIntake()
    var outbox = Outbox()
    /// The blobs that the peer holds, by the operations that describe them.
    var holdings = HoldingSet()
    /// Chunks that the peer has requested.
    var service = ChunkService()

    init(connection: PeerConnection, address: PeerAddress?, host: String, at now: UInt64) {
        self.connection = connection
        self.address = address
        self.host = host
        openedAt = now
        liveness = Liveness(at: now)
        rates = PeerRates(at: now)
    }

    /// When the connection ends if it uses an old secret.
    var renewalDueAt: UInt64? { epochs.endsAt(lastReceivedAt: liveness.lastReceivedAt) }

    var nextDeadline: UInt64 {
        guard device != nil else { return renewalDueAt ?? openedAt + UInt64(Limits.handshakeMillisecondsMax) }
        return min(liveness.nextDeadline, renewalDueAt ?? .max, reconciliation.nextDeadline)
    }
}

/// The process at the other end, as it has introduced itself. One device may have several: copies of its folder.
struct PeerProcess {
    var instance: [UInt8] = []
    /// Whether another process has its device's key: an answer shows that there are two, silence that this one has
    /// ended.
    var hasDouble = false
    /// The difference of its wall clock to this node's when it authenticated (positive if ahead), and to this node's
    /// monotonic one, which nobody can set.
    private(set) var clock: (difference: Int64, lead: Int64)?

    /// Notes the wall clock that it has told.
    mutating func compareClocks(_ wallClockMilliseconds: UInt64, at now: Instant) {
        let told = Int64(clamping: wallClockMilliseconds)
        clock = (
            told - Int64(clamping: now.wallClockMilliseconds), told - Int64(clamping: now.milliseconds)
        )
    }
}

/// The addresses that two nodes have told each other: of their listeners, of others, and of portals.
struct AddressExchange {
    /// The peer's listening address, as it has said or as it was dialled.
    var listener: PeerAddress?
    /// Whether the peer was sent the addresses of others, and they its address.
    var isIntroduced = false
    /// The addresses of this node's pages that it was sent.
    var portal: [PeerAddress] = []
    /// The number of addresses that it has sent since the last ping was due.
    var receivedCount = 0
}
