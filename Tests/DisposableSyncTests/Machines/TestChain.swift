// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Signs operations of one device for tests of the engine's parts, with any contents.
struct TestChain {
    let key: SigningKey
    let event: EventID
    private var ends: [OperationSet: (next: UInt32, latest: OperationID)] = [:]
    private var random: SplitMix64

    var device: DeviceID { DeviceID(key.verifyingKey) }

    init(seed: UInt64 = 1) {
        random = SplitMix64(seed: seed)
        key = SigningKey(seed: random.secret())
        event = EventID(key: key.verifyingKey)
    }

    mutating func sign(
        _ kind: OperationKind = .remove, subject: OperationID = .none, content: OperationContent? = nil
    ) throws -> VerifiedOperation {
        let body = content.map { OperationBody.encode($0, salt: random.bytes(OperationBody.saltByteCount)) } ?? []
        let end = ends[kind.set] ?? (0, .none)
        let operation = try VerifiedOperation(
            draft: Draft(kind: kind, subject: subject, body: body), event: event, sequence: end.next,
            previous: end.latest, timestamp: HybridTimestamp(milliseconds: 1_000 + UInt64(end.next), counter: 0),
            key: key)
        ends[kind.set] = (end.next + 1, operation.id)
        return operation
    }

    mutating func sign(_ count: Int, _ kind: OperationKind = .remove) throws -> [VerifiedOperation] {
        try (0..<count).map { _ in try sign(kind) }
    }

    mutating func id() throws -> OperationID { try sign().id }
}
