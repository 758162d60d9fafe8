// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Sizes and the like, for people.
package enum Show {
    package static func bytes(_ count: UInt64) -> String {
        switch count {
        case ..<1_000: "\(count) B"
        case ..<1_000_000: "\(count / 1_000) kB"
        case ..<1_000_000_000: String(format: "%.1f MB", Double(count) / 1e6)
        default: String(format: "%.2f GB", Double(count) / 1e9)
        }
    }

    /// Emoji and how many have put them there, the most first.
    package static func reactions(_ counts: [String: Int]) -> String {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }.joined(
            separator: "  ")
    }

    /// A time in this machine's time zone, to the minute: `2026-11-23 18:05`.
    package static func time(_ milliseconds: UInt64) -> String {
        time(Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
    }

    /// The same of a time as scripts get it; a text that is none is shown as it is.
    package static func time(iso8601 text: String) -> String {
        let strategy = Date.ISO8601FormatStyle.iso8601.year().month().day().time(includingFractionalSeconds: true)
        return (try? Date(text, strategy: strategy)).map(time) ?? text
    }

    private static func time(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        return formatter.string(from: date)
    }

    package static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
