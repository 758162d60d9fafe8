// SPDX-License-Identifier: Apache-2.0

/// The moments of an event: a function of its charter, and of the first charter's salt.
public struct Moments: Equatable, Sendable {
    public let hours: MomentHours
    public let keys: MomentKeys
    /// The moments that take place, earliest first; at most one a day.
    public let all: [Moment]

    /// `nil` if the event has no moments.
    /// - Parameters:
    ///   - charter: with the hours of moments.
    ///   - keys: derived only if there are moments, since that takes longer than anything else here.
    public init?(_ charter: Charter, keys: @autoclosure () -> MomentKeys) {
        guard let hours = charter.schedule.moments, charter.isOpened else { return nil }
        let keys = keys()
        self.hours = hours
        self.keys = keys
        all = charter.dayRanges.compactMap { day, range in
            let minutes = Self.minutes(in: range, of: hours)
            guard let index = keys.index(of: day, among: minutes.count) else { return nil }
            let moment = Moment(day: day, startsAtMilliseconds: minutes[index] * 60_000)
            return moment.startsAtMilliseconds < charter.overAtMilliseconds ? moment : nil
        }
    }

    /// Returns the minutes, counted from 1970 UTC, with which a moment can begin that ends within the range.
    private static func minutes(in range: Range<UInt64>, of hours: MomentHours) -> [UInt64] {
        guard range.count >= Moment.milliseconds else { return [] }
        let (first, end) = ((range.lowerBound + 59_999) / 60_000, (range.upperBound - Moment.milliseconds) / 60_000 + 1)
        return first < end ? (first..<end).filter(hours.contains) : []
    }

    /// Whether a machine's clock can be right: it is not before the event's creation, and does not contradict the
    /// corroborated time. A link that a wrong clock publishes too early stays known.
    public static func isClockSet(_ own: UInt64, foundedAt: UInt64?, corroborated: UInt64?) -> Bool {
        let tolerance = CorroboratedClock.toleranceMilliseconds
        guard let foundedAt, own + tolerance >= foundedAt else { return false }
        guard let corroborated else { return true }
        return max(own, corroborated) - min(own, corroborated) <= tolerance
    }

    /// The moment that runs at this time.
    public func running(at milliseconds: UInt64) -> Moment? {
        all.last { $0.isLate(at: milliseconds) == false }
    }

    /// The moments that have ended at this time, earliest first.
    public func past(at milliseconds: UInt64) -> [Moment] { all.filter { $0.endsAtMilliseconds <= milliseconds } }

    /// Returns the moment to which a photo of this time belongs; of two the later one.
    public func verdict(at milliseconds: UInt64) -> MomentVerdict? {
        for moment in all.reversed() {
            if let isLate = moment.isLate(at: milliseconds) { return MomentVerdict(day: moment.day, isLate: isLate) }
        }
        return nil
    }
}

extension Charter {
    /// The days of the event, as R-61 counts them, with their times in milliseconds since 1970 UTC.
    var dayRanges: [(day: UInt32, range: Range<UInt64>)] {
        (1...max(1, (schedule.durationHours + 23) / 24)).map { day in
            let start = schedule.startsAtMilliseconds + UInt64(day - 1) * Self.dayMilliseconds
            return (day, start..<min(start + Self.dayMilliseconds, endsAtMilliseconds))
        }
    }
}
