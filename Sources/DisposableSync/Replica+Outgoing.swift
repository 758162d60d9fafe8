// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Operations for peers that ask for them, from the store.
extension Replica {
    mutating func enqueue(_ ids: [OperationID], to connection: ConnectionID) {
        peers[connection]?.outbox.append(ids)
        loadOutgoing(to: connection)
    }

    /// Sends more of what waits, while there is room: operations first, then inventories.
    mutating func loadOutgoing(to connection: ConnectionID) {
        guard let peer = peers[connection], peer.outbox.mayRead else { return }
        guard peer.outbox.operationCount > 0 else { return sendRegisters(to: connection) }
        let ticket = newTicket()
        outputs.append(.load(peer.outbox.read(ticket), ticket))
    }

    mutating func loaded(_ ticket: Ticket, _ operations: [VerifiedOperation]) {
        guard let (connection, peer) = peers.first(where: { $0.value.outbox.isReading(ticket) }) else { return }
        peer.outbox.endReading()
        sendOperations(operations, to: connection)
        loadOutgoing(to: connection)
        pingWhenSent(to: connection)
    }

    mutating func sendOperations(_ operations: [VerifiedOperation], to connection: ConnectionID) {
        for message in messages(with: operations) { send(message, to: connection) }
    }

    /// Returns encoded messages, so that operations for many peers are encoded once.
    func messages(with operations: [VerifiedOperation]) -> [[UInt8]] {
        PeerMessage.packing(operations.map { UncheckedOperation(withoutWithdrawnBody($0)) }).map(\.bytes)
    }
}
