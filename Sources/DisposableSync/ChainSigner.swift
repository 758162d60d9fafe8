// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire

/// The end of a device's chain in one set.
struct Chain: Equatable, Sendable {
    /// The sequence number of the next operation.
    var nextSequence: UInt32 = 0
    var latest = OperationID.none
    var timestamp = HybridTimestamp(packed: 0)
}

/// Signs drafts one after the other as they follow in the device's chains, without changing the chains: these advance
/// when the operations are stored.
struct ChainSigner {
    private var chains: [OperationSet: Chain]
    private var clock: HybridClock
    private let event: EventID
    private let key: SigningKey
    private let wallClockMilliseconds: UInt64
    private(set) var signed: [VerifiedOperation] = []

    init(
        chains: [OperationSet: Chain], clock: HybridClock, event: EventID, key: SigningKey,
        wallClockMilliseconds: UInt64
    ) {
        self.chains = chains
        self.clock = clock
        for chain in chains.values { self.clock.restore(chain.timestamp) }
        self.event = event
        self.key = key
        self.wallClockMilliseconds = wallClockMilliseconds
    }

    mutating func sign(_ draft: Draft) throws(Refusal) -> VerifiedOperation {
        let chain = chains[draft.kind.set] ?? Chain()
        guard chain.nextSequence < .max else { throw .malformed(.sequenceTooLarge(chain.nextSequence)) }
        do throws(OperationError) {
            let operation = try VerifiedOperation(
                draft: draft, event: event, sequence: chain.nextSequence, previous: chain.latest,
                timestamp: clock.next(wallClockMilliseconds: wallClockMilliseconds), key: key)
            chains[draft.kind.set] = Chain(
                nextSequence: chain.nextSequence + 1, latest: operation.id, timestamp: operation.header.timestamp)
            signed.append(operation)
            return operation
        } catch {
            throw .malformed(error)
        }
    }
}
