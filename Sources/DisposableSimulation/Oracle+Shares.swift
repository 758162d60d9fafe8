// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel

/// The rules of shares once more.
extension Oracle {
    /// The published shares that are the first charter's, by index; `nil` where nothing is shared.
    package var releasedShares: [UInt8: Bytes32]? {
        guard let charter, charter.revealKey != .zero, let terms = charter.seal.shares else { return nil }
        var released: [UInt8: Bytes32] = [:]
        for operation in operations where operation.kind == .shareRelease {
            guard case .shareRelease(let value)? = operation.content else { continue }
            for place in terms.commitments.indices where operation.header.argument == UInt64(place + 1) {
                var hash = BLAKE2b()
                hash.update(Array("disposable/1 share\0".utf8) + operation.header.event.bytes + [UInt8(place + 1)])
                hash.update(value.bytes)
                if hash.finalize() == terms.commitments[place].bytes { released[UInt8(place + 1)] = value }
            }
        }
        return released
    }

    /// The indices of the shares that organizers have given each device.
    package var dealtShares: [DeviceID: Set<UInt8>] {
        guard let charter, charter.revealKey != .zero, let terms = charter.seal.shares else { return [:] }
        var dealt: [DeviceID: Set<UInt8>] = [:]
        for operation in operations where operation.kind == .share && rank(ofAct: operation) >= .organizer {
            guard (1...UInt64(terms.commitments.count)).contains(operation.header.argument) else { continue }
            dealt[DeviceID(operation.header.subject.bytes32), default: []].insert(UInt8(operation.header.argument))
        }
        return dealt
    }

    /// Whether some of the published shares make the secret half of the reveal key: all sets of as many as it takes are
    /// tried.
    package var isRevealedByShares: Bool {
        guard let charter, let terms = charter.seal.shares, let released = releasedShares else { return false }
        func makesSecret(_ chosen: [SecretSharing.Share], _ others: ArraySlice<(key: UInt8, value: Bytes32)>) -> Bool {
            if chosen.count == terms.threshold {
                return SecretSharing.combine(chosen).map { AgreementKey(scalar: $0).publicKey.bytes32 }
                    == charter.revealKey
            }
            guard let first = others.first else { return false }
            var value = first.value.bytes
            let share = SecretSharing.Share(index: first.key, value: SecretBytes(consuming: &value, in: .ordinary))
            return makesSecret(chosen + [share], others.dropFirst()) || makesSecret(chosen, others.dropFirst())
        }
        return makesSecret([], released.sorted { $0.key < $1.key }[...])
    }
}
