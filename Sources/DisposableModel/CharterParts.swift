// SPDX-License-Identifier: Apache-2.0

extension Charter {
    /// The event as lists and pages describe it to people.
    public struct Presentation: Equatable, Sendable {
        /// Prose, empty where there is none.
        public var details = ""
        /// The location, for people. A label, or empty.
        public var place = ""
        /// For the map of the board; `nil` if not stated.
        public var position: EventPosition?
        /// The kind of event, for lists. A label, or empty.
        public var category = ""
        /// The price of admission, for people; `nil` if not stated, 0 cents if free.
        public var price: Price?
        public var links: [EventLink] = []
        /// Whether the advertisement shows the event's name to the whole network.
        public var isListed: Bool
    }

    /// The organizer as guests see it, with the text that it asks them to agree to.
    public struct Organizer: Equatable, Sendable {
        /// A label, or empty.
        public var name: String
        /// A label, or empty.
        public var contact = ""
        /// SIREN or SIRET, digits only, or empty.
        public var registration = ""
        /// The text that guests agree to when they join. Prose, or empty.
        public var consentText = ""
    }

    /// The times of the event. `Charter` has what follows from them.
    public struct Schedule: Equatable, Sendable {
        /// Milliseconds since 1970 UTC.
        public var startsAtMilliseconds: UInt64
        public var durationHours: UInt32
        /// Hours after the end at which every node forgets the photos.
        public var retentionHours: UInt32
        /// Until when photos count after the end; `nil` if photos of any time count.
        public var lateness: Lateness?
        /// Whether the start is not decided yet: the event begins when it is opened.
        public var startsOnOpening = false
        /// The hours in which each day has a moment; `nil` for an event without moments.
        public var moments: MomentHours?
    }
}
