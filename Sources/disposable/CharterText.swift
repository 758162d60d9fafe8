// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode
import Foundation

/// Parses texts for a charter's fields. Errors describe the problem and the expected form.
enum CharterText {
    /// Returns milliseconds since 1970 UTC.
    static func time(_ text: String) throws -> UInt64 { try time(text, now: Date()) }

    static func time(_ text: String, now: Date) throws -> UInt64 {
        guard text != "now" else { return milliseconds(now) ?? 0 }
        var text = text.replacing("T", with: " ", maxReplacements: 1)
        for (word, days) in [("today", 0), ("tomorrow", 1)] where text.hasPrefix(word) {
            guard let day = Calendar.current.date(byAdding: .day, value: days, to: now) else { continue }
            text = formatter("yyyy-MM-dd").string(from: day) + text.dropFirst(word.count)
        }
        for format in [
            "yyyy-MM-dd HH:mm", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd", "yyyy-MM-dd HH:mmXXXXX",
            "yyyy-MM-dd HH:mm:ssXXXXX",
        ] {
            if let date = formatter(format).date(from: text), let milliseconds = milliseconds(date) {
                return milliseconds
            }
        }
        throw ValidationError(
            "write a day and a time as 2026-12-24T18:00 or \"tomorrow 18:00\", in this machine's time "
                + "zone; for another zone as 2026-12-24T18:00+01:00")
    }

    static func hours(_ text: String) throws -> UInt32 {
        let number = Int(text.dropLast())
        let count: Int? =
            switch text.last {
            case "h": number
            case "d": number.map { $0.multipliedReportingOverflow(by: 24).partialValue }
            default: nil
            }
        guard let count, number == count || text.last == "d", Charter.durationHoursRange.contains(count) else {
            throw ValidationError("write hours as 12h or days as 8d, from 1h to 30d")
        }
        return UInt32(count)
    }

    static let categories = EventCategory.allCases.map(\.rawValue).joined(separator: ", ")

    /// Returns the word of a kind of event; empty for `none`.
    static func category(_ text: String) throws -> String {
        if text == "none" { return "" }
        let word = text.lowercased()
        guard EventCategory(rawValue: word) == nil else { return word }
        let meant = Misspelling.nearest(to: word, of: EventCategory.allCases.map(\.rawValue))
        throw ValidationError(
            "\(meant.map { "did you mean \($0)? " } ?? "")The kinds are \(categories); none removes it")
    }

    struct Roll: Sendable {
        /// 0 for no limit.
        let count: UInt32
        let isDaily: Bool
    }

    static func roll(_ text: String) throws -> Roll {
        guard text.hasSuffix("/day") else { return Roll(count: try frames(text), isDaily: false) }
        let count = String(text.dropLast(4))
        guard count != "unlimited" else { throw ValidationError("write a number for each day as 24/day, or unlimited") }
        return Roll(count: try frames(count), isDaily: true)
    }

    struct Late: Sendable {
        /// `nil` for photos of any time.
        let minutes: UInt32?

        func apply(to schedule: inout EventParameters.Schedule) {
            schedule.acceptsAnyTime = minutes == nil
            schedule.lateMinutes = minutes
        }
    }

    static func late(_ text: String) throws -> Late {
        switch text {
        case "any": return Late(minutes: nil)
        case "none", "0": return Late(minutes: 0)
        default:
            let units: [Character: UInt32] = ["m": 1, "h": 60, "d": 1_440]
            guard let unit = text.last.flatMap({ units[$0] }), let number = UInt32(text.dropLast()),
                case let (minutes, isTooLarge) = number.multipliedReportingOverflow(by: unit), !isTooLarge,
                minutes <= Lateness.minutesMax
            else { throw ValidationError("write none, any, or a time of at most 30 days as 30m, 2h or 1d") }
            return Late(minutes: minutes)
        }
    }

    /// Returns equal minutes for `none`.
    static func moments(_ text: String) throws -> EventParameters.Moments {
        if text == "none" { return .init(from: 0, to: 0, utcOffset: 0) }
        guard let parts = text.wholeMatch(of: /(\d\d?):(\d\d)-(\d\d?):(\d\d)(?:([+-])(\d\d):(\d\d))?/),
            let from = minute(parts.1, parts.2), let to = minute(parts.3, parts.4), from < 1_440, to > 0, from != to
        else { throw ValidationError("write hours as 10:00-22:00, up to 24:00, or none") }
        var offset = Int32(TimeZone.current.secondsFromGMT() / 60)
        if let sign = parts.5, let hours = parts.6.flatMap({ Int32($0) }), let minutes = parts.7.flatMap({ Int32($0) }) {
            offset = (sign == "-" ? -1 : 1) * (hours * 60 + minutes)
        }
        guard MomentHours.offsetRange.contains(offset) else {
            throw ValidationError("a zone is at most 14 hours ahead of UTC or behind it")
        }
        return .init(from: from, to: to, utcOffset: offset)
    }

    private static func minute(_ hours: Substring, _ minutes: Substring) -> UInt32? {
        guard let hours = UInt32(hours), let minutes = UInt32(minutes), minutes < 60, hours * 60 + minutes <= 1_440 else {
            return nil
        }
        return hours * 60 + minutes
    }

    /// Returns 0 for no limit.
    static func frames(_ text: String) throws -> UInt32 {
        if text == "unlimited" { return 0 }
        guard let count = UInt32(text), (1...Charter.framesMax).contains(Int(count)) else {
            throw ValidationError("write a number from 1 to \(Charter.framesMax), or unlimited")
        }
        return count
    }

    static func moreFrames(_ text: String) throws -> UInt64 {
        UInt64(try frames(text.hasPrefix("+") ? String(text.dropFirst()) : text))
    }

    static func reveal(_ text: String) throws -> RevealRule {
        switch text {
        case "now": return .now
        case "at-end": return .atEnd
        case "by-host": return .byHost
        case "never": return .never
        default:
            guard text.hasPrefix("at=") else {
                throw ValidationError("write now, at-end, at=2026-12-25T10:00, by-host, or never")
            }
            return .at(try time(String(text.dropFirst(3))))
        }
    }

    static func approval(_ text: String) throws -> ApprovalRule {
        guard let rule = ApprovalRule(word: text) else { throw ValidationError("write all, first, or none") }
        return rule
    }

    enum Source: String, Sendable {
        case any, camera
    }

    static func source(_ text: String) throws -> Source {
        guard let source = Source(rawValue: text) else { throw ValidationError("write any or camera") }
        return source
    }

    static func names(_ text: String) throws -> NameRule {
        guard let rule = NameRule(word: text) else { throw ValidationError("write optional, required, or never") }
        return rule
    }

    static func downloads(_ text: String) throws -> DownloadRule {
        guard let rule = DownloadRule(word: text) else { throw ValidationError("write everyone, own, or organizers") }
        return rule
    }

    static func videos(_ text: String) throws -> VideoRule {
        if text == "on" || text == "off" { return text == "on" ? .on : .off }
        let units: [Character: UInt32] = ["s": 1, "m": 60]
        guard let unit = text.last.flatMap({ units[$0] }), let number = UInt32(text.dropLast()), number > 0,
            number <= PageOptions.videoSecondsMax / unit
        else { throw ValidationError("write on, off, or a length of at most an hour as 60s or 5m") }
        return .seconds(number * unit)
    }

    /// Returns 0 for `unlimited`.
    static func photosAtOnce(_ text: String) throws -> UInt32 {
        if text == "unlimited" { return 0 }
        guard let count = UInt32(text), (1...PageOptions.photosAtOnceMax).contains(count) else {
            throw ValidationError("write a number from 1 to \(PageOptions.photosAtOnceMax), or unlimited")
        }
        return count
    }

    static func theme(_ text: String) throws -> EventTheme {
        guard let theme = EventTheme(word: text) else { throw ValidationError("write one of \(themes)") }
        return theme
    }

    static let themes = EventTheme.allCases.map(\.word).joined(separator: ", ")

    static func position(_ text: String) throws -> EventParameters.Position {
        if text == "none" { return .init(nil) }
        guard let position = EventPosition(written: text) else {
            throw ValidationError(
                "write the latitude (-90 to 90) and the longitude (-180 to 180) in degrees with a decimal point, as "
                    + "47.243,6.022, or none")
        }
        return .init(position)
    }

    static func price(_ text: String) throws -> EventParameters.Price {
        if text == "none" { return .init(cents: 0, currency: "") }
        if text == "free" { return .init(cents: 0, currency: "EUR") }
        let text = text.replacing(" ", with: "")
        let currency = text.suffix(3).uppercased()
        let parts = text.dropLast(3).split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ UInt32($0) }), whole <= Charter.priceCentsMax / 100, parts.count <= 2,
            let cents = parts.count == 1 ? 0 : parts[1].count == 2 ? UInt32(parts[1]) : nil,
            currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        else { throw ValidationError("write an amount and a currency as 12.50EUR, or free, or none") }
        return .init(cents: whole * 100 + cents, currency: currency)
    }

    /// Returns an empty address for `none`.
    static func link(_ text: String) throws -> EventParameters.Link {
        if text == "none" { return .init(kind: "other", address: "") }
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let kinds = EventLink.Kind.allCases.map { "\($0)" }
        guard parts.count == 2, kinds.contains(parts[0]) else {
            throw ValidationError("write KIND=URL, where KIND is \(kinds.joined(separator: ", "))")
        }
        return .init(kind: parts[0], address: parts[1])
    }

    /// Returns an empty text for `none`.
    static func mission(_ text: String) throws -> String {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty else { throw ValidationError("write the photo that you ask for, or none") }
        return text == "none" ? "" : text
    }

    /// Returns only the digits.
    static func registration(_ text: String) throws -> String {
        let digits = BusinessRegistration.digits(of: text)
        guard digits.isEmpty || BusinessRegistration.isValid(digits) else {
            throw ValidationError(
                digits.count == 9 || digits.count == 14
                    ? "its last digit does not fit the others; look for a typing error"
                    : "a SIREN has 9 digits and a SIRET 14, not \(digits.count)")
        }
        return digits
    }

    /// Returns the text of the file of that name, if there is one; otherwise the given text.
    static func prose(_ text: String) throws -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: text, isDirectory: &isFolder), !isFolder.boolValue else {
            return text
        }
        guard let file = FileHandle(forReadingAtPath: text),
            let bytes = try file.read(upToCount: Charter.proseByteCountMax + 1),
            bytes.count <= Charter.proseByteCountMax, let prose = String(validating: bytes, as: UTF8.self)
        else {
            throw ValidationError("the file is not text in UTF-8 of at most \(Charter.proseByteCountMax) bytes")
        }
        return prose.replacing("\r\n", with: "\n").trimmingCharacters(in: .newlines)
    }

    static func preset(_ text: String) throws -> CharterPreset {
        guard let preset = CharterPreset(rawValue: text) else {
            throw ValidationError("write one of \(presets)")
        }
        return preset
    }

    static let presets = CharterPreset.allCases.map(\.rawValue).joined(separator: ", ")

    private static func formatter(_ format: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = format
        return formatter
    }

    private static func milliseconds(_ date: Date) -> UInt64? {
        UInt64(exactly: (date.timeIntervalSince1970 * 1_000).rounded(.down))
    }
}
