// SPDX-License-Identifier: Apache-2.0

/// The reminders of a due reveal: one when it is due, and one each minute until it has happened.
///
/// The wait may grow again, since the devices that vouch for the time may disconnect. A reveal that was due once stays
/// overdue since then, until there is none to wait for.
package struct RevealReminders {
    /// The time between two reminders, and the longest until the wait is computed again.
    package static let pauseMilliseconds: UInt64 = 60_000

    package private(set) var nextDeadline: UInt64?
    private var overdueSince: UInt64?
    private var remindsAt: UInt64 = 0

    package init() {}

    /// - Parameter wait: milliseconds until the reveal, 0 if it is due; `nil` if there is none, or the time is unknown.
    /// Returns the milliseconds for which the reveal has been overdue if a reminder is due.
    package mutating func poll(wait: UInt64?, at now: UInt64) -> UInt64? {
        nextDeadline = nil
        guard let wait else {
            overdueSince = nil
            return nil
        }
        guard wait == 0 else {
            nextDeadline = now + min(wait, Self.pauseMilliseconds)
            return nil
        }
        let isDue = overdueSince == nil || now >= remindsAt
        let since = overdueSince ?? now
        overdueSince = since
        if isDue { remindsAt = now + Self.pauseMilliseconds }
        nextDeadline = remindsAt
        return isDue ? max(now, since) - since : nil
    }
}
