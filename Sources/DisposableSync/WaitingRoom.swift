// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Operations of one connection for which no budget pays at present, each once.
///
/// When it is full, what comes is not kept: it is in no set, so the next reconciliation finds it again, and the
/// connection goes on bringing what other devices have stated. Reading nothing until there is room would hold all that
/// back for as long as the excess takes.
struct WaitingRoom {
    private(set) var operations: OrderedDictionary<OperationID, UncheckedOperation> = [:]
    private(set) var byteCount = 0

    var isEmpty: Bool { operations.isEmpty }
    /// Whether so much more fits that it is worth reconciling.
    var isHalfEmpty: Bool {
        operations.count <= Limits.orphansMax / 2 && byteCount <= Limits.orphanByteCountMax / 2
    }

    func contains(_ id: OperationID) -> Bool { operations[id] != nil }

    /// Keeps the operation where there is room; one of the authority set takes the place of the latest of the content
    /// set. False where it, or another one, is not kept.
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
