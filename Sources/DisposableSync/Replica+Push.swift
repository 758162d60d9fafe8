// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Sends new operations to peers, as `Gossip` decides.
extension Replica {
    /// Sends own operations to every connected member.
    mutating func push(_ operations: [VerifiedOperation]) {
        for operation in operations { gossip.begin(operation.id, knownBy: []) }
        tell(operations, to: members)
        gossip.end(operations)
    }

    /// Sends operations of others to a few members, or to all that may need them.
    mutating func relay(_ operations: [VerifiedOperation]) {
        let (first, areAll) = gossip.firstPeers(
            of: operations, among: members, at: now.milliseconds, using: &random)
        tell(operations, to: first)
        if areAll { gossip.end(operations) }
    }

    /// Sends operations that are due to the rest of the members.
    mutating func relayDue() {
        while let operations = gossip.takeDue(at: now.milliseconds) {
            tell(operations, to: members)
            gossip.end(operations)
        }
    }

    private var members: [ConnectionID] {
        peers.compactMap { connection, peer in
            !peer.isBundle && peer.device.map(state.membership.isMember) == true ? connection : nil
        }
    }

    /// Sends each peer the operations that it may not know.
    private mutating func tell(_ operations: [VerifiedOperation], to connections: [ConnectionID]) {
        var messages: [[UInt8]]?
        for connection in connections {
            guard let peer = peers[connection] else { continue }
            let news = gossip.news(for: connection, among: operations) {
                peer.holdings.contains($0.sequence, device: $0.device, blobClass: .thumbnail)
            }
            guard !news.isEmpty else { continue }
            if !peer.outbox.isOpen {
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
}
