// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import OrderedCollections

/// The time of the reveal. Revealed photos stay revealed, so one machine's clock alone does not decide it.
extension Replica {
    /// The pause between two reminders, and before an author's node opens its own photos: an organizer's node reveals
    /// all with one operation.
    public static let revealNoticeMilliseconds = RevealReminders.pauseMilliseconds

    /// The earliest plausible time, `nil` if no device vouches for it.
    public var corroboratedTime: UInt64? {
        CorroboratedClock.time(own: now.wallClockMilliseconds, standing: standing(of: device), witnesses: witnesses)
    }

    /// The same for acts that a lone machine must never do, whatever its role.
    public var vouchedTime: UInt64? {
        CorroboratedClock.vouched(own: now.wallClockMilliseconds, standing: standing(of: device), witnesses: witnesses)
    }

    private var witnesses: [CorroboratedClock.Witness] {
        peers.values.compactMap { peer in
            guard let device = peer.device, device != self.device, let lead = peer.process.clock?.lead else {
                return nil
            }
            let milliseconds = Int64(clamping: now.milliseconds).addingReportingOverflow(lead).partialValue
            return .init(standing: standing(of: device), milliseconds: UInt64(clamping: milliseconds))
        }
    }

    private func standing(of device: DeviceID) -> CorroboratedClock.Standing {
        let membership = state.membership
        guard let rank = membership.rank(of: device) else { return .member }
        if rank >= .organizer { return .organizer }
        let hasRole =
            rank > .participant || membership.mayServePages(device) || membership.isUnlimited(AuthorID(device))
        return hasRole ? .granted : .member
    }

    /// Notifies the shell when the reveal is due, and again each minute until it has happened.
    mutating func remindOfReveal() {
        if let overdue = status.notices.reveal.poll(wait: waitForReveal, at: now.milliseconds) {
            outputs.append(.changed(.revealDue(overdueMilliseconds: overdue)))
        }
    }

    /// The milliseconds until the reveal, 0 if it is due; `nil` if there is none, or while the time is unknown.
    private var waitForReveal: UInt64? {
        // Nodes that do not know shares wait for a `reveal` of a node that has published one.
        if state.isRevealedByShares { return isAdmitted && state.hasReleased(device) ? 0 : nil }
        guard isAdmitted, let charter = state.charter, charter.revealKey != .zero, !state.isRevealed else { return nil }
        // One organizer can edit the time. Where two have to agree, people decide it at their nodes.
        if charter.seal.shares != nil { return nil }
        let planned: UInt64
        switch charter.reveal {
        // An organizer has set this in the charter, independently of any clock.
        case .now: return 0
        case .atEnd where charter.isClosed: return 0
        case .atEnd, .at: planned = charter.revealsAtMilliseconds ?? .max
        case .byHost, .never: return nil
        }
        guard let time = corroboratedTime else { return nil }
        return planned > time ? planned - time : 0
    }
}
