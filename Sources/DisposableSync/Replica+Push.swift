// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Live push: new operations reach every node at once, and none more often than needed.
///
/// Own operations are sent to every peer. Those of others are sent to a few peers at once, which suffices to reach
/// nearly all; a moment later to those of the rest that have neither sent them nor announced that they hold the photo.
/// The next ping informs any peer that was left out.
extension Replica {
    /// Operations, and when to send them to the rest of the peers.
    struct Relay {
        let operations: [VerifiedOperation]
        let dueAt: UInt64
    }

    /// Sends operations to every connected member.
    mutating func push(_ operations: [VerifiedOperation]) {
        for operation in operations { told[operation.id] = [] }
        tell(operations, to: members)
        for operation in operations { told[operation.id] = nil }
    }

    /// Sends operations to a few members that have not sent them, and schedules the others.
    mutating func relay(_ operations: [VerifiedOperation]) {
        let others = members.filter { connection in operations.contains { told[$0.id]?.contains(connection) == false } }
        let isLast = others.count <= Limits.relayPeersMax || told.count >= Limits.relayedOperationsMax
        tell(operations, to: isLast ? others : Array(others.shuffled(using: &random).prefix(Limits.relayPeersMax)))
        guard isLast else {
            relays.append(
                Relay(operations: operations, dueAt: now.milliseconds + UInt64(Limits.relayMilliseconds)))
            return
        }
        for operation in operations { told[operation.id] = nil }
    }

    /// Sends the relays that are due.
    mutating func relayDue() {
        while let relay = relays.first, relay.dueAt <= now.milliseconds {
            relays.removeFirst()
            tell(relay.operations, to: members)
            for operation in relay.operations { told[operation.id] = nil }
        }
    }

    private var members: [ConnectionID] {
        peers.compactMap { connection, peer in
            peer.device.map(state.membership.isMember) == true ? connection : nil
        }
    }

    /// Sends each peer the operations that it may not know.
    private mutating func tell(_ operations: [VerifiedOperation], to connections: [ConnectionID]) {
        var messages: [[UInt8]]?
        for connection in connections {
            guard let peer = peers[connection] else { continue }
            let photos = photos(among: operations, heldBy: peer)
            let news = operations.filter { operation in
                told[operation.id]?.contains(connection) == false && !photos.contains(operation.id)
                    && !photos.contains(operation.header.subject)
            }
            guard !news.isEmpty else { continue }
            for operation in news { told[operation.id]?.append(connection) }
            if !peer.outgoing.isEmpty || !peer.hasRoom {
                enqueue(news.map(\.id), to: connection)
            } else if news.count == operations.count {
                let encoded = messages ?? self.messages(with: operations)
                messages = encoded
                for message in encoded { send(message, to: connection) }
            } else {
                sendOperations(news, to: connection)
            }
        }
    }

    /// Returns the operations about photos whose thumbnail the peer holds: it has those that describe it, and those
    /// signed with it.
    private func photos(among operations: [VerifiedOperation], heldBy peer: Peer) -> [OperationID] {
        operations.filter { operation in
            operation.kind == .photo
                && peer.holdings.contains(
                    operation.header.sequence, device: operation.header.device, blobClass: .thumbnail)
        }.map(\.id)
    }
}
