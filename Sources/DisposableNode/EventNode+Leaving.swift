// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation
internal import Logging

/// The end of an event on this node: its person leaves it, or its time is over.
struct EventDeparture {
    /// What this node's person wants, where the event is being left.
    var leaving: EventNode.Leaving?
    var leavingSince: ContinuousClock.Instant?
    /// When the event's time is over, as noted on disk.
    var expiry: EventNode.Expiry?
    /// Whether it matters how long the node runs.
    var countsUptime = false
    /// Since when it is to be forgotten, by the node's steady clock.
    var dueAtMilliseconds: UInt64?

    init(_ store: EventStore) throws {
        leaving = try EventNode.leaving(store)
        expiry = try EventNode.expiry(store)
    }
}

/// Leaving an event. What the person wants is noted first, then said, then, once another node has it, the event is
/// forgotten here: a process that is ended anywhere between is gone on with at the next start.
extension EventNode {
    private static let leavingKey = "leaving"

    /// What was asked for, as it is noted until it is done.
    struct Leaving: Codable, Sendable {
        var deletesPhotos: Bool
    }

    static func leaving(_ store: EventStore) throws -> Leaving? {
        try store.metadata(for: leavingKey).flatMap { try? JSONDecoder().decode(Leaving.self, from: Data($0)) }
    }

    /// Notes that the person wants to leave.
    func noteLeaving(deletesPhotos: Bool) throws {
        var leaving = departure.leaving ?? Leaving(deletesPhotos: false)
        leaving.deletesPhotos = leaving.deletesPhotos || deletesPhotos
        try store.setMetadata([UInt8](JSONEncoder().encode(leaving)), for: Self.leavingKey)
        departure.leaving = leaving
    }

    /// What of this node other nodes have.
    var handover: Replica.Handover { replica.handover }

    /// Where the event is being left: states what has to be stated, and returns whether nothing is left to wait for.
    func takeLeave() async throws -> Bool {
        guard let leaving = departure.leaving else { return false }
        // Nobody is told where there is nobody else.
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
                "\(name) is being left: this node waits until another one has heard of it and has its photos")
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

    /// What leaving comes to, before somebody says yes.
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
