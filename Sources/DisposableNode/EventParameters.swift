// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import Foundation

/// The parts of a charter that a person sets or views: `nil` leaves a part unchanged.
public struct EventParameters: Codable, Sendable, Equatable {
    public struct Price: Codable, Sendable, Equatable {
        public var cents: UInt32
        /// As `EUR`; empty if no price is stated.
        public var currency: String
        public init(cents: UInt32, currency: String) {
            self.cents = cents
            self.currency = currency
        }
    }
    public struct Link: Codable, Sendable, Equatable {
        /// `website`, `facebook`, ..., `other`.
        public var kind: String
        public var address: String
        public init(kind: String, address: String) {
            self.kind = kind
            self.address = address
        }
    }
    /// A photo that organizers ask for.
    public struct Mission: Codable, Sendable, Equatable {
        /// `nil` for a new one, and for one with the text of an existing mission, whose id it keeps.
        public var id: UInt32?
        public var text: String
        public init(id: UInt32? = nil, text: String) {
            self.id = id
            self.text = text
        }
    }
    /// The hours in which each day has a moment, in minutes of the day; none if both are equal.
    public struct Moments: Codable, Sendable, Equatable {
        public var from: UInt32
        public var to: UInt32
        /// The minutes by which the clocks of the place are ahead of UTC.
        public var utcOffset: Int32
        public init(from: UInt32, to: UInt32, utcOffset: Int32) {
            self.from = from
            self.to = to
            self.utcOffset = utcOffset
        }
    }

    /// The event as lists and pages describe it.
    public struct Presentation: Codable, Sendable, Equatable {
        public var details: String?
        public var place: String?
        public var position: Position?
        public var category: String?
        public var price: Price?
        public var links: [Link]?
        public var isListed: Bool?
        public init() {}
    }
    /// The organizer as guests see it.
    public struct Organizer: Codable, Sendable, Equatable {
        public var name: String?
        public var contact: String?
        public var registration: String?
        public var consentText: String?
        public init() {}

        private enum CodingKeys: String, CodingKey {
            case name = "organizerName"
            case contact, registration, consentText
        }
    }
    /// The times of the event.
    public struct Schedule: Codable, Sendable, Equatable {
        /// Milliseconds since 1970 UTC.
        public var startsAt: UInt64?
        public var durationHours: UInt32?
        public var retentionHours: UInt32?
        /// Whether photos of any time are accepted. `false` without `lateMinutes` accepts them until the end.
        public var acceptsAnyTime: Bool?
        /// The minutes after the end in which photos are accepted.
        public var lateMinutes: UInt32?
        /// Whether a draft begins when it is opened.
        public var startsOnOpening: Bool?
        public var moments: Moments?
        public init() {}
    }
    /// The guests' photos: how many, which, and when others see them.
    public struct Photos: Codable, Sendable, Equatable {
        /// 0 for no limit.
        public var frames: UInt32?
        /// Whether each day adds `frames`.
        public var areFramesDaily: Bool?
        /// `now`, `at-end`, `at`, `by-host` or `never`.
        public var reveal: String?
        /// With `at`: milliseconds since 1970 UTC.
        public var revealAt: UInt64?
        /// `none`, `first` or `all`: the photos of guests that wait for approval. No part of the charter.
        public var approve: String?
        /// Whether guests can have photos of others veiled. No part of the charter.
        public var veils: Bool?
        /// Whether guests' pages seal photos until the reveal. No part of the charter.
        public var pageSealing: Bool?
        /// Whether guests have frames only with a ticket.
        public var tickets: Bool?
        /// In the organizers' order.
        public var missions: [Mission]?
        public init() {}
    }
    /// The options of the guests' pages.
    public struct Pages: Codable, Sendable, Equatable {
        /// `optional`, `required` or `never`.
        public var nameRule: String?
        public var isCameraOnly: Bool?
        /// `everyone`, `own` or `organizers`.
        public var downloads: String?
        /// `on`, `off`, or the seconds of the longest video.
        public var videos: String?
        /// The word of an `EventTheme`.
        public var theme: String?
        /// Whether new guests need the code that the wall shows at that time.
        public var wallCode: Bool?
        /// The number of photos that a guest may choose at once; 0 for any.
        public var photosAtOnce: UInt32?
        public init() {}
    }

    public var name: String?
    public var isOpened: Bool?
    public var isClosed: Bool?
    public var presentation = Presentation()
    public var organizer = Organizer()
    public var schedule = Schedule()
    public var photos = Photos()
    public var pages = Pages()

    public init() {}

    /// The given rule; `nil` if none is given, or it is no rule.
    public var approvalRule: ApprovalRule? { photos.approve.flatMap(ApprovalRule.init(word:)) }

    public init(
        _ charter: Charter, _ approval: ApprovalRule = .none, veils: Bool = false, pageSealing: Bool = false
    ) {
        (name, isOpened, isClosed) = (charter.name, charter.isOpened, charter.isClosed)
        presentation = Presentation(charter.presentation)
        organizer = Organizer(charter.organizer)
        schedule = Schedule(charter.schedule)
        photos = Photos(charter)
        (photos.approve, photos.veils, photos.pageSealing) = (approval.word, veils, pageSealing)
        pages = Pages(charter.options)
    }

    /// Copies the given parts into a charter. `Charter.problems` checks them.
    public func apply(to charter: inout Charter) {
        name.map { charter.name = $0 }
        isOpened.map { charter.isOpened = $0 }
        isClosed.map { charter.isClosed = $0 }
        presentation.apply(to: &charter.presentation)
        organizer.apply(to: &charter.organizer)
        schedule.apply(to: &charter.schedule)
        photos.apply(to: &charter)
        pages.apply(to: &charter.options)
    }
}

extension EventParameters.Presentation {
    init(_ presentation: Charter.Presentation) {
        details = presentation.details
        place = presentation.place
        position = presentation.position.map { .init($0) }
        category = presentation.category
        price = presentation.price.map { .init(cents: $0.cents, currency: $0.currency) }
        links = presentation.links.map { .init(kind: "\($0.kind)", address: $0.address) }
        isListed = presentation.isListed
    }

    func apply(to presentation: inout Charter.Presentation) {
        details.map { presentation.details = $0 }
        place.map { presentation.place = $0 }
        position.map { presentation.position = $0.position }
        category.map { presentation.category = $0 }
        price.map { presentation.price = $0.currency.isEmpty ? nil : .init(cents: $0.cents, currency: $0.currency) }
        links.map { links in
            presentation.links = links.map { .init(kind: .init(name: $0.kind), address: $0.address) }
        }
        isListed.map { presentation.isListed = $0 }
    }
}

extension EventParameters.Organizer {
    init(_ organizer: Charter.Organizer) {
        name = organizer.name
        contact = organizer.contact
        registration = organizer.registration
        consentText = organizer.consentText
    }

    func apply(to organizer: inout Charter.Organizer) {
        name.map { organizer.name = $0 }
        contact.map { organizer.contact = $0 }
        registration.map { organizer.registration = $0 }
        consentText.map { organizer.consentText = $0 }
    }
}

extension EventParameters.Schedule {
    init(_ schedule: Charter.Schedule) {
        startsAt = schedule.startsAtMilliseconds
        durationHours = schedule.durationHours
        retentionHours = schedule.retentionHours
        acceptsAnyTime = schedule.lateness == nil
        lateMinutes = schedule.lateness?.minutes ?? 0
        startsOnOpening = schedule.startsOnOpening
        moments = schedule.moments.map { .init(from: $0.from, to: $0.to, utcOffset: $0.utcOffset) }
    }

    func apply(to schedule: inout Charter.Schedule) {
        startsAt.map { schedule.startsAtMilliseconds = $0 }
        durationHours.map { schedule.durationHours = $0 }
        retentionHours.map { schedule.retentionHours = $0 }
        if acceptsAnyTime == true {
            schedule.lateness = nil
        } else if acceptsAnyTime == false || lateMinutes != nil {
            schedule.lateness = Lateness(minutes: lateMinutes ?? schedule.lateness?.minutes ?? 0)
        }
        startsOnOpening.map { schedule.startsOnOpening = $0 }
        moments.map { given in
            schedule.moments =
                given.from == given.to
                ? nil : MomentHours(from: given.from, to: given.to, utcOffset: given.utcOffset)
        }
    }
}

extension EventParameters.Photos {
    init(_ charter: Charter) {
        frames = charter.frames
        areFramesDaily = charter.areFramesDaily
        (reveal, revealAt) = charter.reveal.words
        tickets = charter.options.needsTickets
        missions = charter.missions.map { .init(id: $0.id, text: $0.text) }
    }

    func apply(to charter: inout Charter) {
        frames.map { charter.frames = $0 }
        areFramesDaily.map { charter.areFramesDaily = $0 }
        reveal.flatMap { RevealRule($0, at: revealAt) }.map { charter.reveal = $0 }
        tickets.map { charter.options.needsTickets = $0 }
        missions.map { charter.missions = EventParameters.Mission.list($0, before: charter.missions) }
    }
}

extension EventParameters.Pages {
    init(_ options: PageOptions) {
        nameRule = options.nameRule.word
        isCameraOnly = options.isCameraOnly
        downloads = options.downloads.word
        videos = options.videos.word
        theme = options.theme.word
        wallCode = options.needsWallCode
        photosAtOnce = options.photosAtOnce
    }

    func apply(to options: inout PageOptions) {
        nameRule.flatMap(NameRule.init(word:)).map { options.nameRule = $0 }
        isCameraOnly.map { options.isCameraOnly = $0 }
        downloads.flatMap(DownloadRule.init(word:)).map { options.downloads = $0 }
        videos.flatMap(VideoRule.init(word:)).map { options.videos = $0 }
        theme.flatMap(EventTheme.init(word:)).map { options.theme = $0 }
        wallCode.map { options.needsWallCode = $0 }
        photosAtOnce.map { options.photosAtOnce = $0 }
    }
}

/// One JSON object without groups.
extension EventParameters {
    private enum CodingKeys: String, CodingKey { case name, isOpened, isClosed }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decodeIfPresent(String.self, forKey: .name)
        isOpened = try values.decodeIfPresent(Bool.self, forKey: .isOpened)
        isClosed = try values.decodeIfPresent(Bool.self, forKey: .isClosed)
        presentation = try Presentation(from: decoder)
        organizer = try Organizer(from: decoder)
        schedule = try Schedule(from: decoder)
        photos = try Photos(from: decoder)
        pages = try Pages(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(name, forKey: .name)
        try values.encodeIfPresent(isOpened, forKey: .isOpened)
        try values.encodeIfPresent(isClosed, forKey: .isClosed)
        for group in [presentation, organizer, schedule, photos, pages] as [any Encodable] {
            try group.encode(to: encoder)
        }
    }
}

extension Charter {
    /// The charter of a new event that starts now, unless `given` has a start.
    /// - Parameters:
    ///   - name: 1 to 80 characters on one line.
    ///   - preset: the kind of event whose settings `given` overrides; `nil` for the usual settings.
    ///   - given: the settings that differ.
    ///   - organizerName: the organizer's name for guests; `nil` for none.
    ///   - isDraft: whether guests cannot enter yet.
    /// - Throws: `NodeError.unacceptable` with a sentence for each setting that is out of its range.
    public init(
        named name: String, preset: CharterPreset? = nil, _ given: EventParameters, organizerName: String?,
        isDraft: Bool = false
    ) throws(NodeError) {
        let start = UInt64(max(0, Date().timeIntervalSince1970 * 1_000))
        self =
            preset?.charter(name: name, startsAtMilliseconds: start) ?? Charter(name: name, startsAtMilliseconds: start)
        organizer.name = organizerName ?? ""
        isOpened = !isDraft
        schedule.lateness = Lateness(minutes: 0)
        given.apply(to: &self)
        schedule.startsOnOpening = isDraft && given.schedule.startsAt == nil
        let demands = problems.map(\.description)
        guard demands.isEmpty else { throw .unacceptable(demands) }
    }
}

extension RevealRule {
    /// The rule's word, and its time if it has one.
    public var words: (String, UInt64?) {
        switch self {
        case .now: ("now", nil)
        case .atEnd: ("at-end", nil)
        case .at(let milliseconds): ("at", milliseconds)
        case .byHost: ("by-host", nil)
        case .never: ("never", nil)
        }
    }

    init?(_ word: String, at milliseconds: UInt64?) {
        switch (word, milliseconds) {
        case ("now", _): self = .now
        case ("at-end", _): self = .atEnd
        case ("at", .some(let milliseconds)): self = .at(milliseconds)
        case ("by-host", _): self = .byHost
        case ("never", _): self = .never
        default: return nil
        }
    }
}

extension EventLink.Kind {
    init(name: String) { self = Self.allCases.first { "\($0)" == name } ?? .other }
}
