// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
package import DisposableModel
internal import DisposableWire

/// Live push: new operations reach every node at once, and none more often than needed.
///
/// Own operations are sent to every peer. Those of others are sent to a few peers at once, which suffices to reach
/// nearly all; a moment later to those of the rest that have neither sent them nor announced that they hold the photo.
/// The next ping informs any peer that was left out.
///
/// An operation is *spreading* from `begin` to `end`: meanwhile the peers that know it are recorded.
package struct Gossip {
    /// The operations of a batch, and when to send them to the rest of the peers.
    private struct Relay {
        let operations: [VerifiedOperation]
        let dueAt: UInt64
    }

    /// The announcement of gained blobs; several are announced together.
    package var announcement = PacedAction()
    private var relays: Deque<Relay> = []
    /// The peers that have sent the operations that are spreading, or were sent them.
    private var informed: [OperationID: [ConnectionID]] = [:]

    package init() {}

    package var nextDeadline: UInt64? {
        [relays.first?.dueAt, announcement.nextDeadline].compactMap(\.self).min()
    }

    /// - Parameter peers: those that have sent the operation.
    package mutating func begin(_ id: OperationID, knownBy peers: [ConnectionID]) { informed[id] = peers }

    /// Records a peer that has sent an operation, if that is spreading.
    package mutating func heard(_ id: OperationID, from peer: ConnectionID) { informed[id]?.append(peer) }

    package mutating func end(_ operations: [VerifiedOperation]) {
        for operation in operations { informed[operation.id] = nil }
    }

    /// Chooses the members to send operations of others to at once. If these are not all that may need them, the
    /// operations keep spreading until `takeDue` returns them; otherwise the caller ends that.
    /// - Parameter members: all connected members.
    package mutating func firstPeers(
        of operations: [VerifiedOperation], among members: [ConnectionID], at now: UInt64,
        using random: inout SplitMix64
    ) -> (peers: [ConnectionID], areAll: Bool) {
        let others = members.filter { peer in operations.contains { informed[$0.id]?.contains(peer) == false } }
        guard others.count > Limits.relayPeersMax, informed.count < Limits.relayedOperationsMax else {
            return (others, true)
        }
        relays.append(Relay(operations: operations, dueAt: now + UInt64(Limits.relayMilliseconds)))
        return (Array(others.shuffled(using: &random).prefix(Limits.relayPeersMax)), false)
    }

    /// Returns operations that are due to be sent to all other members. The caller ends their spreading.
    package mutating func takeDue(at now: UInt64) -> [VerifiedOperation]? {
        guard let relay = relays.first, relay.dueAt <= now else { return nil }
        relays.removeFirst()
        return relay.operations
    }

    /// Returns the operations that the peer may not know, and records that it is sent them.
    /// - Parameter holdsThumbnail: whether the peer holds the thumbnail that the photo operation describes. It then has
    ///   the operations that describe the photo, and those signed with it.
    package mutating func news(
        for peer: ConnectionID, among operations: [VerifiedOperation], holdsThumbnail: (OperationHeader) -> Bool
    ) -> [VerifiedOperation] {
        let photos = operations.filter { $0.kind == .photo && holdsThumbnail($0.header) }.map(\.id)
        let news = operations.filter { operation in
            informed[operation.id]?.contains(peer) == false && !photos.contains(operation.id)
                && !photos.contains(operation.header.subject)
        }
        for operation in news { informed[operation.id]?.append(peer) }
        return news
    }
}
