// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The parameters of an event, signed by the event key, and edited field by field (protocol/disposable-v1.md §9.2).
public struct Charter: Equatable, Sendable {
    /// A label.
    public var name: String
    public var presentation: Presentation
    public var organizer: Organizer
    public var schedule: Schedule
    /// Photos a guest may take; 0 for no limit.
    public var frames: UInt32
    /// Whether each day of the event adds `frames` to the quota, and not the event as a whole.
    public var areFramesDaily = false
    /// When photos are shown to people other than their authors.
    public var reveal = RevealRule.now
    /// Whether guests may rely on the charter: from then on only edits in their favour count.
    public var isOpened = true
    /// Whether the organizer has ended the event early.
    public var isClosed = false
    public var options = PageOptions()
    /// The photos that organizers ask for, in their order.
    public var missions: [Mission] = []
    /// The places of nodes.
    public var zones = Zones()
    /// The key that seals photos, and its shares.
    public var seal = CharterSeal()

    public init(
        name: String, startsAtMilliseconds: UInt64, durationHours: UInt32 = 192, frames: UInt32 = 27,
        retentionHours: UInt32 = 192, isListed: Bool = true, organizerName: String = ""
    ) {
        self.name = name
        presentation = Presentation(isListed: isListed)
        organizer = Organizer(name: organizerName)
        schedule = Schedule(
            startsAtMilliseconds: startsAtMilliseconds, durationHours: durationHours, retentionHours: retentionHours)
        self.frames = frames
    }

    /// When an organizer closed the event, by that edit's timestamp. Not a field, as `keptFromMilliseconds`.
    package var closedAtMilliseconds: UInt64?

    /// Whether organizers have deleted the event: when they signed the last edit of its end or of its retention, its
    /// retention was over. Not a field, as `keptFromMilliseconds`; no clock but theirs is involved.
    public internal(set) var isDeleted = false

    /// The start of retention, if the event ends later than its guests were told. Not a field: edits determine it
    /// (`CharterHistory`).
    private var keptFromMilliseconds: UInt64?

    /// Starts retention at this time, unless the event ends before.
    package mutating func keepFrom(_ milliseconds: UInt64) {
        keptFromMilliseconds = milliseconds < endsAtMilliseconds ? milliseconds : nil
    }

    public var endsAtMilliseconds: UInt64 { schedule.startsAtMilliseconds + UInt64(schedule.durationHours) * 3_600_000 }
    /// When every node forgets the photos.
    public var expiresAtMilliseconds: UInt64 {
        let end = isUndatedDraft ? undatedEndMilliseconds : min(endsAtMilliseconds, keptFromMilliseconds ?? .max)
        return end + UInt64(schedule.retentionHours) * 3_600_000
    }

    /// The public key that encrypts sealed photos' keys; fixed by the first charter, zero if photos are not sealed.
    public var revealKey: Bytes32 {
        get { seal.key }
        set { seal.key = newValue }
    }
}

/// When photos are shown to people other than their authors.
public enum RevealRule: Equatable, Sendable {
    case now
    case atEnd
    /// Milliseconds since 1970 UTC.
    case at(UInt64)
    /// On an organizer's command.
    case byHost
    /// To organizers only.
    case never
}

public struct Price: Equatable, Sendable {
    public var cents: UInt32
    /// Three capital letters, as in ISO 4217.
    public var currency: String

    public init(cents: UInt32, currency: String) {
        self.cents = cents
        self.currency = currency
    }
}

/// A link to the web, shown as text and as a code: the event may have no Internet.
public struct EventLink: Equatable, Sendable {
    public enum Kind: UInt8, CaseIterable, Sendable {
        case website = 1
        case facebook, instagram, tiktok, youtube, x
        case other
    }
    public var kind: Kind
    public var address: String

    public init(kind: Kind, address: String) {
        self.kind = kind
        self.address = address
    }
}

extension Charter {
    /// Copies one field of another charter.
    public mutating func take(_ field: CharterField, from other: Charter) {
        switch field {
        case .name: name = other.name
        case .details: presentation.details = other.presentation.details
        case .place: presentation.place = other.presentation.place
        case .startsAt: schedule.startsAtMilliseconds = other.schedule.startsAtMilliseconds
        case .durationHours: schedule.durationHours = other.schedule.durationHours
        case .frames: frames = other.frames
        case .reveal: reveal = other.reveal
        case .retentionHours: schedule.retentionHours = other.schedule.retentionHours
        case .category: presentation.category = other.presentation.category
        case .price: presentation.price = other.presentation.price
        case .links: presentation.links = other.presentation.links
        case .registration: organizer.registration = other.organizer.registration
        case .contact: organizer.contact = other.organizer.contact
        case .consentText: organizer.consentText = other.organizer.consentText
        case .organizerName: organizer.name = other.organizer.name
        case .isListed: presentation.isListed = other.presentation.isListed
        case .isOpened: isOpened = other.isOpened
        case .isClosed: isClosed = other.isClosed
        case .lateness: schedule.lateness = other.schedule.lateness
        case .areFramesDaily: areFramesDaily = other.areFramesDaily
        case .startsOnOpening: schedule.startsOnOpening = other.schedule.startsOnOpening
        case .moments: schedule.moments = other.schedule.moments
        case .nameRule: options.nameRule = other.options.nameRule
        case .isCameraOnly: options.isCameraOnly = other.options.isCameraOnly
        case .downloads: options.downloads = other.options.downloads
        case .videos: options.videos = other.options.videos
        case .theme: options.themeNumber = other.options.themeNumber
        case .missions: missions = other.missions
        case .tickets: options.needsTickets = other.options.needsTickets
        case .position: presentation.position = other.presentation.position
        case .wallCode: options.needsWallCode = other.options.needsWallCode
        case .photosAtOnce: options.photosAtOnce = other.options.photosAtOnce
        case .zones: zones = other.zones
        }
    }

    /// Returns the fields in which two charters differ, without the reveal key, which cannot be edited.
    public func differences(from other: Charter) -> [CharterField] {
        CharterField.allCases.filter { field in
            var copy = self
            copy.take(field, from: other)
            return copy != self
        }
    }

    /// Returns the field's value as bytes, for the digest: one value, one sequence of bytes.
    func bytes(of field: CharterField) -> [UInt8] {
        switch field {
        case .name: Array(name.utf8)
        case .details: Array(presentation.details.utf8)
        case .place: Array(presentation.place.utf8)
        case .startsAt: Self.bytes(schedule.startsAtMilliseconds)
        case .durationHours: Self.bytes(schedule.durationHours)
        case .frames: Self.bytes(frames)
        case .reveal:
            switch reveal {
            case .now: [0]
            case .atEnd: [1]
            case .at(let milliseconds): [2] + Self.bytes(milliseconds)
            case .byHost: [3]
            case .never: [4]
            }
        case .retentionHours: Self.bytes(schedule.retentionHours)
        case .category: Array(presentation.category.utf8)
        case .price: presentation.price.map { Self.bytes($0.cents) + Array($0.currency.utf8) } ?? []
        case .links:
            presentation.links.flatMap {
                [$0.kind.rawValue] + Self.bytes(UInt32($0.address.utf8.count)) + Array($0.address.utf8)
            }
        case .registration: Array(organizer.registration.utf8)
        case .contact: Array(organizer.contact.utf8)
        case .consentText: Array(organizer.consentText.utf8)
        case .organizerName: Array(organizer.name.utf8)
        case .isListed: [presentation.isListed ? 1 : 0]
        case .isOpened: [isOpened ? 1 : 0]
        case .isClosed: [isClosed ? 1 : 0]
        case .lateness: Self.bytes(Lateness.number(schedule.lateness))
        case .areFramesDaily: [areFramesDaily ? 1 : 0]
        case .startsOnOpening: [schedule.startsOnOpening ? 1 : 0]
        case .moments:
            schedule.moments.map { Self.bytes($0.from) + Self.bytes($0.to) + Self.bytes($0.utcOffset) } ?? []
        case .nameRule: Self.bytes(options.nameRule.rawValue)
        case .isCameraOnly: [options.isCameraOnly ? 1 : 0]
        case .downloads: Self.bytes(options.downloads.rawValue)
        case .videos: Self.bytes(options.videos.number)
        case .theme: Self.bytes(options.themeNumber)
        case .missions:
            missions.flatMap { Self.bytes($0.id) + Self.bytes(UInt32($0.text.utf8.count)) + Array($0.text.utf8) }
        case .tickets: [options.needsTickets ? 1 : 0]
        case .position: presentation.position?.bytes ?? []
        case .wallCode: [options.needsWallCode ? 1 : 0]
        case .photosAtOnce: Self.bytes(options.photosAtOnce)
        case .zones: zones.bytes
        }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(number)
        return bytes
    }
}

/// The phase of an event: a view of its charter at a time; it makes nothing void.
public enum EventPhase: String, Comparable, CaseIterable, Sendable {
    /// Not opened, or before its start: the code can already be printed and shown.
    case draft
    case open
    /// Over, with photos that are not shown yet.
    case closed
    case revealed
    /// Every node forgets the photos.
    case expired

    public static func < (left: Self, right: Self) -> Bool {
        allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!  // allCases has every case
    }
}

extension Charter {
    /// Returns the phase at a wall-clock time, given whether the photos have been revealed.
    public func phase(at milliseconds: UInt64, isRevealed: Bool) -> EventPhase {
        if milliseconds >= expiresAtMilliseconds { return .expired }
        guard isOpened else { return .draft }
        if isClosed || milliseconds >= endsAtMilliseconds { return isRevealed ? .revealed : .closed }
        return milliseconds >= schedule.startsAtMilliseconds ? .open : .draft
    }

    /// Whether organizers' nodes show all photos at this time, according to the charter.
    public func opensPhotos(at milliseconds: UInt64) -> Bool {
        reveal == .now || (reveal == .atEnd && isClosed) || revealsAtMilliseconds.map { $0 <= milliseconds } == true
    }

    /// The time of the reveal, to which pages count down; `nil` if photos are shown at once, on an organizer's command,
    /// or never.
    public var revealsAtMilliseconds: UInt64? {
        switch reveal {
        case .atEnd: endsAtMilliseconds
        case .at(let milliseconds): milliseconds
        case .now, .byHost, .never: nil
        }
    }
}
