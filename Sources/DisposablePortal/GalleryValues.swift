// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// The text that guests agree to before they add photos.
public struct PortalConsent: Equatable, Sendable {
    /// The hash of the whole text, which identifies its version.
    public var text: ConsentText
    /// Whether the requested guest has agreed, here or at another node.
    public var isGiven: Bool

    public init(text: ConsentText, isGiven: Bool) {
        self.text = text
        self.isGiven = isGiven
    }
}

/// The moments of the event, as far as guests may know them.
public struct PortalMoments: Equatable, Sendable {
    public struct Entry: Equatable, Sendable {
        public var moment: Moment
        /// The value from which its minute follows; `nil` while it runs.
        public var link: Bytes32?
        /// The photos of the moment that are shown to all.
        public var photoCount: Int
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
public struct PortalMission: Equatable, Sendable {
    public var mission: Mission
    /// The photos that are shown to all.
    public var photoCount: Int
    /// Whether a photo of the viewer answers it, shown to others or not.
    public var isAnswered: Bool
    /// The newest of them whose thumbnails are here, a few.
    public var examples: [PhotoID]

    public init(mission: Mission, photoCount: Int, isAnswered: Bool, examples: [PhotoID]) {
        self.mission = mission
        self.photoCount = photoCount
        self.isAnswered = isAnswered
        self.examples = examples
    }
}

/// Another portal of the event.
public struct OtherPages: Equatable, Sendable {
    public var node: DeviceID
    /// The name of its person.
    public var name: String?
    /// `10.0.0.7:8027`, at most four.
    public var authorities: [String]

    public init(node: DeviceID, name: String?, authorities: [String]) {
        self.node = node
        self.name = name
        self.authorities = authorities
    }
}

/// The frames that a guest has given and received, and the possible recipients.
public struct PortalGifts: Equatable, Sendable {
    public struct Person: Equatable, Sendable {
        public var author: AuthorID
        public var name: String?
        /// Frames.
        public var count: Int

        public init(author: AuthorID, name: String?, count: Int) {
            self.author = author
            self.name = name
            self.count = count
        }
    }
    /// The number of frames that the guest can give now.
    public var left: Int
    public var received: [Person]
    public var given: [Person]
    /// With the number of frames that each can still receive.
    public var people: [Person]
    /// The number of such people, listed or not.
    public var peopleCount: Int

    public init(left: Int, received: [Person], given: [Person], people: [Person], peopleCount: Int) {
        self.left = left
        self.received = received
        self.given = given
        self.people = people
        self.peopleCount = peopleCount
    }
}

/// A notice of an organizer.
public struct PortalNotice: Equatable, Sendable {
    /// In hexadecimal, identifies the notice.
    public var id: String
    public var text: String
    /// Milliseconds since 1970 UTC.
    public var saidAtMilliseconds: UInt64

    public init(id: String, text: String, saidAtMilliseconds: UInt64) {
        self.id = id
        self.text = text
        self.saidAtMilliseconds = saidAtMilliseconds
    }
}

/// A comment on a photo.
public struct PortalComment: Equatable, Sendable {
    public var id: OperationID
    public var author: AuthorID
    public var authorName: String?
    /// Milliseconds since 1970 UTC.
    public var saidAtMilliseconds: UInt64
    public var text: String

    public init(id: OperationID, author: AuthorID, authorName: String?, saidAtMilliseconds: UInt64, text: String) {
        self.id = id
        self.author = author
        self.authorName = authorName
        self.saidAtMilliseconds = saidAtMilliseconds
        self.text = text
    }
}

/// A run of consecutive comments on a photo.
public struct CommentPage: Equatable, Sendable {
    /// Oldest first.
    public var comments: [PortalComment]
    /// The number of older comments.
    public var earlierCount: Int

    public init(comments: [PortalComment], earlierCount: Int) {
        self.comments = comments
        self.earlierCount = earlierCount
    }
}

/// Photos that only their authors see so far.
public struct SealedPhotos: Equatable, Sendable {
    /// The number of photos of all authors.
    public var count: Int
    /// The planned time of the reveal, in milliseconds since 1970 UTC; `nil` if an organizer decides, or never.
    public var revealsAtMilliseconds: UInt64?
    /// Whether they are for organizers only.
    public var isForOrganizers: Bool
    /// The X25519 key to which guests' pages seal photos, 32 bytes; `nil` if this node does it.
    public var pageKey: Bytes32?

    public init(count: Int, revealsAtMilliseconds: UInt64?, isForOrganizers: Bool, pageKey: Bytes32? = nil) {
        self.count = count
        self.revealsAtMilliseconds = revealsAtMilliseconds
        self.isForOrganizers = isForOrganizers
        self.pageKey = pageKey
    }
}

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

public struct GuestStatus: Equatable, Sendable {
    /// Whether the guest has entered here or at any node whose operations are here.
    public var hasEntered: Bool
    /// Whether the guest was removed from the event.
    public var isRemoved: Bool
    public var name: String?
    public var usedFrameCount: Int
    /// `nil` without a limit.
    public var frameLimit: UInt64?

    public init(
        hasEntered: Bool, isRemoved: Bool = false, name: String?, usedFrameCount: Int, frameLimit: UInt64?
    ) {
        self.hasEntered = hasEntered
        self.isRemoved = isRemoved
        self.name = name
        self.usedFrameCount = usedFrameCount
        self.frameLimit = frameLimit
    }
}
