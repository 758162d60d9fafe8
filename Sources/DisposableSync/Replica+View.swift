// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The choice of peers. In an event of up to `meshNodesMax` nodes all are connected to each other. In a larger one each
/// node keeps a view of a few: it dials known addresses at random while it has fewer than `viewPeersMin` peers, and
/// closes those beyond `viewPeersMax`, so that the nodes form a random graph that stays connected when a third of them
/// fail at once. Operations reach every node in a few hops, and the work of a node does not grow with the event.
extension Replica {
    /// A node that is no member yet does not know how many there are, and accepts any peer.
    private var keepsView: Bool { isAdmitted && state.membership.nodeCount > Limits.meshNodesMax }

    /// The number of further addresses to dial now, given those that are being dialled.
    private var dialCountMax: Int {
        // A new member was not sent the addresses of others yet.
        let isNew = isAdmitted && !peers.values.contains { $0.outbox.hasHoldings }
        guard keepsView || isNew else { return placesToDial }
        let lacking = Limits.viewPeersMin - peers.values.count { !$0.isBundle }
        guard lacking > 0 else { return 0 }
        // Some are stale: twice as many are tried.
        let dialled = peers.values.count { $0.connection.side == .dialler && !$0.isBundle }
        return min(placesToDial, 2 * lacking - (addresses.inUseCount - dialled))
    }

    /// Dials due addresses, and records when the next is due.
    mutating func dialDue() {
        addresses.settle()
        var countMax = dialCountMax
        if let due = addresses.nextDeadline, due <= now.milliseconds, countMax > 0 {
            dial(countMax: countMax)
            addresses.settle()
            countMax = dialCountMax
        }
        timers[.dial] = countMax > 0 ? addresses.nextDeadline : nil
    }

    private mutating func dial(countMax: Int) {
        let unwanted = Set(peers.values.compactMap(\.device)).union(admissions.bans.banned(at: now.milliseconds))
        for address in addresses.takeDue(
            at: now, countMax: countMax, atRandom: keepsView, isUnwanted: unwanted.contains)
        {
            outputs.append(.dial(address))
        }
    }

    /// Periodically closes a peer if there are too many, and tries another one to discover partitions.
    mutating func keepView() {
        guard keepsView else {
            (timers[.trim], timers[.explore]) = (nil, nil)
            return
        }
        if timers.fires(.trim, at: now.milliseconds) { trim() }
        if timers.fires(.explore, at: now.milliseconds), placesToDial > 0 { dial(countMax: 1) }
        if timers[.trim] == nil { timers[.trim] = later(Limits.viewTrimMilliseconds) }
        if timers[.explore] == nil { timers[.explore] = later(Limits.viewExploreMilliseconds) }
    }

    /// Returns the time after this many milliseconds, a quarter more or less.
    private mutating func later(_ milliseconds: Int) -> UInt64 {
        let pause = UInt64(milliseconds)
        return now.milliseconds + pause * 3 / 4 + UInt64.random(in: 0...pause / 2, using: &random)
    }

    /// Closes a quarter of the peers beyond the maximum, since they do the same, starting with the source that has the
    /// most; a new peer stays until it has this node's operations, but not for ever.
    private mutating func trim() {
        let members = peers.filter { peer in
            !peer.value.isBundle && peer.value.device.map(state.membership.isMember) ?? false
        }
        let surplus = members.count - Limits.viewPeersMax
        guard surplus > 0 else { return }
        let age = UInt64(Limits.viewTrimMilliseconds)
        let candidates = members.filter {
            let isServed = $0.value.outbox.hasHoldings && $0.value.reconciliation.session == nil
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
