// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// The rules of the event's secrets once more.
extension Oracle {
    private func leadsSomewhere(_ epoch: VerifiedOperation) -> Bool {
        guard case .epoch(.some, _)? = epoch.content else { return false }
        return rank(ofAct: epoch) >= .organizer
            || epochs.contains { $0.header.subject == epoch.id && leadsSomewhere($0) }
    }

    /// The epochs from the first secret on to the current one.
    package var epochChain: [OperationID] {
        var chain: [OperationID] = []
        while let next = epochs.filter({ $0.header.subject == chain.last ?? .none && leadsSomewhere($0) }).map(\.id)
            .min()
        {
            chain.append(next)
        }
        return chain
    }

    /// Returns the devices with the secret of an epoch: by a box, or by the admission of a device that has it.
    package func insiders(of epoch: OperationID) -> Set<DeviceID> {
        var having: Set<DeviceID> = [eventKey]
        for operation in epochs {
            guard case .epoch(let commitment, let seals)? = operation.content else { continue }
            let isOfIt =
                commitment == nil
                ? epoch != .none && operation.header.subject == epoch && rank(ofAct: operation) >= .organizer
                : operation.id == epoch
            if isOfIt { having.formUnion(seals.map(\.device)) }
        }
        var isChanged = true
        while isChanged {
            let before = having
            for join in operations {
                guard case .join(let admission, _)? = join.content, admission.epoch == epoch,
                    having.contains(admission.sponsor), isLeft(join: join, by: admission.sponsor)
                else { continue }
                having.insert(join.header.device)
            }
            isChanged = having != before
        }
        return having
    }
}
