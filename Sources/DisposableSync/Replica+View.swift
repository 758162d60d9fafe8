// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The choice of peers. In an event of up to `meshNodesMax` nodes all are connected to each other. In a larger one each
/// node keeps a view of a few: it dials known addresses at random while it has fewer than `viewPeersMin` peers, and
/// closes those beyond `viewPeersMax`, so that the nodes form a random graph that stays connected when a third of them
/// fail at once. Operations reach every node in a few hops, and the work of a node does not grow with the event.
///
/// A member may have any number of devices, and all of them dial. So a node that has enough peers, but of few sources
/// (`PeerSource`), still dials other sources, and only peers that have its operations push others out of a view.
extension Replica {
    /// A node that is no member yet does not know how many there are, and accepts any peer.
    private var keepsView: Bool { isAdmitted && state.membership.nodeCount > Limits.meshNodesMax }

    /// The number of further addresses to dial now, given those that are being dialled.
    private var dialCountMax: Int {
        // A new member was not sent the addresses of others yet.
        let isNew = isAdmitted && !peers.values.contains { $0.outbox.hasHoldings }
        guard keepsView || isNew else { return placesToDial }
        return min(placesToDial, dialCount(lacking: Limits.viewPeersMin - peers.values.count { !$0.isBundle }))
    }

    /// The number of addresses to dial for so many peers. Some are stale: twice as many are tried.
    private func dialCount(lacking: Int) -> Int {
        guard lacking > 0 else { return 0 }
        let dialled = peers.values.count { $0.connection.side == .dialler && !$0.isBundle }
        return 2 * lacking - (addresses.inUseCount - dialled)
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

    private mutating func dial(countMax: Int, elsewhereThan hosts: [String]? = nil) {
        let unwanted = Set(peers.values.compactMap(\.device)).union(admissions.bans.banned(at: now.milliseconds))
        for address in addresses.takeDue(
            at: now, countMax: countMax, atRandom: keepsView && hosts == nil, elsewhereThan: hosts,
            isUnwanted: unwanted.contains)
        {
            outputs.append(.dial(address))
        }
    }

    /// Periodically dials sources without a connection, where peers of few sources leave no place to dial. If such a
    /// dial finds all `peersMax` places taken, a peer of the source with the most yields.
    mutating func dialElsewhere() {
        let hosts = peers.values.filter { !$0.isBundle }.map(\.host)
        let lacking = Limits.viewPeersMin - Set(PeerSource.merged(hosts)).count
        guard dialCountMax <= 0, lacking > 0 else { return timers[.elsewhere] = nil }
        if timers.fires(.elsewhere, at: now.milliseconds) {
            dial(countMax: dialCount(lacking: lacking), elsewhereThan: hosts)
        }
        if timers[.elsewhere] == nil { timers[.elsewhere] = later(Limits.viewElsewhereMilliseconds) }
    }

    /// A new peer may have taken the last place.
    mutating func reviewSources() {
        timers.advance(.elsewhere, to: now.milliseconds + UInt64(Limits.viewElsewhereMilliseconds))
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
    /// most; a new peer stays until it has this node's operations, but not for ever. Until then it is not counted: peers
    /// that never take any would have all others closed.
    private mutating func trim() {
        let age = UInt64(Limits.viewTrimMilliseconds)
        let candidates = peers.filter { _, peer in
            guard !peer.isBundle, let device = peer.device, state.membership.isMember(device) else { return false }
            let isServed = peer.outbox.hasHoldings && peer.reconciliation.session == nil
            return now.milliseconds >= peer.openedAt + (isServed ? age : 6 * age)
        }.shuffled(using: &random)
        let surplus = candidates.count - Limits.viewPeersMax
        guard surplus > 0 else { return }
        let turns = zip(PeerSource.turns(candidates.map(\.value.host)), candidates.map(\.key))
        for (_, connection) in turns.sorted(by: { $0.0 > $1.0 }).prefix((surplus + 3) / 4) {
            close(connection, .busy, retryAfter: Limits.viewExploreMilliseconds)
        }
    }
}
