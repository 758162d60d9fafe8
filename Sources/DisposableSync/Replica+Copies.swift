// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// A device key in use on two machines, because somebody has copied a folder: both are heard, and people are told. And
/// slots that two have claimed at once, who speak for one author: copies of a device, or two nodes whose pages one
/// guest uses. The photo that has lost its slot is claimed again, by all of them alike (protocol/disposable-v1.md §9.4,
///
extension Replica {
    /// Operations of this very device that came from elsewhere: somebody else signs with its key.
    mutating func noteForeign(_ operations: [VerifiedOperation]) {
        guard operations.contains(where: { $0.header.device == device }) else { return }
        if !mustReconcile, wasAdmitted { noteClone(device) }
    }

    mutating func noteClone(_ device: DeviceID) {
        guard cloned.insert(device).inserted else { return }
        outputs.append(.changed(.cloned(device)))
    }

    /// By these somebody may have lost a slot, or found a free one. What is claimed here, is claimed knowing all that
    /// is here.
    mutating func noteSlots(_ operations: [VerifiedOperation], areForeign: Bool) {
        for operation in operations {
            switch operation.kind {
            case .claim where areForeign, .join where areForeign:
                mayHaveLostSlots?.insert(state.membership.author(of: operation.header.device))
            // Rolls grow by these, or others of their authors' claims count.
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

    /// The claims that are to be made for photos that lost their slots, some at a time.
    mutating func reclaims(of author: AuthorID) -> [Draft] {
        let lost = state.album.reclaims(of: author, limit: state.rollLimit(of: author))
        if lost.count > Limits.operationsPerMessageMax { mayHaveLostSlots?.insert(author) }
        return lost.prefix(Limits.operationsPerMessageMax).map { photo, slot in
            Draft(kind: .claim, subject: photo.operationID, argument: slot)
        }
    }
}
