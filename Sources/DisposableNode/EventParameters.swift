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

    public var name: String?
    public var details: String?
    public var place: String?
    public var position: Position?
    /// Milliseconds since 1970 UTC.
    public var startsAt: UInt64?
    public var durationHours: UInt32?
    /// 0 for no limit.
    public var frames: UInt32?
    /// `now`, `at-end`, `at`, `by-host` or `never`.
    public var reveal: String?
    /// With `at`: milliseconds since 1970 UTC.
    public var revealAt: UInt64?
    public var retentionHours: UInt32?
    public var category: String?
    public var price: Price?
    public var links: [Link]?
    public var registration: String?
    public var contact: String?
    public var consentText: String?
    public var organizerName: String?
    public var isListed: Bool?
    public var isOpened: Bool?
    public var isClosed: Bool?
    /// `none`, `first` or `all`: the photos of guests that wait for approval. No part of the charter.
    public var approve: String?
    /// Whether guests can have photos of others veiled. No part of the charter.
    public var veils: Bool?
    /// Whether photos of any time are accepted. `false` without `lateMinutes` accepts them until the end.
    public var acceptsAnyTime: Bool?
    /// The minutes after the end in which photos are accepted.
    public var lateMinutes: UInt32?
    /// Whether each day adds `frames`.
    public var areFramesDaily: Bool?
    /// Whether a draft begins when it is opened.
    public var startsOnOpening: Bool?
    public var moments: Moments?
    /// `optional`, `required` or `never`.
    public var nameRule: String?
    public var isCameraOnly: Bool?
    /// `everyone`, `own` or `organizers`.
    public var downloads: String?
    /// `on`, `off`, or the seconds of the longest video.
    public var videos: String?
    /// The word of an `EventTheme`.
    public var theme: String?
    /// In the organizers' order.
    public var missions: [Mission]?

    public init() {}

    /// The given rule; `nil` if none is given, or it is no rule.
    public var approvalRule: ApprovalRule? { approve.flatMap(ApprovalRule.init(word:)) }

    public init(_ charter: Charter, _ approval: ApprovalRule = .none, veils: Bool = false) {
        (approve, self.veils) = (approval.word, veils)
        name = charter.name
        details = charter.details
        place = charter.place
        position = charter.position.map { Position($0) }
        startsAt = charter.startsAtMilliseconds
        durationHours = charter.durationHours
        frames = charter.frames
        (reveal, revealAt) = charter.reveal.words
        retentionHours = charter.retentionHours
        category = charter.category
        price = charter.price.map { Price(cents: $0.cents, currency: $0.currency) }
        links = charter.links.map { Link(kind: "\($0.kind)", address: $0.address) }
        registration = charter.registration
        contact = charter.contact
        consentText = charter.consentText
        organizerName = charter.organizerName
        isListed = charter.isListed
        isOpened = charter.isOpened
        isClosed = charter.isClosed
        acceptsAnyTime = charter.lateness == nil
        lateMinutes = charter.lateness?.minutes ?? 0
        areFramesDaily = charter.areFramesDaily
        startsOnOpening = charter.startsOnOpening
        moments = charter.moments.map { Moments(from: $0.from, to: $0.to, utcOffset: $0.utcOffset) }
        nameRule = charter.options.nameRule.word
        isCameraOnly = charter.options.isCameraOnly
        downloads = charter.options.downloads.word
        videos = charter.options.videos.word
        theme = charter.options.theme.word
        missions = charter.missions.map { Mission(id: $0.id, text: $0.text) }
    }

    /// Copies the given parts into a charter. `Charter.problems` checks them.
    public func apply(to charter: inout Charter) {
        name.map { charter.name = $0 }
        details.map { charter.details = $0 }
        place.map { charter.place = $0 }
        position.map { charter.position = $0.position }
        startsAt.map { charter.startsAtMilliseconds = $0 }
        durationHours.map { charter.durationHours = $0 }
        frames.map { charter.frames = $0 }
        reveal.flatMap { RevealRule($0, at: revealAt) }.map { charter.reveal = $0 }
        retentionHours.map { charter.retentionHours = $0 }
        category.map { charter.category = $0 }
        price.map { charter.price = $0.currency.isEmpty ? nil : .init(cents: $0.cents, currency: $0.currency) }
        links.map { charter.links = $0.map { link in .init(kind: .init(name: link.kind), address: link.address) } }
        registration.map { charter.registration = $0 }
        contact.map { charter.contact = $0 }
        consentText.map { charter.consentText = $0 }
        organizerName.map { charter.organizerName = $0 }
        isListed.map { charter.isListed = $0 }
        isOpened.map { charter.isOpened = $0 }
        isClosed.map { charter.isClosed = $0 }
        if acceptsAnyTime == true {
            charter.lateness = nil
        } else if acceptsAnyTime == false || lateMinutes != nil {
            charter.lateness = Lateness(minutes: lateMinutes ?? charter.lateness?.minutes ?? 0)
        }
        areFramesDaily.map { charter.areFramesDaily = $0 }
        startsOnOpening.map { charter.startsOnOpening = $0 }
        moments.map { given in
            charter.moments =
                given.from == given.to
                ? nil : MomentHours(from: given.from, to: given.to, utcOffset: given.utcOffset)
        }
        nameRule.flatMap(NameRule.init(word:)).map { charter.options.nameRule = $0 }
        isCameraOnly.map { charter.options.isCameraOnly = $0 }
        downloads.flatMap(DownloadRule.init(word:)).map { charter.options.downloads = $0 }
        videos.flatMap(VideoRule.init(word:)).map { charter.options.videos = $0 }
        theme.flatMap(EventTheme.init(word:)).map { charter.options.theme = $0 }
        missions.map { charter.missions = Mission.list($0, before: charter.missions) }
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
        self.organizerName = organizerName ?? ""
        isOpened = !isDraft
        lateness = Lateness(minutes: 0)
        given.apply(to: &self)
        startsOnOpening = isDraft && given.startsAt == nil
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
