// SPDX-License-Identifier: Apache-2.0

/// Photos that wait for a moderator: those to be approved (§9.14), and those that
/// a guest asks to have veiled (§9.20).
extension Album {
    /// The rule in force, and the settings that make it so: a new one follows them.
    public var approvalRule: ApprovalRule { approvals.rule }
    public var approvalSettings: [OperationID] { approvals.latest }

    /// Whether the photo waits for a moderator's approval, if it has a frame.
    func needsApproval(_ photo: PhotoID, by author: AuthorID) -> Bool {
        needsApproval(photo, by: author, under: approvals.rule)
    }

    private func needsApproval(_ photo: PhotoID, by author: AuthorID, under rule: ApprovalRule) -> Bool {
        guard rule != .none, let device = device(of: photo), !isModerators(photo.operationID, by: device),
            !base.membership.isUnlimited(author), !approvals.isApproved(photo, base.membership)
        else { return false }
        return rule == .all || !trusted.contains(author)
    }

    private func isModerators(_ operation: OperationID, by device: DeviceID) -> Bool {
        base.membership.rank(of: operation, by: device) >= .moderator
    }

    /// Whether the photo would wait for approval if this rule were in force.
    public func wouldWait(_ photo: PhotoID, under rule: ApprovalRule) -> Bool {
        author(of: photo).map { needsApproval(photo, by: $0, under: rule) } ?? false
    }

    /// Whether a photo that this author adds now, without the rank of a moderator, waits for approval.
    public func holdsNewPhotos(by author: AuthorID) -> Bool {
        approvals.rule != .none && !base.membership.isUnlimited(author)
            && (approvals.rule == .all || !trusted.contains(author))
    }

    /// Whether a moderator has approved the photo, needed or not.
    public func isApproved(_ photo: PhotoID) -> Bool { approvals.isApproved(photo, base.membership) }

    /// Returns the approvals of the photo that count, smallest id first: an `unapprove` must name them.
    public func approvals(of photo: PhotoID) -> [OperationID] { approvals.standing(of: photo, base.membership) }

    // Veils

    /// Whether guests can have photos veiled.
    public var areVeilsOn: Bool { veils.isOn(base) }

    /// Returns the settings that make it so, and the lifts of a photo, smallest id first: an erase, or a hide, names
    /// one.
    public var veilings: [OperationID] { veils.standingSwitches(base) }
    public func lifts(of photo: PhotoID) -> [OperationID] { veils.standingLifts(of: photo, base) }

    /// Returns the author's veils of the photo that were not withdrawn, smallest id first.
    public func veils(of photo: PhotoID, by author: AuthorID) -> [OperationID] {
        veils.veils(of: photo, by: author, base)
    }

    /// Returns the limit that keeps one more veil by this device from counting: `.usedUp`, `.full` or `nil`.
    public func veilLimit(reachedBy device: DeviceID) -> VeilRefusal? {
        if veils.count(by: base.membership.author(of: device)) >= Veils.perAuthorMax { return .usedUp }
        if veils.isUsedUp(by: device) { return .usedUp }
        return veils.count(inTree: base.membership.sponsorTree(of: device)) < Veils.perTreeMax ? nil : .full
    }

    /// The photos that are veiled, if they have a frame and do not wait for approval.
    public var veiledPhotos: Set<PhotoID> { veils.veiled(base) }

    /// Returns the devices of the photo's veils that are within the limits: one for each author.
    public func veilRequesters(of photo: PhotoID) -> Set<DeviceID> { veils.requesters(of: photo) }

    /// Whether a remove, hide, unhide or erase may count now: a moderator's, or a remove by its subject's author. Any
    /// other may count only after a change of ranks or authors, after which the veils are derived again.
    func mayTakeAway(_ operation: VerifiedOperation) -> Bool {
        let header = operation.header
        guard operation.kind == .remove else { return base.membership.everModerators.contains(header.device) }
        guard let subject = base.membership.chains[header.subject] else { return false }
        return base.membership.author(of: subject.device) == base.membership.author(of: header.device)
    }
}
