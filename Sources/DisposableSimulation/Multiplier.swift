// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// A peer that admits devices of its own, and signs for all of them large operations of an unknown kind.
struct Multiplier {
    private var signers: [SigningKey] = []

    private static let signersMax = 10

    /// - Parameter time: the operations' time, in milliseconds of a wall clock.
    mutating func act(
        _ chains: DishonestChains, at time: UInt64, _ random: inout SplitMix64,
        _ connections: inout DishonestConnections
    ) {
        if signers.count < Self.signersMax {
            let newcomer = chains.admitDevice(at: time, &random)
            connections.sendToAll(newcomer.join)
            signers.append(newcomer.key)
        }
        var operations: [UncheckedOperation] = []
        for signer in signers {
            let body = random.bytes(
                signer.verifyingKey == signers[0].verifyingKey ? Limits.operationBodyByteCountMax : 40)
            let header = OperationHeader(
                kind: 200, flags: [], event: chains.event, device: DeviceID(signer.verifyingKey),
                sequence: 0, previous: .none, timestamp: HybridTimestamp(milliseconds: time, counter: 0),
                subject: .none, argument: 0, bodyHash: OperationHeader.hash(ofBody: body),
                bodyByteCount: UInt32(body.count))
            let operation = try? UncheckedOperation(
                headerBytes: header.bytes, signature: signer.signature(for: header.signedBytes), body: body)
            if let operation { operations.append(operation) }
        }
        connections.sendToAll(operations)
    }
}
