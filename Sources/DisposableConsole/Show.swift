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

    /// A time in this machine's time zone, to the minute.
    package static func time(_ milliseconds: UInt64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(date: .abbreviated, time: .shortened)
    }

    package static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
