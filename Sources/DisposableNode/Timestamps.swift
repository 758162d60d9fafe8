// SPDX-License-Identifier: Apache-2.0
internal import Foundation

enum Timestamps {
    /// UTC with milliseconds, `2026-11-21T10:30:00.000Z`.
    static func iso8601(_ milliseconds: UInt64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    }
}
