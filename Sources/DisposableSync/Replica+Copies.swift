// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Detection of a device key that is in use on two machines because a folder was copied: both are accepted, and people
/// are informed. Also, frames with concurrent claims of one author: copies of a device, or two nodes whose pages one
/// guest uses. The photo that has lost its frame is claimed again, in the same way by all of them
/// (protocol/disposable-v1.md §9.4, R-29).
extension Replica {
    /// Handles operations of this very device from elsewhere: another process signs with its key.
    mutating func noteForeign(_ operations: [VerifiedOperation]) {
        guard operations.contains(where: { $0.header.device == device }) else { return }
        if !mustReconcile, status.wasAdmitted { noteClone(device) }
    }

    mutating func noteClone(_ device: DeviceID) {
        guard status.notices.recordClone(device) else { return }
        outputs.append(.changed(.cloned(device)))
    }

    mutating func claimLostSlots() {
        guard !authoring.lostFrames.isEmpty, isAdmitted, state.charter != nil, authoring.isIdle,
            !mustReconcile || isAloneInEvent
        else { return }
        let here = Set(authoring.chains.devices.filter(state.membership.isMember).map(state.membership.author))
        for author in authoring.lostFrames.take(from: here.union([authorID])) {
            guard !state.reclaims(of: author).isEmpty else { continue }
            if author == authorID {
                authoring.append(.reclaim, by: nil, newTicket())
            } else {
                outputs.append(.changed(.slotsLost(author)))
            }
        }
    }

    /// Returns the claims for photos that lost their frames, some at a time.
    mutating func reclaims(of author: AuthorID) -> [Draft] {
        let lost = state.reclaims(of: author)
        if lost.count > Limits.operationsPerMessageMax { authoring.lostFrames.insert(author) }
        return lost.prefix(Limits.operationsPerMessageMax).map { photo, slot in
            Draft(kind: .claim, subject: photo.operationID, argument: slot)
        }
    }
}
