// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// The rules of joined galleries once more.
extension Oracle {
    /// The events of the twins, in the order in which they were named first.
    package var twins: [EventID] {
        let standing = operations.filter { twinning in
            twinEvent(of: twinning) != nil && isLookedAt(twinning) && rank(ofAct: twinning) >= .organizer
                && !operations.contains {
                    $0.kind == .erase && $0.header.subject == twinning.id && rank(ofAct: $0) >= .organizer
                }
        }
        let named = Dictionary(grouping: standing) { twinEvent(of: $0) }
        let first = named.values.compactMap { group in
            group.min { ($0.header.timestamp, $0.id) < ($1.header.timestamp, $1.id) }
        }
        return first.sorted { ($0.header.timestamp, $0.id) < ($1.header.timestamp, $1.id) }.prefix(4)
            .compactMap(twinEvent)
    }

    /// Whether the twinning is one of the first 64 of its device that are proven.
    private func isLookedAt(_ twinning: VerifiedOperation) -> Bool {
        operations.count {
            $0.header.device == twinning.header.device && twinEvent(of: $0) != nil
                && ($0.header.sequence, $0.id) < (twinning.header.sequence, twinning.id)
        } < 64
    }

    private func twinEvent(of operation: VerifiedOperation) -> EventID? {
        if case .twinning(let twinning)? = operation.content { twinning.agreement.event } else { nil }
    }
}
