// SPDX-License-Identifier: Apache-2.0

/// Validation of a charter. `isWellFormed` has the same result on every node; `problems` also checks what a person
/// enters, and says why in words.
extension Charter {
    /// The limit on the event's name that a person enters, in characters as people count them.
    public static let nameCharacterCountMax = 80
    public static let lineCharacterCountMax = 80
    public static let detailsCharacterCountMax = 2_000
    public static let durationHoursRange = 1...720
    public static let framesMax = 1_000
    public static let retentionHoursRange = 1...720
    public static let priceCentsMax = 100_000_000
    /// The number of edits of one device that can count.
    public static let editsPerDeviceMax = 256
    public static let linkCountMax = 8
    public static let linkByteCountMax = 200
    /// The limit on details and consent text, in bytes of UTF-8.
    public static let proseByteCountMax = 5_000

    /// Whether every field is in its range: the same answer on every node.
    public var isWellFormed: Bool { CharterField.allCases.allSatisfy(isWellFormed) }

    /// Whether one field is in its range: the only field of an edit that is checked.
    public func isWellFormed(_ field: CharterField) -> Bool {
        switch field {
        case .name: Label.isWellFormed(name)
        case .details: Label.isWellFormedProse(presentation.details, byteCountMax: Self.proseByteCountMax)
        case .place: Self.isWellFormedLine(presentation.place)
        case .startsAt: schedule.startsAtMilliseconds <= Self.latestMilliseconds
        case .durationHours: Self.durationHoursRange.contains(Int(schedule.durationHours))
        case .frames: frames <= Self.framesMax
        case .reveal: (revealTime ?? 0) <= HybridTimestamp.millisecondsMax
        case .retentionHours: Self.retentionHoursRange.contains(Int(schedule.retentionHours))
        case .category: Self.isWellFormedLine(presentation.category)
        case .price: presentation.price.map { $0.cents <= Self.priceCentsMax && $0.isCurrencyWellFormed } ?? true
        case .links: presentation.links.count <= Self.linkCountMax && presentation.links.allSatisfy(\.isWellFormed)
        case .registration: organizer.registration.isEmpty || BusinessRegistration.isValid(organizer.registration)
        case .contact: Self.isWellFormedLine(organizer.contact)
        case .consentText: Label.isWellFormedProse(organizer.consentText, byteCountMax: Self.proseByteCountMax)
        case .organizerName: Self.isWellFormedLine(organizer.name)
        case .lateness: schedule.lateness.map { $0.minutes <= Lateness.minutesMax } ?? true
        case .moments: schedule.moments?.isWellFormed ?? true
        case .missions: missions.isWellFormed
        case .position: presentation.position?.isWellFormed ?? true
        case .isListed, .isOpened, .isClosed, .areFramesDaily, .startsOnOpening, .tickets, .wallCode,
            .photosAtOnce, .zones:
            true
        case .nameRule, .isCameraOnly, .downloads, .videos, .theme: options.isWellFormed(field)
        }
    }

    /// The latest start for which the times of end and expiry fit into a timestamp.
    private static let latestMilliseconds = HybridTimestamp.millisecondsMax - 1_441 * 3_600_000

    private var revealTime: UInt64? { if case .at(let milliseconds) = reveal { milliseconds } else { nil } }

    private static func isWellFormedLine(_ text: String) -> Bool { text.isEmpty || Label.isWellFormed(text) }

    /// Whether a person may create an event with it: well-formed, with texts that are short as people see them.
    public var isAcceptable: Bool { problems.isEmpty }

    public struct Problem: Equatable, Sendable, CustomStringConvertible {
        public let field: CharterField
        /// The requirement, in one line.
        public let description: String
    }

    /// The reasons not to create or edit an event like this, in the order of the fields.
    public var problems: [Problem] {
        CharterField.allCases.compactMap { field in
            isAcceptable(field) ? nil : Problem(field: field, description: Self.demand(of: field))
        }
    }

    private func isAcceptable(_ field: CharterField) -> Bool {
        guard isWellFormed(field) else { return false }
        return switch field {
        case .name: Label.isAcceptable(name, characterCountMax: Self.nameCharacterCountMax)
        case .details: presentation.details.count <= Self.detailsCharacterCountMax
        case .consentText: organizer.consentText.count <= Self.detailsCharacterCountMax
        case .place: presentation.place.count <= Self.lineCharacterCountMax
        case .category: presentation.category.count <= Self.lineCharacterCountMax
        case .contact: organizer.contact.count <= Self.lineCharacterCountMax
        case .organizerName: organizer.name.isEmpty || Label.isAcceptable(organizer.name)
        case .reveal: (revealTime ?? schedule.startsAtMilliseconds) >= schedule.startsAtMilliseconds
        case .missions: missions.isAcceptable
        case .photosAtOnce: options.photosAtOnce <= PageOptions.photosAtOnceMax
        case .zones: zones.isAcceptable
        default: true
        }
    }

    /// The requirement on a field, in one line.
    public static func demand(of field: CharterField) -> String {
        switch field {
        case .name: "the event's name has 1 to \(nameCharacterCountMax) characters on one line"
        case .details: "the description has at most \(detailsCharacterCountMax) characters of plain text"
        case .place: "the place has at most \(lineCharacterCountMax) characters on one line"
        case .startsAt: "the start is a date of this age"
        case .durationHours: "the event lasts \(hours(durationHoursRange))"
        case .frames: "a guest has at most \(framesMax) frames, or 0 for no limit"
        case .reveal: "the photos are revealed after the event's start"
        case .retentionHours: "the photos are kept \(hours(retentionHoursRange)) after the end"
        case .category: "the category has at most \(lineCharacterCountMax) characters on one line"
        case .price: "the price is at most \(priceCentsMax / 100) of a currency of three capital letters, as EUR"
        case .links:
            "there are at most \(linkCountMax) links, each beginning with https:// or http://, without spaces, of at most "
                + "\(linkByteCountMax) characters"
        case .registration: "a SIREN has 9 digits and a SIRET 14, of which the last checks the others"
        case .contact: "the contact line has at most \(lineCharacterCountMax) characters on one line"
        case .consentText: "the consent text has at most \(detailsCharacterCountMax) characters of plain text"
        case .organizerName: "the organizer's name has at most \(Label.characterCountMax) characters on one line"
        case .lateness: "photos are accepted up to \(Lateness.minutesMax / 1_440) days after the end"
        case .moments: "the hours of the moments begin and end at different minutes of the day"
        case .missions:
            "there are at most \(Mission.countMax) missions, each of 1 to \(Mission.characterCountMax) characters on one line"
        case .position:
            "a position is a latitude of -90 to 90 and a longitude of -180 to 180 degrees, as 47.243, 6.022"
        case .isListed, .isOpened, .isClosed, .areFramesDaily, .startsOnOpening, .isCameraOnly, .tickets, .wallCode:
            "yes or no"
        case .nameRule: "a name is optional, required or never"
        case .downloads: "downloads are for everyone, own or organizers"
        case .videos: "videos are on, off, or have at most 1 to \(PageOptions.videoSecondsMax) seconds"
        case .photosAtOnce: "a guest chooses up to 1 to \(PageOptions.photosAtOnceMax) photos at once, or 0 for any"
        case .zones:
            "there are at most \(Zone.countMax) zones, each with a name of 1 to \(Label.characterCountMax) characters on "
                + "one line"
        case .theme: "a theme is one of \(EventTheme.allCases.map(\.word).joined(separator: ", "))"
        }
    }

    private static func hours(_ range: ClosedRange<Int>) -> String {
        "\(range.lowerBound) to \(range.upperBound) hours (\(range.upperBound / 24) days)"
    }
}

extension Price {
    fileprivate var isCurrencyWellFormed: Bool {
        currency.utf8.count == 3 && currency.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
}

extension EventLink {
    /// The schemes that a page may turn into a link: other schemes could run something.
    static let schemes = ["https://", "http://"]

    /// Whether the address is printable ASCII without spaces and quotes, with a scheme of the list and something after
    /// it.
    public var isWellFormed: Bool {
        let bytes = address.utf8
        return bytes.count <= Charter.linkByteCountMax
            && bytes.allSatisfy { (0x21...0x7E).contains($0) && !#""'<>\`"#.utf8.contains($0) }
            && Self.schemes.contains { address.hasPrefix($0) && bytes.count > $0.utf8.count }
    }
}

/// The French register's numbers: SIREN for a business, SIRET for one of its locations.
public enum BusinessRegistration {
    /// Removes the spaces and dots with which people write the digits.
    public static func digits(of text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !" .\u{A0}\u{202F}".unicodeScalars.contains($0) }))
    }

    /// Whether the digits are a number of the register: Luhn's sum is a multiple of ten. Only the post's locations have
    /// numbers whose digits add up to a multiple of five instead.
    public static func isValid(_ digits: String) -> Bool {
        let numbers = digits.utf8.map { Int($0) - 0x30 }
        guard numbers.count == 9 || numbers.count == 14, numbers.allSatisfy((0...9).contains) else { return false }
        if luhn(numbers).isMultiple(of: 10) { return true }
        return numbers.count == 14 && digits.hasPrefix("356000000") && numbers.reduce(0, +).isMultiple(of: 5)
    }

    private static func luhn(_ numbers: [Int]) -> Int {
        numbers.reversed().enumerated().reduce(0) { sum, place in
            let value = place.offset.isMultiple(of: 2) ? place.element : 2 * place.element
            return sum + (value > 9 ? value - 9 : value)
        }
    }
}
