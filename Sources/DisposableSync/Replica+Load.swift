// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableWire
internal import OrderedCollections

/// The fill levels of the replica's queues, each of which has a limit; a simulation checks them.
extension Replica {
    package struct Load: Equatable, Sendable {
        /// Peers that have proved their identity; the others have places of their own.
        package var peers = 0
        package var handshakes = 0
        /// Inventories of other devices.
        package var registers = 0
        /// From here on, the values of the peer with the most.
        package var orphans = 0
        package var waitingOperations = 0
        package var waitingBytes = 0
        package var operationsInProgress = 0
        package var outgoingOperations = 0
        package var deferredMessages = 0
        package var servedChunks = 0
        package var outgoingRegisters = 0
        package var unsentBytes = 0
        package var reconciliationRounds = 0
        package var inFlightBytes = 0

        package init() {}

        /// Names, values and limits.
        package var rows: [(name: String, value: Int, limit: Int)] {
            [
                ("peers", peers, Limits.peersMax), ("handshakes", handshakes, Limits.handshakesMax),
                ("registers", registers, Limits.registersMax), ("orphans", orphans, Limits.orphansMax),
                ("waiting operations", waitingOperations, Limits.orphansMax),
                ("waiting bytes", waitingBytes, Limits.orphanByteCountMax),
                ("operations in progress", operationsInProgress, Limits.operationsInProgressMax),
                ("outgoing operations", outgoingOperations, Limits.outgoingOperationsMax),
                ("deferred messages", deferredMessages, Limits.deferredMessagesMax),
                ("served chunks", servedChunks, Limits.requestsPerPeerMax),
                // With this node's own, and one more that was dropped meanwhile.
                ("outgoing registers", outgoingRegisters, Limits.registersMax + 2),
                ("unsent bytes", unsentBytes, Limits.unsentByteCountMax),
                ("reconciliation rounds", reconciliationRounds, Limits.reconciliationRoundsMax),
                // One round of requests may exceed it by a request to each peer.
                ("bytes in flight", inFlightBytes, Limits.inFlightByteCountMax + Limits.peersMax << 20),
            ]
        }

        package mutating func formMaximum(_ other: Self) {
            peers = max(peers, other.peers)
            handshakes = max(handshakes, other.handshakes)
            registers = max(registers, other.registers)
            orphans = max(orphans, other.orphans)
            waitingOperations = max(waitingOperations, other.waitingOperations)
            waitingBytes = max(waitingBytes, other.waitingBytes)
            operationsInProgress = max(operationsInProgress, other.operationsInProgress)
            outgoingOperations = max(outgoingOperations, other.outgoingOperations)
            deferredMessages = max(deferredMessages, other.deferredMessages)
            servedChunks = max(servedChunks, other.servedChunks)
            outgoingRegisters = max(outgoingRegisters, other.outgoingRegisters)
            unsentBytes = max(unsentBytes, other.unsentBytes)
            reconciliationRounds = max(reconciliationRounds, other.reconciliationRounds)
            inFlightBytes = max(inFlightBytes, other.inFlightBytes)
        }
    }

    package var load: Load {
        var load = Load()
        load.peers = peers.values.count { $0.device != nil }
        load.handshakes = peers.values.count { $0.device == nil && $0.connection.side == .listener }
        load.registers = inventories.otherCount
        load.inFlightBytes = scheduler.inFlightByteCount
        for peer in peers.values {
            load.orphans = max(load.orphans, peer.intake.orphans.count)
            load.waitingOperations = max(load.waitingOperations, peer.intake.room.operations.count)
            load.waitingBytes = max(load.waitingBytes, peer.intake.room.byteCount)
            load.operationsInProgress = max(load.operationsInProgress, peer.intake.inProgressCount)
            load.outgoingOperations = max(load.outgoingOperations, peer.outbox.operationCount)
            load.deferredMessages = max(load.deferredMessages, peer.joining.deferred.count)
            load.servedChunks = max(load.servedChunks, peer.service.waitingCount)
            load.outgoingRegisters = max(load.outgoingRegisters, peer.outbox.inventoryCount)
            load.unsentBytes = max(load.unsentBytes, peer.outbox.unsentByteCount)
            load.reconciliationRounds = max(load.reconciliationRounds, peer.reconciliation.session?.roundCount ?? 0)
        }
        return load
    }
}
