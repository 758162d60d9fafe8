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
        if !mustReconcile, wasAdmitted { noteClone(device) }
    }

    mutating func noteClone(_ device: DeviceID) {
        guard cloned.insert(device).inserted else { return }
        outputs.append(.changed(.cloned(device)))
    }

    /// Handles operations by which a photo may have lost its frame, or a frame became free. A claim made here is made
    /// with knowledge of everything that is here.
    mutating func noteSlots(_ operations: [VerifiedOperation], areForeign: Bool) {
        for operation in operations {
            switch operation.kind {
            case .claim where areForeign, .join where areForeign:
                mayHaveLostSlots?.insert(state.membership.author(of: operation.header.device))
            // Quotas may grow by these, or other claims of their authors may count.
            case .charter, .edit, .frames, .grant, .revokeRole, .revokeDevice: mayHaveLostSlots = nil
            default: break
            }
        }
    }

    mutating func claimLostSlots() {
        guard mayHaveLostSlots?.isEmpty != true, isAdmitted, state.charter != nil, authoring.isEmpty,
            statements.isEmpty,
            !mustReconcile || isAloneInEvent
        else { return }
        let heard = mayHaveLostSlots
        mayHaveLostSlots = []
        let here = Set(chains.keys.filter(state.membership.isMember).map(state.membership.author)).union([authorID])
        for author in here.sorted() where heard?.contains(author) != false {
            guard !state.album.reclaims(of: author, limit: state.rollLimit(of: author)).isEmpty else { continue }
            if author == authorID {
                statements.append(.reclaim, by: nil, newTicket())
            } else {
                outputs.append(.changed(.slotsLost(author)))
            }
        }
    }

    /// Returns the claims for photos that lost their frames, some at a time.
    mutating func reclaims(of author: AuthorID) -> [Draft] {
        let lost = state.album.reclaims(of: author, limit: state.rollLimit(of: author))
        if lost.count > Limits.operationsPerMessageMax { mayHaveLostSlots?.insert(author) }
        return lost.prefix(Limits.operationsPerMessageMax).map { photo, slot in
            Draft(kind: .claim, subject: photo.operationID, argument: slot)
        }
    }
}
