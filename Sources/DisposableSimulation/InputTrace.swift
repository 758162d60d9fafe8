// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync

/// A hash over the inputs of a node, and their number. Equal seeds give equal traces, in every process.
struct InputTrace {
    private(set) var hash: UInt64 = 0
    private(set) var stepCount = 0

    mutating func add(_ input: Replica.Input, at now: UInt64) {
        stepCount += 1
        mix(now)
        switch input {
        case .received(let connection, let bytes):
            mix(connection.number)
            mix(UInt64(bytes.count))
            // The end of an encrypted frame authenticates everything before it.
            for byte in bytes.suffix(16) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        case .persisted(let ticket), .persistFailed(let ticket), .chunkRead(let ticket, _), .loaded(let ticket, _),
            .verified(let ticket, _), .author(_, _, let ticket):
            mix(ticket.number)
        case .chunkStored(let blob, let index), .chunkTurnedOutWrong(let blob, let index),
            .chunkStoringFailed(let blob, let index):
            mix(blob.root.bytes32.prefix64 &+ UInt64(index))
        case .connected(let connection, _, _), .accepted(let connection, _, _, _, _), .disconnected(let connection),
            .sent(let connection, _):
            mix(connection.number)
        case .takenBack(let root, _): mix(root.bytes32.prefix64)
        case .sighted, .invited, .listens, .operationsLost, .remembered, .dialFailed, .destroyed, .handOver,
            .servesPages, .roomChanged, .originalsLimited, .deadlineReached, .interrupted, .stop, .bundleOpened,
            .bundleAnswered:
            break
        }
    }

    private mutating func mix(_ number: UInt64) {
        var mixer = SplitMix64(seed: hash ^ number)
        hash = mixer.next()
    }
}
