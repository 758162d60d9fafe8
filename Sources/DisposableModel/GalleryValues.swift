// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

// Values about the event and its gallery that nodes pass to portals.

/// A change to display.
public enum GalleryUpdate: Equatable, Sendable {
    /// The photo is new, or its bytes, its frame or its author's name are.
    case photo(PhotoID)
    case removed(PhotoID)
    /// The event's charter.
    case event
    /// Messages to the organizers: for the desk only.
    case messages
    /// More changes than can be listed; reload everything.
    case everything
}

/// Photos that only their authors see so far.
public struct SealedPhotos: Equatable, Sendable {
    /// The number of photos of all authors.
    public var count: Int
    /// The planned time of the reveal, in milliseconds since 1970 UTC; `nil` if an organizer decides, or never.
    public var revealsAtMilliseconds: UInt64?
    /// Whether they are for organizers only.
    public var isForOrganizers: Bool
    /// The number of organizers that reveal them together; `nil` if each can.
    public var organizerCount: Int?
    /// The X25519 key to which guests' pages seal photos, 32 bytes; `nil` if this node does it.
    public var pageKey: Bytes32?

    public init(
        count: Int, revealsAtMilliseconds: UInt64?, isForOrganizers: Bool, organizerCount: Int? = nil,
        pageKey: Bytes32? = nil
    ) {
        self.count = count
        self.revealsAtMilliseconds = revealsAtMilliseconds
        self.isForOrganizers = isForOrganizers
        self.organizerCount = organizerCount
        self.pageKey = pageKey
    }
}

/// A notice of an organizer.
public struct LatestNotice: Equatable, Sendable {
    public var id: OperationID
    public var text: String
    /// Milliseconds since 1970 UTC.
    public var saidAtMilliseconds: UInt64

    public init(id: OperationID, text: String, saidAtMilliseconds: UInt64) {
        self.id = id
        self.text = text
        self.saidAtMilliseconds = saidAtMilliseconds
    }
}

/// Another portal of the event.
public struct OtherPages: Equatable, Sendable {
    public var node: DeviceID
    /// The name of its person.
    public var name: String?
    /// At most four.
    public var addresses: [PeerAddress]
    /// The addresses as in a URL: `10.0.0.7:8027`.
    public var authorities: [String] { addresses.map(\.description) }

    public init(node: DeviceID, name: String?, addresses: [PeerAddress]) {
        self.node = node
        self.name = name
        self.addresses = addresses
    }
}

/// The moments of the event, as far as guests may know them.
public struct MomentsNow: Equatable, Sendable {
    public struct Entry: Equatable, Sendable {
        public var moment: Moment
        /// The value from which its minute follows; `nil` while it runs.
        public var link: Bytes32?
        /// The photos of the moment that are shown to all.
        public var photoCount: Int
        /// The late ones of them.
        public var lateCount: Int

        public init(moment: Moment, link: Bytes32?, photoCount: Int, lateCount: Int) {
            self.moment = moment
            self.link = link
            self.photoCount = photoCount
            self.lateCount = lateCount
        }
    }
    public var hours: MomentHours
    public var commitment: Bytes32
    /// Whether the node knows the time; otherwise nothing runs, and nothing is over.
    public var isClockSet: Bool
    public var running: Entry?
    /// The moments that have ended, earliest first.
    public var past: [Entry]
    /// The node's time, in milliseconds since 1970 UTC.
    public var milliseconds: UInt64

    public init(
        hours: MomentHours, commitment: Bytes32, isClockSet: Bool, running: Entry?, past: [Entry], milliseconds: UInt64
    ) {
        self.hours = hours
        self.commitment = commitment
        self.isClockSet = isClockSet
        self.running = running
        self.past = past
        self.milliseconds = milliseconds
    }
}

/// A photo that organizers ask for, and the photos that answer it.
public struct AnsweredMission: Equatable, Sendable {
    /// The number of example photos.
    public static let exampleCountMax = 3

    public var mission: Mission
    /// The photos that are shown to all.
    public var photoCount: Int
    /// Whether a photo of the viewer answers it, shown to others or not.
    public var isAnswered: Bool
    /// The newest of them whose thumbnails are here, at most `exampleCountMax`.
    public var examples: [PhotoID]

    public init(mission: Mission, photoCount: Int, isAnswered: Bool, examples: [PhotoID]) {
        self.mission = mission
        self.photoCount = photoCount
        self.isAnswered = isAnswered
        self.examples = examples
    }
}

/// The photos that were added in the same quarter of an hour.
public struct PhotoQuarter: Equatable, Sendable {
    /// The number of 15 minutes since 1970 UTC; time zones differ by whole quarters.
    public var number: UInt64
    public var count: Int
    /// The newest of them whose thumbnail is here; `nil` if there is none.
    public var example: PhotoID?

    public init(number: UInt64, count: Int, example: PhotoID?) {
        self.number = number
        self.count = count
        self.example = example
    }
}

/// A part of the photos that are shown to all.
public enum PhotoGroup: Equatable, Sendable {
    case all
    /// The photos that organizers have made highlights.
    case highlights
    /// The photos of the moment of this day.
    case moment(UInt32)
    /// The photos that answer the mission with this id.
    case mission(UInt32)
    /// The photos that came in at nodes with this zone.
    case zone(String)
}

/// A zone at which photos came in that are shown to all.
public struct ZoneCount: Equatable, Sendable {
    public var name: String
    public var photoCount: Int

    public init(name: String, photoCount: Int) {
        self.name = name
        self.photoCount = photoCount
    }
}

/// An author of visible photos.
public struct Photographer: Equatable, Sendable {
    public var author: AuthorID
    /// `nil` if it has given no name, or its name is not here.
    public var name: String?
    public var photoCount: Int

    public init(author: AuthorID, name: String?, photoCount: Int) {
        self.author = author
        self.name = name
        self.photoCount = photoCount
    }
}

/// The authors with the most visible photos, and the number of all.
public struct PhotographerPage: Equatable, Sendable {
    public var photographers: [Photographer]
    /// The number of all authors, listed or not.
    public var totalCount: Int

    public init(photographers: [Photographer], totalCount: Int) {
        self.photographers = photographers
        self.totalCount = totalCount
    }
}

/// The ticket of a guest.
public struct GuestTicket: Equatable, Sendable {
    /// Whether the guest needs a ticket to add photos, and has none.
    public var isMissing: Bool
    /// The number of the ticket that the guest has.
    public var number: UInt64?
    /// The number of a ticket that the guest has used and somebody else holds.
    public var lostNumber: UInt64?

    public init(isMissing: Bool, number: UInt64? = nil, lostNumber: UInt64? = nil) {
        (self.isMissing, self.number, self.lostNumber) = (isMissing, number, lostNumber)
    }
}
