// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import Foundation

/// An event as a file for calendars (iCalendar, RFC 5545).
struct CalendarFile {
    let event: EventID
    let card: EventCard

    var text: String {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Disposable//Board//EN", "BEGIN:VEVENT",
            "UID:\(event)@disposable", "DTSTAMP:\(Self.time(card.revisedAtMilliseconds))",
            "DTSTART:\(Self.time(card.startsAtMilliseconds))", "DTEND:\(Self.time(card.endsAtMilliseconds))",
            "SUMMARY:\(Self.escaped(card.name))",
        ]
        if !card.place.isEmpty { lines.append("LOCATION:\(Self.escaped(card.place))") }
        if let position = card.position {
            lines.append("GEO:\(position.written.replacing(", ", with: ";"))")
        }
        let about = [card.organizer, card.details, card.contact] + card.links.map(\.address)
        let description = about.filter { !$0.isEmpty }.joined(separator: "\n")
        if !description.isEmpty { lines.append("DESCRIPTION:\(Self.escaped(description))") }
        lines += ["END:VEVENT", "END:VCALENDAR"]
        return lines.map { Self.folded($0) + "\r\n" }.joined()
    }

    /// A time in UTC, as 20261224T180000Z.
    private static func time(_ milliseconds: UInt64) -> String {
        let date = Date(timeIntervalSince1970: Double(milliseconds / 1_000))
        return date.formatted(
            Date.ISO8601FormatStyle(dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted))
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += "\\" + String(scalar)
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Folds a line into pieces of at most 75 bytes; the next begins with a space (§3.1).
    private static func folded(_ line: String) -> String {
        var folded = ""
        var count = 0
        for scalar in line.unicodeScalars {
            let length = UTF8.width(scalar)
            if count + length > 75 {
                folded += "\r\n "
                count = 1
            }
            folded.unicodeScalars.append(scalar)
            count += length
        }
        return folded
    }
}
