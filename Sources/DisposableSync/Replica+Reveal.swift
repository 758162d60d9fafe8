// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import OrderedCollections

/// When sealed photos are to be opened. What is open stays open, so that no machine's clock alone decides it.
extension Replica {
    /// Between two reminders, and before the node of an author opens what it has sealed: an organizer's node does it
    /// with one operation.
    public static let revealNoticeMilliseconds: UInt64 = 60_000

    /// What time it is at the earliest, `nil` where nobody vouches for it.
    public var corroboratedTime: UInt64? {
        CorroboratedClock.time(own: now.wallClockMilliseconds, standing: standing(of: device), witnesses: witnesses)
    }

    /// The same for what a lone machine must never do, whosever it is.
    public var vouchedTime: UInt64? {
        CorroboratedClock.vouched(own: now.wallClockMilliseconds, standing: standing(of: device), witnesses: witnesses)
    }

    private var witnesses: [CorroboratedClock.Witness] {
        peers.values.compactMap { peer in
            guard let device = peer.device, device != self.device, let lead = peer.wallClockLead else { return nil }
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

    /// Tells the shell when the time for opening has come, and again each minute until they are open.
    mutating func noteReveal() {
        revealDueAt = nil
        guard isAdmitted, let charter = state.charter, charter.revealKey != .zero, !state.isRevealed,
            let wait = waitForReveal(charter)
        else {
            revealOverdueSince = nil
            return
        }
        guard wait == 0 else {
            // Who vouches for the time may go meanwhile, and then it is looked at anew.
            revealDueAt = now.milliseconds + min(wait, Self.revealNoticeMilliseconds)
            return
        }
        let since = revealOverdueSince ?? now.milliseconds
        if revealOverdueSince == nil || now.milliseconds >= revealNoticeAt {
            outputs.append(.changed(.revealDue(overdueMilliseconds: now.milliseconds(since: since))))
            revealNoticeAt = now.milliseconds + Self.revealNoticeMilliseconds
        }
        revealOverdueSince = since
        revealDueAt = revealNoticeAt
    }

    /// Milliseconds until photos are to be opened, 0 when they are; `nil` while nobody can tell.
    private func waitForReveal(_ charter: Charter) -> UInt64? {
        let planned: UInt64
        switch charter.reveal {
        // An organizer has said so in the charter, which no clock has a part in.
        case .now: return 0
        case .atEnd where charter.isClosed: return 0
        case .atEnd, .at: planned = charter.revealsAtMilliseconds ?? .max
        case .byHost, .never: return nil
        }
        guard let time = corroboratedTime else { return nil }
        return planned > time ? planned - time : 0
    }
}
