// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableNode
import Foundation

/// `FILE=21:14:05`, or `FILE=2026-11-26T21:14:05` by this machine's time zone.
struct CameraClockOption: ExpressibleByArgument {
    let clock: CameraClock

    init?(argument: String) {
        guard let sign = argument.lastIndex(of: "="), sign > argument.startIndex,
            let time = Self.time(String(argument[argument.index(after: sign)...]), now: Date()),
            let milliseconds = UInt64(exactly: (time.timeIntervalSince1970 * 1_000).rounded())
        else { return nil }
        clock = CameraClock(
            photo: URL(fileURLWithPath: String(argument[..<sign])).path, shownAt: milliseconds)
    }

    /// Without a date it is the last time that clocks showed this.
    static func time(_ text: String, now: Date, calendar: Calendar = .current) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = calendar.timeZone
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss"
        if let time = formatter.date(from: text) { return time }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second),
            let today = calendar.date(bySettingHour: hour, minute: minute, second: second, of: now)
        else { return nil }
        // The two clocks may differ a little.
        return today <= now.addingTimeInterval(60) ? today : calendar.date(byAdding: .day, value: -1, to: today)
    }
}
