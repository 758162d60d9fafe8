// SPDX-License-Identifier: Apache-2.0

/// The photos of participants that wait until a moderator approves them.
public enum ApprovalRule: UInt8, CaseIterable, Comparable, Sendable {
    case none = 0
    /// All photos of an author until one of them is approved.
    case first = 1
    case all = 2

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Reads the argument of an `approval` operation. A number of a later version is read as the strictest rule.
    init(argument: UInt64) { self = Self(rawValue: UInt8(clamping: argument)) ?? .all }
}

/// The approval of photos before they are shown (protocol/disposable-v1.md §9.14).
///
/// - The rule in force is the strictest of the organizers' settings that no other one follows.
/// - A moderator's approval counts until a moderator's `unapprove` names it.
/// - With `first`, one approved photo is enough for all photos of its author, also if it is taken away later.
struct Approvals: Equatable, Sendable {
    private struct Setting: Equatable {
        let device: DeviceID
        let rule: ApprovalRule
        /// The settings that its author knew as the latest.
        let follows: Set<OperationID>
    }
    private var settings: [OperationID: Setting] = [:]
    /// The settings of each device: those of devices without a rank cost the derivation nothing.
    private var settingsByDevice: [DeviceID: Set<OperationID>] = [:]
    /// By device, so that reading takes no time for devices without a rank.
    private var approvals: [DeviceID: [PhotoID: Set<OperationID>]] = [:]
    /// Each with the approvals that it names.
    private var withdrawals: [PhotoID: [DeviceID: [OperationID: Set<OperationID>]]] = [:]
    private var hasNewSettings = false

    /// The rule in force.
    private(set) var rule = ApprovalRule.none
    /// The settings that make it so, smallest id first: a new setting follows them.
    private(set) var latest: [OperationID] = []

    mutating func note(_ operation: VerifiedOperation) {
        let (id, header) = (operation.id, operation.header)
        switch operation.content {
        case .approval(let follows):
            settings[id] = Setting(
                device: header.device, rule: ApprovalRule(argument: header.argument), follows: Set(follows))
            settingsByDevice[header.device, default: []].insert(id)
            hasNewSettings = true
        case .approve(let photos):
            for photo in photos { approvals[header.device, default: [:]][photo, default: []].insert(id) }
        case .unapprove(let named):
            withdrawals[PhotoID(header.subject), default: [:]][header.device, default: [:]][id] = Set(named)
        default: break
        }
    }

    /// Recomputes the rule in force after settings were added, or ranks have changed.
    mutating func resolve(_ membership: Membership, hasNewRanks: Bool) {
        guard hasNewSettings || hasNewRanks, !settings.isEmpty else { return }
        hasNewSettings = false
        let counting = membership.everOrganizers.flatMap { device in
            (settingsByDevice[device] ?? []).filter { membership.rank(of: $0, by: device) >= .organizer }
        }
        // Also through settings that do not count: their authors knew what they followed.
        var replaced: Set<OperationID> = []
        var pending = counting.flatMap { settings[$0]?.follows ?? [] }
        while let next = pending.popLast() {
            guard let setting = settings[next], replaced.insert(next).inserted else { continue }
            pending += setting.follows
        }
        latest = counting.filter { !replaced.contains($0) }.sorted()
        rule = latest.compactMap { settings[$0]?.rule }.max() ?? .none
    }

    /// Whether an approval counts that nobody has withdrawn.
    func isApproved(_ photo: PhotoID, _ membership: Membership) -> Bool {
        guard withdrawals[photo] == nil else { return !standing(of: photo, membership).isEmpty }
        return membership.everModerators.contains { device in
            approvals[device]?[photo]?.contains { membership.rank(of: $0, by: device) >= .moderator } == true
        }
    }

    /// Whether a device that has or had a rank has approved the photo.
    func mentions(_ photo: PhotoID, _ membership: Membership) -> Bool {
        !approvals.isEmpty && membership.everModerators.contains { approvals[$0]?[photo] != nil }
    }

    /// Returns the approvals of the photo that count and are not withdrawn, smallest id first: an `unapprove` names
    /// them.
    func standing(of photo: PhotoID, _ membership: Membership) -> [OperationID] {
        let withdrawals = withdrawals[photo] ?? [:]
        var (approved, cancelled): (Set<OperationID>, Set<OperationID>) = ([], [])
        for device in membership.everModerators {
            func isModerators(_ id: OperationID) -> Bool { membership.rank(of: id, by: device) >= .moderator }
            approved.formUnion((approvals[device]?[photo] ?? []).filter(isModerators))
            for (id, named) in withdrawals[device] ?? [:] where isModerators(id) { cancelled.formUnion(named) }
        }
        return approved.subtracting(cancelled).sorted()
    }

    /// Returns the photos that devices with a rank have approved, known or not.
    func approved(_ membership: Membership) -> Set<PhotoID> {
        membership.everModerators.reduce(into: []) { photos, device in
            for photo in (approvals[device] ?? [:]).keys where isApproved(photo, membership) { photos.insert(photo) }
        }
    }
}
