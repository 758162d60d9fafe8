// SPDX-License-Identifier: Apache-2.0

/// The times within which photos count, and the frames of each day (protocol/disposable-v1.md §9.15).
extension Charter {
    /// The difference between clocks for which the fold allows, and the time in which a transfer that began before the
    /// end may finish, in milliseconds.
    public static let toleranceMilliseconds = CorroboratedClock.toleranceMilliseconds
    static let dayMilliseconds: UInt64 = 86_400_000

    /// The end, planned or by an organizer's command.
    public var overAtMilliseconds: UInt64 {
        isClosed ? min(endsAtMilliseconds, closedAtMilliseconds ?? .max) : endsAtMilliseconds
    }

    /// When the last photo is accepted; `nil` if photos of any time are.
    public var acceptsUntilMilliseconds: UInt64? {
        schedule.lateness.map { overAtMilliseconds + UInt64($0.minutes) * 60_000 }
    }

    /// Returns why a photo of this time does not count; `nil` if it counts.
    /// - Parameters:
    ///   - milliseconds: the time of the photo, since 1970 UTC.
    ///   - tolerance: how far outside of the event the time may be, in milliseconds.
    public func untimeliness(at milliseconds: UInt64, tolerance: UInt64 = 0) -> Untimeliness? {
        guard let last = acceptsUntilMilliseconds else { return nil }
        if !isOpened || milliseconds + tolerance < schedule.startsAtMilliseconds { return .early }
        return milliseconds > last + tolerance ? .late : nil
    }

    /// Returns the frames of a guest's quota for a photo of this time: those of all days that have begun, or of the
    /// event. `nil` without a limit.
    public func frames(at milliseconds: UInt64) -> UInt64? {
        guard frames > 0 else { return nil }
        guard areFramesDaily else { return UInt64(frames) }
        let elapsed = milliseconds - min(milliseconds, schedule.startsAtMilliseconds)
        let dayCount = max(1, (UInt64(schedule.durationHours) + 23) / 24)
        return UInt64(frames) * min(elapsed / Self.dayMilliseconds + 1, dayCount)
    }

    /// The frames of each guest if there is one limit for the whole event; `nil` where gifts of frames have no effect.
    var framesForGifts: UInt64? { frames > 0 && !areFramesDaily ? UInt64(frames) : nil }

    /// The frames of the last day.
    public var framesInAll: UInt64? { frames(at: endsAtMilliseconds) }

    /// Deletes the event, as far as edits can: it is over, and so is its retention, each after an hour at least.
    /// - Parameter milliseconds: the present time, since 1970 UTC.
    public mutating func delete(at milliseconds: UInt64) {
        let least: UInt64 = 2 * 3_600_000
        schedule.startsOnOpening = false
        schedule.startsAtMilliseconds = min(schedule.startsAtMilliseconds, milliseconds - min(milliseconds, least))
        (schedule.durationHours, schedule.retentionHours) = (1, 1)
        isClosed = true
    }

    // Drafts without a start

    /// Whether the event is a draft that begins when it is opened: it is never over, whatever its nominal start.
    public var isUndatedDraft: Bool { schedule.startsOnOpening && !isOpened }

    /// The time at which a draft that nobody opens counts as over: a year after its nominal start.
    var undatedEndMilliseconds: UInt64 { schedule.startsAtMilliseconds + 8_784 * 3_600_000 }
}
