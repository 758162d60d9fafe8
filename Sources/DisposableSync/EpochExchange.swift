// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// The pending end of a connection between two nodes, one of which uses another secret than its current one.
struct Renewal {
    let dueAt: UInt64
    /// The reason for the end.
    let code: ProtocolCode
    /// Whether the peer has sent the epoch that is current here: the rest of its news is on its way.
    var isKnown = false
}

/// Which epochs a peer knows, and the end of its connection if that uses an old secret.
struct EpochExchange {
    /// Set while the connection uses another secret than the current one: it then carries only news of that.
    private(set) var renewal: Renewal?
    private var known: Set<OperationID> = []
    private var wasSentProof = false

    func knows(_ epoch: OperationID) -> Bool { known.contains(epoch) }

    mutating func begin(_ renewal: Renewal) { self.renewal = renewal }

    /// Handles a new current epoch.
    mutating func currentChanged() { renewal?.isKnown = false }

    /// Records epochs that the peer has sent. Returns whether the connection may end sooner.
    mutating func hear(_ epochs: [OperationID], current: OperationID) -> Bool {
        // A peer that is sent an epoch that it knows loses nothing but a moment.
        if known.count > Limits.operationsPerMessageMax { known = [] }
        known.formUnion(epochs)
        guard renewal != nil, knows(current) else { return false }
        renewal?.isKnown = true
        return true
    }

    /// Returns once whether the peer may use an epoch that leads nowhere, and is to be sent the proof of the current
    /// one.
    mutating func takesStray(_ isStray: (OperationID) -> Bool) -> Bool {
        guard renewal == nil, !wasSentProof, known.contains(where: isStray) else { return false }
        wasSentProof = true
        return true
    }

    /// When the connection ends: at once after the last news of a peer that knows the current secret.
    func endsAt(lastReceivedAt: UInt64) -> UInt64? {
        renewal.map { $0.isKnown ? min($0.dueAt, lastReceivedAt + UInt64(Limits.renewalMilliseconds)) : $0.dueAt }
    }
}
