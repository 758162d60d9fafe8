// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

extension Replica {
    /// Returns the changes of the album by `operations`, which have just entered.
    /// - Parameters:
    ///   - regarded: the photos that these have veiled, or shown again, or whose author's tickets they change.
    ///   - hasNewRanks: whether they had ranks, and what removals leave, derived again. Any photos may then be shown
    ///     that were not before: because of a join by the event key, or of an operation that completes a proof.
    func change(
        by operations: [VerifiedOperation], regarded: Set<PhotoID>, hasNewRanks: Bool
    ) -> AlbumChange {
        // A removed member can complete proofs until its budget ends. Each derivation costs a node more than this, and
        // pages are told at the rate of `PortalLimits.Updates.reloads`.
        guard !hasNewRanks else { return .everything }
        var photos: OrderedSet<PhotoID> = []
        var hasNewQuotas = false
        lazy var ids = Set(operations.map(\.id))
        for operation in operations {
            let header = operation.header
            let author = state.membership.author(of: header.device)
            switch operation.kind {
            case .photo:
                photos.append(PhotoID(operation.id))
                // Its claim may have arrived before it, and takes a frame from another photo or a gift now.
                for slot in state.album.contestedSlots(heldBy: PhotoID(operation.id)) {
                    guard let others = rivals(for: slot, of: author) else { return .everything }
                    photos.append(contentsOf: others)
                    hasNewQuotas = true
                }
            // They do not count if the device never had a rank or a role. If it gets one, that changes everything.
            case .veiling, .pageSealing, .picture, .charter, .edit, .grant, .revokeRole, .revokeDevice, .epoch, .frames,
                .notice, .approval, .list, .ballot, .closing, .twinning:
                if state.membership.isEstablished(header.device) { return .everything }
            case .veil, .lift: photos.append(PhotoID(header.subject))
            case .remove, .hide, .unhide, .erase:
                if state.album.isMessage(header.subject) { continue }
                if state.album.isPageSealingSetting(header.subject) || state.isTwinning(header.subject) {
                    return .everything
                }
                guard let remark = state.album.remark(header.subject) else {
                    photos.append(PhotoID(header.subject))
                    continue
                }
                if let photo = remark.photo {
                    photos.append(photo)
                } else if !state.album.isNotice(header.subject) {
                    photos.append(contentsOf: state.album.photos(by: remark.author))
                } else {
                    return .everything
                }
            case .original, .keyRelease, .caption, .comment, .reaction, .answer: photos.append(PhotoID(header.subject))
            case .claim:
                photos.append(PhotoID(header.subject))
                guard state.album.isContested(header.argument, of: author),
                    state.album.isHeld(header.argument, of: author, by: operation.id)
                else { continue }
                // Another photo or a gift has lost the frame.
                guard let others = rivals(for: header.argument, of: author) else { return .everything }
                photos.append(contentsOf: others)
                hasNewQuotas = true
            case .gift:
                guard state.album.isHeld(header.argument, of: author, by: operation.id) else { continue }
                if state.album.isContested(header.argument, of: author) {
                    // Another photo or gift has lost the frame.
                    guard let others = rivals(for: header.argument, of: author) else { return .everything }
                    photos.append(contentsOf: others)
                }
                // Photos of the recipient may have frames now.
                photos.append(contentsOf: state.album.photos(by: AuthorID(header.subject.bytes32)))
                hasNewQuotas = true
            case .name: photos.append(contentsOf: state.album.photos(by: author))
            case .spot, .turn: photos.append(PhotoID(header.subject))
            // A member may sign leaves without end; only the first changes anything.
            case .leave:
                if state.membership.hasLeft(header.device, onlyBy: ids) { return .everything }
            // A vote that was on its way changes the result.
            case .vote:
                if state.isCounted(operation.id) { return .everything }
            case .reveal:
                // Anyone may sign a false one.
                if state.revealID == operation.id { return .everything }
            case .shareRelease:
                if state.isRevealedByShares { return .everything }
            case .approve, .unapprove:
                // All photos of the author may be shown from now on, or wait, unless anybody has signed it.
                let mayCount = state.membership.isEstablished(header.device)
                if mayCount, state.album.approvalRule == .first { return .everything }
                if case .approve(let approved) = operation.content { photos.append(contentsOf: approved) }
                if operation.kind == .unapprove { photos.append(PhotoID(header.subject)) }
            case nil where header.flags.contains(.critical): return .everything
            // Guests are shown no message: `changesMessages`.
            // The photos are among those of `regarded`.
            case .ticketUse: if state.ticket(TicketKey(header.subject.bytes32)) != nil { hasNewQuotas = true }
            case .tickets, .ticketRuling: if state.membership.isEstablished(header.device) { hasNewQuotas = true }
            case .join, .consent, .message, .share, nil: break
            }
        }
        // A decision about one of them may make room for another.
        guard regarded.count <= Self.changedPhotosMax else { return .everything }
        photos.append(contentsOf: regarded.sorted())
        return hasNewQuotas ? .quotas(Array(photos)) : .photos(Array(photos))
    }

    /// The number of photos that are told one by one because of one operation; beyond it, everything is loaded again.
    private static let changedPhotosMax = 256

    private func rivals(for slot: UInt64, of author: AuthorID) -> [PhotoID]? {
        state.album.photos(competingFor: slot, of: author, countMax: Self.changedPhotosMax)
    }

    /// Whether `operations`, which have just entered, are messages to the organizers, or may withdraw some.
    func changesMessages(_ operations: [VerifiedOperation]) -> Bool {
        operations.contains { operation in
            switch operation.kind {
            case .message: true
            // Messages of a device count once it has joined.
            case .join: state.album.hasMessages(of: operation.header.device)
            case .remove, .erase: state.album.isMessage(operation.header.subject)
            default: false
            }
        }
    }
}
