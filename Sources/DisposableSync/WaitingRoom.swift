// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Operations of one connection that no budget covers at present, each once.
///
/// When it is full, new operations are dropped: they are in no set, so the next reconciliation finds them again, and
/// the connection continues to deliver other devices' operations. Not reading until there is room would hold all of
/// those back for as long as the excess takes.
struct WaitingRoom {
    private(set) var operations: OrderedDictionary<OperationID, UncheckedOperation> = [:]
    private(set) var byteCount = 0

    var isEmpty: Bool { operations.isEmpty }
    /// Whether enough room is free to make a reconciliation worthwhile.
    var isHalfEmpty: Bool {
        operations.count <= Limits.orphansMax / 2 && byteCount <= Limits.orphanByteCountMax / 2
    }

    func contains(_ id: OperationID) -> Bool { operations[id] != nil }

    /// Keeps the operation if there is room; one of the authority set replaces the latest of the content set. Returns
    /// false if it, or another one, is dropped.
    mutating func keep(_ operation: UncheckedOperation) -> Bool {
        var isFull: Bool {
            operations.count >= Limits.orphansMax || byteCount + operation.byteCount > Limits.orphanByteCountMax
        }
        var isWhole = true
        while isFull {
            isWhole = false
            guard operation.header.set == .authority,
                let latest = operations.values.last(where: { $0.header.set == .content })
            else { return false }
            remove(latest.id)
        }
        operations[operation.id] = operation
        byteCount += operation.byteCount
        return isWhole
    }

    mutating func remove(_ id: OperationID) { byteCount -= operations.removeValue(forKey: id)?.byteCount ?? 0 }
}
