// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// Moderation actions: checked here by the same rules as on all nodes, so that no operation is signed that does not
/// count.
extension Replica {
    /// Signs the operations of a moderation action: one, or several for revocations.
    func sign(
        _ ruling: Ruling, by device: DeviceID, salt: [UInt8], with signer: inout ChainSigner
    ) throws(Refusal) {
        let rank = state.membership.rank(of: device) ?? .participant
        let draft: Draft
        switch ruling {
        case .grant(let role, let grantee, let revealKey):
            draft = try grant(of: role, to: grantee, revealKey: revealKey, rank, salt: salt)
        case .revoke(let role, let grantee, let withAdmitted, let everything):
            for revocation in try revocations(
                of: role, grantee, withAdmitted: withAdmitted, everything: everything, by: device)
            {
                try sign(revocation, of: role, salt: salt, with: &signer)
            }
            return
        case .hide(let photo):
            try check(rank, atLeast: .moderator, about: photo)
            // A hide does not withdraw a message to the organizers.
            guard !state.album.isHidden(photo), !state.album.isMessage(photo.operationID) else { throw .nothingToDo }
            draft = Draft(kind: .hide, subject: photo.operationID)
        case .unhide(let photo):
            try check(rank, atLeast: .moderator, about: photo)
            let hides = state.album.hides(of: photo)
            guard !hides.isEmpty else { throw .nothingToDo }
            let body = OperationBody.encode(
                .unhide(hides: Array(hides.prefix(Limits.namedOperationsMax))), salt: salt)
            draft = Draft(kind: .unhide, subject: photo.operationID, body: body)
        case .erase(let photo):
            try check(rank, atLeast: .organizer, about: photo)
            guard !state.album.isErased(photo) else { throw .nothingToDo }
            draft = Draft(kind: .erase, subject: photo.operationID)
        case .approval(let rule): return try sign(rule, rank, salt: salt, with: &signer)
        case .approve(let photos): return try signApproval(of: photos, rank, salt: salt, with: &signer)
        case .unapprove(let photo): return try signWithdrawal(ofApproval: photo, rank, salt: salt, with: &signer)
        case .veils(let isOn): return try sign(veils: isOn, rank, with: &signer)
        case .pageSealing(let isOn): return try sign(pageSealing: isOn, rank, with: &signer)
        case .lift(let photos): return try sign(liftsOf: photos, rank, with: &signer)
        case .unlift(let photo): return try signWithdrawal(ofLifts: photo, rank, with: &signer)
        case .cancelTicket(let ticket): draft = try cancellation(of: ticket, rank)
        case .openVote(let ballot): draft = try openVote(ballot, by: device, rank, salt)
        case .closeVote(let ballot, let secret): draft = try closeVote(ballot, secret: secret, rank, salt)
        case .frames(let count, let author): draft = try frames(count, to: author, by: device)
        case .twin(let twinning): return try sign(twinning, by: device, rank, salt: salt, with: &signer)
        case .untwin(let event): return try sign(endOfTwin: event, rank, with: &signer)
        }
        _ = try signer.sign(draft)
    }

    /// A grantee that is removed or loses a role, with all heads to leave, which may be more than fit.
    struct RevocationDraft {
        let grantee: Grantee
        let heads: [OperationID]
        let isDiscarding: Bool
    }

    /// Signs a revocation, and before it lists if it leaves more heads than it can name.
    private func sign(
        _ revocation: RevocationDraft, of role: Role, salt: [UInt8], with signer: inout ChainSigner
    ) throws(Refusal) {
        var heads = Array(revocation.heads.prefix(Limits.headsMax * Limits.headsMax))
        if heads.count > Limits.headsMax {
            var lists: [OperationID] = []
            for start in stride(from: 0, to: heads.count, by: Limits.headsMax) {
                let part = Array(heads[start..<min(start + Limits.headsMax, heads.count)])
                let body = OperationBody.encode(.list(part), salt: salt)
                lists.append(try signer.sign(Draft(kind: .list, body: body)).id)
            }
            heads = lists
        }
        let body = OperationBody.encode(.revocation(heads: heads), salt: salt)
        let subject = OperationID(revocation.grantee)
        _ = try signer.sign(
            role == .participant
                ? Draft(
                    kind: .revokeDevice, subject: subject,
                    argument: revocation.isDiscarding ? Membership.discardArgument : 0, body: body)
                : Draft(kind: .revokeRole, subject: subject, argument: UInt64(role.rawValue), body: body))
    }

    private func grant(
        of role: Role, to grantee: Grantee, revealKey: [UInt8], _ rank: Rank, salt: [UInt8]
    ) throws(Refusal) -> Draft {
        guard rank >= role.grantedBy else { throw .rankTooLow(needed: role.grantedBy) }
        let cancelled = state.membership.revocations(of: grantee).filter {
            $0.counts && ($0.role == role || ($0.role == nil && role == .participant))
        }
        guard !cancelled.isEmpty || !state.membership.holds(role, grantee),
            role != .participant || !cancelled.isEmpty
        else { throw .nothingToDo }
        for revocation in cancelled {
            let needed = state.membership.rank(of: revocation.id, by: revocation.signer)
            guard rank >= needed else { throw .rankTooLow(needed: needed) }
        }
        let body = OperationBody.encode(
            .grant(cancels: cancelled.prefix(Limits.namedOperationsMax).map(\.id), revealKey: revealKey), salt: salt)
        return Draft(kind: .grant, subject: OperationID(grantee), argument: UInt64(role.rawValue), body: body)
    }

    /// Returns the revocations of a moderation action that would change something, the grantee's own first.
    func revocations(
        of role: Role, _ grantee: Grantee, withAdmitted: Bool, everything: Bool, by device: DeviceID
    ) throws(Refusal) -> [RevocationDraft] {
        let rank = state.membership.rank(of: device) ?? .participant
        let target = state.membership.rank(of: DeviceID(grantee)) ?? .participant
        let needed = max(role.grantedBy, Rank(rawValue: target.rawValue + 1) ?? .eventKey)
        guard rank >= needed, rank > target else { throw .rankTooLow(needed: needed) }
        var grantees = [grantee]
        if withAdmitted, role == .participant {
            // All of them are participants.
            grantees += state.membership.devices(admittedOnlyBy: grantee, except: self.device).map(\.bytes32)
        }
        let isDiscarding = everything && role == .participant
        let heads = state.membership.heads(leaving: grantees, isDiscarding: isDiscarding)
        let revocations = zip(grantees, heads).map {
            RevocationDraft(grantee: $0, heads: $1, isDiscarding: isDiscarding)
        }.filter { state.membership.holds(role, $0.grantee) || changesMoreNow($0, role, by: device) }
        guard !revocations.isEmpty else { throw .nothingToDo }
        return revocations
    }

    /// Whether a repeated revocation by this device would leave more, as operations have arrived that were signed
    /// before the first; or would discard what the first left, or the other way round.
    private func changesMoreNow(_ draft: RevocationDraft, _ role: Role, by device: DeviceID) -> Bool {
        let earlier = state.membership.revocations(of: draft.grantee).filter {
            $0.counts && $0.signer == device && $0.role == (role == .participant ? nil : role)
        }
        guard let earlier = earlier.first else { return false }
        return earlier.isDiscarding != draft.isDiscarding
            || draft.heads.contains { !state.membership.leaves($0, earlier.id) }
    }

    private func check(_ rank: Rank, atLeast needed: Rank, about photo: PhotoID) throws(Refusal) {
        guard rank >= needed else { throw .rankTooLow(needed: needed) }
        guard state.photo(photo) != nil || state.album.remark(photo.operationID) != nil else {
            throw .unknownPhoto(photo.short)
        }
    }
}
