// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Live push: how what is said reaches everybody at once, and nobody more often than needed.
///
/// Own operations go to every peer. Those of others go on to a few peers at once, which is enough to reach nearly all;
/// a moment later to those of the rest that have neither sent them nor said that they hold the photo. Whoever is left
/// out all the same finds out with the next ping.
extension Replica {
    /// Some operations, and when the rest of the peers is told.
    struct Relay {
        let operations: [VerifiedOperation]
        let dueAt: UInt64
    }

    /// To every member that is connected.
    mutating func push(_ operations: [VerifiedOperation]) {
        for operation in operations { told[operation.id] = [] }
        tell(operations, to: members)
        for operation in operations { told[operation.id] = nil }
    }

    /// To a few that have not sent them, and later to the others.
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

    /// The moment is over.
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

    /// What each of them may not know.
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

    /// Who says that it holds a photo's thumbnail has what describes it, and what was said with it.
    private func photos(among operations: [VerifiedOperation], heldBy peer: Peer) -> [OperationID] {
        operations.filter { operation in
            operation.kind == .photo
                && peer.holdings.contains(
                    operation.header.sequence, device: operation.header.device, blobClass: .thumbnail)
        }.map(\.id)
    }
}
