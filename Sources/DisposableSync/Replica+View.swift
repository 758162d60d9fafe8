// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Whom to be connected to. In an event of up to `meshNodesMax` nodes everybody is, to everybody. In a larger one each
/// node keeps a view of a few: it dials while it has fewer than `viewPeersMin`, whom it knows of at random, and lets go
/// of those beyond `viewPeersMax`, so that the whole is a random graph that stays connected when a third of it goes at
/// once. What is said reaches everybody in a few hops, and what a node has to do does not grow with the event.
extension Replica {
    /// Whoever is not in yet does not know how many there are, and takes whom it gets.
    private var keepsView: Bool { isAdmitted && state.membership.nodeCount > Limits.meshNodesMax }

    /// How many more addresses may be dialled now, given those that are being dialled.
    private var dialCountMax: Int {
        // Who has just come in has not been told yet who else is.
        let isNew = isAdmitted && !peers.values.contains { $0.haveSent }
        guard keepsView || isNew else { return placesToDial }
        let lacking = Limits.viewPeersMin - peers.count
        guard lacking > 0 else { return 0 }
        // Some are stale: twice as many are tried.
        let dialled = peers.values.count { $0.connection.side == .dialler }
        return min(placesToDial, 2 * lacking - (addresses.inUseCount - dialled))
    }

    /// Dials what is due, and notes when something is next.
    mutating func dialDue() {
        addresses.settle()
        var countMax = dialCountMax
        if let due = addresses.nextDeadline, due <= now.milliseconds, countMax > 0 {
            dial(countMax: countMax)
            addresses.settle()
            countMax = dialCountMax
        }
        dialDueAt = countMax > 0 ? addresses.nextDeadline : nil
    }

    private mutating func dial(countMax: Int) {
        let unwanted = Set(peers.values.compactMap(\.device)).union(shunned.keys.filter(isShunned))
        for address in addresses.takeDue(
            at: now, countMax: countMax, atRandom: keepsView, isUnwanted: unwanted.contains)
        {
            outputs.append(.dial(address))
        }
    }

    /// From time to time: one peer less where there are too many, one more to see whether there are other parts.
    mutating func keepView() {
        guard keepsView else {
            (trimDueAt, exploreDueAt) = (nil, nil)
            return
        }
        if let due = trimDueAt, due <= now.milliseconds {
            trim()
            trimDueAt = nil
        }
        if let due = exploreDueAt, due <= now.milliseconds {
            if placesToDial > 0 { dial(countMax: 1) }
            exploreDueAt = nil
        }
        if trimDueAt == nil { trimDueAt = later(Limits.viewTrimMilliseconds) }
        if exploreDueAt == nil { exploreDueAt = later(Limits.viewExploreMilliseconds) }
    }

    /// So many milliseconds from now, a quarter more or less.
    private mutating func later(_ milliseconds: Int) -> UInt64 {
        let pause = UInt64(milliseconds)
        return now.milliseconds + pause * 3 / 4 + UInt64.random(in: 0...pause / 2, using: &random)
    }

    /// Lets go of a quarter of those beyond, as they do the same, of the source with the most peers first; who is new
    /// stays until it has what this node has, but not for ever.
    private mutating func trim() {
        let members = peers.filter { peer in peer.value.device.map(state.membership.isMember) ?? false }
        let surplus = members.count - Limits.viewPeersMax
        guard surplus > 0 else { return }
        let age = UInt64(Limits.viewTrimMilliseconds)
        let candidates = members.filter {
            let isServed = $0.value.haveSent && $0.value.session == nil
            return now.milliseconds >= $0.value.openedAt + (isServed ? age : 6 * age)
        }.shuffled(using: &random)
        var counts: [PeerSource: Int] = [:]
        var turns: [(place: Int, connection: ConnectionID)] = []
        for (source, candidate) in zip(PeerSource.merged(candidates.map(\.value.host)), candidates) {
            turns.append((counts[source, default: 0], candidate.key))
            counts[source, default: 0] += 1
        }
        for turn in turns.sorted(by: { $0.place > $1.place }).prefix((surplus + 3) / 4) {
            close(turn.connection, .busy, retryAfter: Limits.viewExploreMilliseconds)
        }
    }
}
