// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import OrderedCollections

/// A device key in use on two machines, because somebody has copied a folder. Both are heard; people are told; and what
/// both claimed at once is claimed again.
extension Replica {
    /// Operations of this very device that came from elsewhere: somebody else signs with its key.
    mutating func noteForeign(_ operations: [VerifiedOperation]) {
        guard operations.contains(where: { $0.header.device == device }) else { return }
        mayHaveLostSlots = true
        if !mustReconcile, wasAdmitted { noteClone(device) }
    }

    mutating func noteClone(_ device: DeviceID) {
        guard cloned.insert(device).inserted else { return }
        outputs.append(.changed(.cloned(device)))
    }

    /// Where two processes use one key they may claim one slot for two photos, of which one loses it: it gets another.
    mutating func claimLostSlots() {
        guard mayHaveLostSlots, isAdmitted, state.charter != nil, authoring.isEmpty, statements.isEmpty,
            !mustReconcile || isAloneInEvent
        else { return }
        mayHaveLostSlots = false
        let lost = state.album.photos(by: authorID).filter { state.photo($0)?.status == .waiting }
        let free = state.album.freeSlots(of: authorID, count: lost.count, limit: state.rollLimit(of: authorID))
        for photo in lost.prefix(free.count) { statements.append((.claim(photo), nil, newTicket())) }
    }
}
