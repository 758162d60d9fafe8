// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
package import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Data that waits until the network has room to the peer: operations, which are read from the store in batches,
/// then inventories, of which the latest of each device is sent.
package struct Outbox {
    /// Bytes given to the shell that the network has not taken.
    package private(set) var unsentByteCount = 0
    private var operations: Deque<OperationID> = []
    /// The batch that is being read from the store.
    private var reading: Ticket?
    private var inventories: OrderedSet<DeviceID> = []
    /// Whether the peer was sent all inventories, and so is sent new ones.
    package private(set) var hasInventories = false
    /// Whether the peer was sent all holdings, and so is sent new ones.
    var hasHoldings = false
    /// Whether to ping the peer once everything was sent, to compare the sets.
    private var pingsAtEnd = false

    package init() {}

    package var operationCount: Int { operations.count }
    package var inventoryCount: Int { inventories.count }
    /// Whether bulk data may be sent: operations from the store, inventories and chunks. Control messages do not wait.
    package var hasRoom: Bool { unsentByteCount < Limits.outboundByteCountMax }
    /// Whether operations could be sent now without overtaking others.
    package var isOpen: Bool { operations.isEmpty && hasRoom }

    // Bytes

    /// Returns false if the network has taken nothing for too long.
    package mutating func sent(_ byteCount: Int) -> Bool {
        unsentByteCount += byteCount
        return unsentByteCount <= Limits.unsentByteCountMax
    }

    package mutating func taken(_ byteCount: Int) { unsentByteCount -= byteCount }

    // Operations

    package mutating func append(_ ids: [OperationID]) {
        if operations.count + ids.count > Limits.outgoingOperationsMax {
            // The next ping shows that something is missing.
            operations.removeAll()
        } else {
            operations.append(contentsOf: ids)
        }
    }

    /// Whether the ticket is that of the batch.
    package func isReading(_ ticket: Ticket) -> Bool { reading == ticket }

    package var mayRead: Bool { reading == nil && hasRoom }

    /// Returns the next batch to read.
    package mutating func read(_ ticket: Ticket) -> [OperationID] {
        let batch = Array(operations.prefix(Limits.operationsPerMessageMax))
        operations.removeFirst(batch.count)
        reading = ticket
        return batch
    }

    package mutating func endReading() { reading = nil }

    package mutating func pingAtEnd() { pingsAtEnd = true }

    /// Returns once whether everything was sent and a ping was requested.
    package mutating func takePing() -> Bool {
        guard pingsAtEnd, operations.isEmpty, reading == nil else { return false }
        pingsAtEnd = false
        return true
    }

    // Inventories

    /// Adds all inventories, once.
    package mutating func append(allInventories devices: [DeviceID]) {
        hasInventories = true
        inventories.formUnion(devices)
    }

    /// - Parameter isKept: whether there is an inventory of a device; those that were dropped meanwhile make room.
    package mutating func append(inventoryOf device: DeviceID, isKept: (DeviceID) -> Bool) {
        if inventories.count > Limits.registersMax { inventories.removeAll { !isKept($0) } }
        inventories.append(device)
    }

    package mutating func nextInventory() -> DeviceID? {
        hasRoom && !inventories.isEmpty ? inventories.removeFirst() : nil
    }
}
