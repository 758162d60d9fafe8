// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// What is said with a rank: checked here as all nodes will check it, so that nobody states what counts for nothing.
extension Replica {
    /// Signs what the ruling takes: one operation, or, for a revocation that leaves more than it can name, lists before
    /// it.
    func sign(
        _ ruling: Ruling, by device: DeviceID, salt: [UInt8], with signer: inout ChainSigner
    ) throws(AuthoringError) {
        var draft = try draft(for: ruling, by: device, salt: salt)
        guard case .revoke(_, let grantee) = ruling else {
            _ = try signer.sign(draft)
            return
        }
        var heads = Array(state.membership.heads(leaving: grantee).prefix(Limits.headsMax * Limits.headsMax))
        if heads.count > Limits.headsMax {
            var lists: [OperationID] = []
            for start in stride(from: 0, to: heads.count, by: Limits.headsMax) {
                let part = Array(heads[start..<min(start + Limits.headsMax, heads.count)])
                let body = OperationBody.encode(.list(part), salt: salt)
                lists.append(try signer.sign(Draft(kind: .list, body: body)).id)
            }
            heads = lists
        }
        draft.body = OperationBody.encode(.revocation(heads: heads), salt: salt)
        _ = try signer.sign(draft)
    }

    private func draft(for ruling: Ruling, by device: DeviceID, salt: [UInt8]) throws(AuthoringError) -> Draft {
        let rank = state.membership.rank(of: device) ?? .participant
        switch ruling {
        case .grant(let role, let grantee, let revealKey):
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
                .grant(cancels: cancelled.prefix(Limits.namedOperationsMax).map(\.id), revealKey: revealKey), salt: salt
            )
            return Draft(
                kind: .grant, subject: OperationID(grantee), argument: UInt64(role.rawValue), body: body)
        case .revoke(let role, let grantee):
            let target = state.membership.rank(of: DeviceID(grantee)) ?? .participant
            let needed = max(role.grantedBy, Rank(rawValue: target.rawValue + 1) ?? .eventKey)
            guard rank >= needed, rank > target else { throw .rankTooLow(needed: needed) }
            guard state.membership.holds(role, grantee) || leavesMoreNow(role, grantee, by: device) else {
                throw .nothingToDo
            }
            // Its heads follow (`sign`).
            return role == .participant
                ? Draft(kind: .revokeDevice, subject: OperationID(grantee))
                : Draft(kind: .revokeRole, subject: OperationID(grantee), argument: UInt64(role.rawValue))
        case .hide(let photo):
            try check(rank, atLeast: .moderator, about: photo)
            guard !state.album.isHidden(photo) else { throw .nothingToDo }
            return Draft(kind: .hide, subject: photo.operationID)
        case .unhide(let photo):
            try check(rank, atLeast: .moderator, about: photo)
            let hides = state.album.hides(of: photo)
            guard !hides.isEmpty else { throw .nothingToDo }
            let body = OperationBody.encode(
                .unhide(hides: Array(hides.prefix(Limits.namedOperationsMax))), salt: salt)
            return Draft(kind: .unhide, subject: photo.operationID, body: body)
        case .erase(let photo):
            try check(rank, atLeast: .organizer, about: photo)
            guard !state.album.isErased(photo) else { throw .nothingToDo }
            return Draft(kind: .erase, subject: photo.operationID)
        case .frames(let count, let author): return try frames(count, to: author, by: device)
        }
    }

    /// Whether this device has taken the role away already, and would leave more if it did so again: operations have
    /// come since that were stated before.
    private func leavesMoreNow(_ role: Role, _ grantee: Grantee, by device: DeviceID) -> Bool {
        let earlier = state.membership.revocations(of: grantee).filter {
            $0.counts && $0.signer == device && $0.role == (role == .participant ? nil : role)
        }
        guard let earlier = earlier.first else { return false }
        return state.membership.heads(leaving: grantee).contains { !state.membership.leaves($0, earlier.id) }
    }

    private func check(_ rank: Rank, atLeast needed: Rank, about photo: PhotoID) throws(AuthoringError) {
        guard rank >= needed else { throw .rankTooLow(needed: needed) }
        guard state.photo(photo) != nil || state.album.remark(photo.operationID) != nil else {
            throw .unknownPhoto(photo)
        }
    }
}
