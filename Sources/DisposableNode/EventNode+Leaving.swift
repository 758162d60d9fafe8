// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation
internal import Logging

/// Leaving an event. The request is stored first, then signed, then, once another node has it, the event is forgotten
/// here: if the process ends in between, the next start continues.
extension EventNode {
    /// Stores the person's request to leave.
    func noteLeaving(deletesPhotos: Bool) throws {
        var leaving = departure.leaving ?? EventDeparture.Leaving(deletesPhotos: false)
        leaving.deletesPhotos = leaving.deletesPhotos || deletesPhotos
        try store.setMetadata([UInt8](JSONEncoder().encode(leaving)), for: EventDeparture.leavingKey)
        departure.leaving = leaving
    }

    /// The parts of this node's data that other nodes have.
    var handover: Replica.Handover { replica.handover }

    /// If the event is being left: signs the necessary operations, and returns whether nothing is left to wait for.
    func takeLeave() async throws -> Bool {
        guard let leaving = departure.leaving else { return false }
        // Without other nodes nobody needs to be notified.
        guard replica.isAdmitted, replica.state.charter != nil, replica.hasOthers else {
            return true
        }
        if !replica.state.membership.hasLeft(replica.deviceID) {
            if leaving.deletesPhotos { try await removeOwnPhotos() }
            _ = try await author(.leave)
        }
        guard !replica.handover.isComplete else { return true }
        let begunAt = departure.leavingSince ?? clock.now
        departure.leavingSince = begunAt
        if clock.now >= begunAt + .seconds(5) {
            note(
                .leaving,
                "\(name) is being left: this node waits until another node has received the leave and its photos")
        }
        apply(.handOver)
        return false
    }

    private func removeOwnPhotos() async throws {
        let me = replica.authorID
        let photos = replica.state.album.photos(by: me).filter {
            !replica.state.album.isRemoved($0, by: me)
        }
        for photo in photos { _ = try await author(.remove(photo)) }
    }

    /// Returns the effect of leaving, for a confirmation.
    func preview(of request: LeaveRequest) -> LeavePreview {
        let state = replica.state
        let own = state.album.photos(by: replica.authorID).compactMap(state.photo).filter { !$0.status.isWithdrawn }
        let guests = state.photos.filter {
            !$0.status.isWithdrawn && $0.author != replica.authorID && replica.signs(for: $0.device)
        }
        return LeavePreview(
            event: state.event.description, name: name, ownPhotoCount: own.count,
            guestPhotoCount: guests.count, deletesPhotos: request.deletesPhotos,
            hasEventKey: store.keys.organizer != nil, isLastNode: !replica.hasOthers,
            hasSealedPhotos: !state.isRevealed && state.charter != nil)
    }
}
