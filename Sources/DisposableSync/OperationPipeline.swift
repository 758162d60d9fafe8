// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
package import DisposableModel
internal import DisposableWire

/// Operations of others on their way into the sets: *received* -> *verifying* -> *storing* -> in the sets. Invalid
/// ones, and those that could not be stored, leave it.
///
/// Each is in progress once, whatever number of peers send it. The operations of one connection are stored one batch at
/// a time: those that are verified meanwhile are stored together, so that operations that arrive one to a message are
/// not derived one by one. Bounded for each peer by `Limits.operationsInProgressMax`.
package struct OperationPipeline {
    package typealias Batch = (operations: [VerifiedOperation], source: ConnectionID)

    /// Operations in progress are charged to budgets.
    var budgets: OperationBudgets
    /// Operations in progress, and all peers that have sent them, to which they need not be sent.
    private var senders: [OperationID: [ConnectionID]] = [:]
    private var verifying: [Ticket: (ids: [OperationID], source: ConnectionID)] = [:]
    private var storing: [Ticket: Batch] = [:]
    /// By connection of which a batch is being stored: the operations that were verified since.
    private var verified: [ConnectionID: Deque<VerifiedOperation>] = [:]

    package init(limits: UnitBudgets) { budgets = OperationBudgets(limits: limits) }

    package var isEmpty: Bool { senders.isEmpty }
    package func contains(_ id: OperationID) -> Bool { senders[id] != nil }

    /// Records a peer that sends an operation. Returns whether the operation was in progress already.
    package mutating func isRepeated(_ id: OperationID, from connection: ConnectionID) -> Bool {
        guard let known = senders[id] else { return false }
        if !known.contains(connection) { senders[id]?.append(connection) }
        return true
    }

    package mutating func begin(_ id: OperationID, from connection: ConnectionID) {
        if senders[id] == nil { senders[id] = [connection] }
    }

    /// Ends an operation. Returns the peers that have sent it.
    @discardableResult package mutating func end(_ id: OperationID) -> [ConnectionID] {
        senders.removeValue(forKey: id) ?? []
    }

    /// Ends an operation that does not enter the sets, and refunds its charge.
    package mutating func drop(_ id: OperationID) {
        end(id)
        budgets.refund(id)
    }

    package mutating func verify(_ ids: [OperationID], from source: ConnectionID, _ ticket: Ticket) {
        verifying[ticket] = (ids, source)
    }

    package mutating func endVerifying(_ ticket: Ticket) -> (ids: [OperationID], source: ConnectionID)? {
        verifying.removeValue(forKey: ticket)
    }

    /// Returns the operations if they are to be stored now; otherwise they wait for the batch that is being stored.
    package mutating func queue(_ operations: [VerifiedOperation], from source: ConnectionID) -> [VerifiedOperation]? {
        guard verified[source] == nil else {
            verified[source]!.append(contentsOf: operations)
            return nil
        }
        verified[source] = []
        return operations
    }

    package mutating func store(_ operations: [VerifiedOperation], from source: ConnectionID, _ ticket: Ticket) {
        storing[ticket] = (operations, source)
    }

    package mutating func endStoring(_ ticket: Ticket) -> Batch? { storing.removeValue(forKey: ticket) }

    /// Returns the next batch of the connection, `nil` if none waits.
    package mutating func nextBatch(from source: ConnectionID) -> [VerifiedOperation]? {
        let next = verified[source].map { Array($0.prefix(Limits.operationsPerMessageMax)) } ?? []
        guard !next.isEmpty else {
            verified[source] = nil
            return nil
        }
        verified[source]?.removeFirst(next.count)
        return next
    }
}
