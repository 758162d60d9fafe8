// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// Approval of photos before they are shown: checked here by the same rules as on all nodes.
extension Replica {
    /// Signs a new approval rule. Photos that are shown now stay shown: those that would wait under it are approved
    /// first.
    func sign(
        _ rule: ApprovalRule, _ rank: Rank, salt: [UInt8], with signer: inout ChainSigner
    ) throws(Refusal) {
        guard rank >= .organizer else { throw .rankTooLow(needed: .organizer) }
        guard state.album.approvalRule != rule else { throw .nothingToDo }
        let shown = state.gallery.map(\.id).filter { state.album.wouldWait($0, under: rule) }
        try approve(shown, salt: salt, with: &signer)
        _ = try signer.sign(
            Draft(approval: rule, follows: state.album.approvalSettings, salt: salt))
    }

    /// Signs the approval of those photos that are not approved yet.
    func signApproval(
        of photos: [PhotoID], _ rank: Rank, salt: [UInt8], with signer: inout ChainSigner
    ) throws(Refusal) {
        guard rank >= .moderator else { throw .rankTooLow(needed: .moderator) }
        for photo in photos where state.photo(photo) == nil { throw .unknownPhoto(photo.short) }
        let unapproved = photos.filter { !state.album.isApproved($0) }
        guard !unapproved.isEmpty else { throw .nothingToDo }
        try approve(unapproved, salt: salt, with: &signer)
    }

    /// Signs the withdrawal of all known approvals of the photo.
    func signWithdrawal(
        ofApproval photo: PhotoID, _ rank: Rank, salt: [UInt8], with signer: inout ChainSigner
    ) throws(Refusal) {
        guard rank >= .moderator else { throw .rankTooLow(needed: .moderator) }
        guard state.photo(photo) != nil else { throw .unknownPhoto(photo.short) }
        let approvals = state.album.approvals(of: photo).prefix(Limits.namedOperationsMax)
        guard !approvals.isEmpty else { throw .nothingToDo }
        let body = OperationBody.encode(.unapprove(approvals: Array(approvals)), salt: salt)
        _ = try signer.sign(Draft(kind: .unapprove, subject: photo.operationID, body: body))
    }

    private func approve(
        _ photos: [PhotoID], salt: [UInt8], with signer: inout ChainSigner
    ) throws(Refusal) {
        for start in stride(from: 0, to: photos.count, by: Limits.namedOperationsMax) {
            let part = Array(photos[start..<min(start + Limits.namedOperationsMax, photos.count)])
            _ = try signer.sign(Draft(kind: .approve, body: OperationBody.encode(.approve(part), salt: salt)))
        }
    }
}

extension Draft {
    /// A setting of the approval rule that replaces those that it follows.
    init(approval rule: ApprovalRule, follows: [OperationID], salt: [UInt8]) {
        let named = Array(follows.prefix(Limits.namedOperationsMax))
        self.init(
            kind: .approval, argument: UInt64(rule.rawValue),
            body: OperationBody.encode(.approval(follows: named), salt: salt))
    }
}
