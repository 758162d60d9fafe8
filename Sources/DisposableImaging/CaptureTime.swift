// SPDX-License-Identifier: Apache-2.0

/// The time at which a photo was taken, by its camera's clock.
public struct CaptureTime: Equatable, Sendable {
    /// Milliseconds since 1970-01-01 00:00 UTC; without `hasTimeZone`, of the camera's local time as if it were UTC.
    public var milliseconds: Int64
    /// False if the file has no offset: then only the caller can know the camera's time zone.
    public var hasTimeZone: Bool

    public init(milliseconds: Int64, hasTimeZone: Bool) {
        self.milliseconds = milliseconds
        self.hasTimeZone = hasTimeZone
    }

    /// Parses EXIF 2.32 §4.6.5: `DateTimeOriginal` "2025:08:16 14:03:22", `OffsetTimeOriginal` "+02:00",
    /// `SubSecTimeOriginal` "123" (decimals of a second, any number). Returns nil for blank, impossible or unreadable
    /// dates.
    package init?(dateTime: String, offset: String?, subSecond: String?) {
        let characters = Array(dateTime.utf8.prefix(19))
        guard characters.count == 19 else { return nil }
        var fields: [Int] = []
        for (start, count) in [(0, 4), (5, 2), (8, 2), (11, 2), (14, 2), (17, 2)] {
            guard let value = Self.number(characters[start..<(start + count)]) else { return nil }
            fields.append(value)
        }
        guard fields[0] >= 1900, (1...12).contains(fields[1]), (1...31).contains(fields[2]), fields[3] < 24,
            fields[4] < 60, fields[5] <= 60
        else { return nil }
        let days = Self.days(year: fields[0], month: fields[1], day: fields[2])
        let seconds = days * 86_400 + fields[3] * 3_600 + fields[4] * 60 + fields[5]
        let shift = offset.flatMap(Self.offsetMinutes)
        let decimals = Array((subSecond ?? "").utf8.prefix { (48...57).contains($0) }.prefix(3))
        let thousandths = decimals + repeatElement(48, count: 3 - decimals.count)
        milliseconds = Int64((seconds - (shift ?? 0) * 60) * 1_000 + (Self.number(thousandths[...]) ?? 0))
        hasTimeZone = shift != nil
    }

    /// The time in the form "2025:08:16 14:03:22", in UTC.
    package var exifDateTime: String {
        let seconds = Int(milliseconds.dividedRoundingDown(by: 1_000))
        let days = Int(Int64(seconds).dividedRoundingDown(by: 86_400))
        let second = seconds - days * 86_400
        let date = Self.date(days: days)
        func padded(_ value: Int, _ width: Int = 2) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(date.year, 4)):\(padded(date.month)):\(padded(date.day)) "
            + "\(padded(second / 3_600)):\(padded(second / 60 % 60)):\(padded(second % 60))"
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static func offsetMinutes(_ text: String) -> Int? {
        let characters = Array(text.utf8)
        guard characters.count >= 6, let hours = number(characters[1..<3]), let minutes = number(characters[4..<6]),
            hours <= 14, minutes < 60
        else { return nil }
        switch characters[0] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    /// Returns the days since 1970-01-01 in the Gregorian calendar: years begin in March, so that leap days come last.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = Int(Int64(shifted).dividedRoundingDown(by: 146_097))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func dividedRoundingDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
