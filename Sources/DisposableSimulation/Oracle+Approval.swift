// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel

/// The rules of approval once more.
extension Oracle {
    /// The rule in force: the strictest setting that counts and that no other one which counts follows, near or far.
    var approvalRule: ApprovalRule {
        let counting = operations.filter { $0.kind == .approval && rank(ofAct: $0) >= .organizer }
        let latest = counting.filter { setting in !counting.contains { follows($0, setting.id) } }
        let words = latest.map { [ApprovalRule.none, .first, .all][Int(min($0.header.argument, 2))] }
        return words.contains(.all) ? .all : words.contains(.first) ? .first : .none
    }

    private func follows(_ later: VerifiedOperation, _ earlier: OperationID) -> Bool {
        guard case .approval(let named)? = later.content else { return false }
        return named.contains(earlier)
            || operations.contains { $0.kind == .approval && named.contains($0.id) && follows($0, earlier) }
    }

    func isApproved(_ photo: VerifiedOperation) -> Bool {
        operations.contains { approval in
            guard case .approve(let photos)? = approval.content, photos.contains(PhotoID(photo.id)) else {
                return false
            }
            return rank(ofAct: approval) >= .moderator && !isWithdrawn(approval: approval.id, of: photo.id)
        }
    }

    private func isWithdrawn(approval: OperationID, of photo: OperationID) -> Bool {
        operations.contains { withdrawal in
            guard case .unapprove(let named)? = withdrawal.content, named.contains(approval) else { return false }
            return withdrawal.header.subject == photo && rank(ofAct: withdrawal) >= .moderator
        }
    }

    /// Whether the photo, which counts, waits for approval if it has a frame.
    func needsApproval(_ photo: VerifiedOperation, under rule: ApprovalRule) -> Bool {
        guard rule != .none, rank(ofAct: photo) < .moderator, !isUnlimited(author(of: photo)), !isApproved(photo) else {
            return false
        }
        let isTrusted = operations.contains {
            $0.kind == .photo && counts($0) && author(of: $0) == author(of: photo) && isApproved($0)
        }
        return rule == .all || !isTrusted
    }
}
