// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// A join by its operation, and its sponsor.
struct Join: Equatable, Sendable {
    let id: OperationID
    let sponsor: DeviceID
    /// Whether it carries a guest's delegation.
    let isSubKey: Bool
    /// The number of devices that had joined here before.
    let place: Int
    /// When the device was let in, in milliseconds since 1970 UTC: as the join says, but not before its sponsor, and
    /// not before this node stored it if it is the sponsor itself and has not restarted since. 0 for a join that is
    /// not stored.
    var enteredAt: UInt64 = 0
}

/// The operations that are stored here: both sets, as reconciliation compares them, the first join of each device, and
/// which bodies are missing.
struct OperationIndex {
    private var sets: [OperationSet: ItemSet] = [.authority: ItemSet(), .content: ItemSet()]
    var withdrawals = WithdrawnSubjects()
    /// During a restore: the operations that are stored without their body, and those that describe blobs.
    var restored: (headers: [VerifiedOperation], descriptions: [VerifiedOperation]) = ([], [])
    /// To prove to a peer how a device joined.
    private(set) var joins: [DeviceID: Join] = [:]

    /// Returns whether the operation is new.
    mutating func insert(_ operation: VerifiedOperation) -> Bool {
        sets[operation.header.set]!.insert(Self.item(operation.header, operation.id))
    }

    func contains(_ operation: UncheckedOperation) -> Bool {
        sets[operation.header.set]!.contains(Self.item(operation.header, operation.id))
    }

    func contains(_ item: ItemSet.Item, in set: OperationSet) -> Bool { sets[set]!.contains(item) }

    /// Records a join, unless the device has joined before.
    /// - Parameters:
    ///   - node: this node's device.
    ///   - wallClockMilliseconds: this machine's time, 0 during a restore.
    mutating func followJoin(_ operation: VerifiedOperation, at node: DeviceID, wallClockMilliseconds: UInt64) {
        guard case .join(let admission, let delegation) = operation.content, joins[operation.header.device] == nil
        else { return }
        var enteredAt = max(operation.header.timestamp.milliseconds, joins[admission.sponsor]?.enteredAt ?? 0)
        if admission.sponsor == node { enteredAt = max(enteredAt, wallClockMilliseconds) }
        joins[operation.header.device] = Join(
            id: operation.id, sponsor: admission.sponsor, isSubKey: delegation != nil, place: joins.count,
            enteredAt: enteredAt)
    }

    func count(of set: OperationSet) -> Int { sets[set]!.count }
    mutating func snapshot(of set: OperationSet) -> ItemSet.Snapshot { sets[set]!.snapshot() }

    func summary(of set: OperationSet) -> SetSummary {
        SetSummary(count: UInt64(sets[set]!.count), fingerprint: sets[set]!.fingerprint.bytes)
    }

    private static func item(_ header: OperationHeader, _ id: OperationID) -> ItemSet.Item {
        ItemSet.Item(timestamp: header.timestamp.milliseconds, id: id.bytes32)
    }
}
