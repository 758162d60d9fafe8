// SPDX-License-Identifier: Apache-2.0

// Values about guests that nodes and portals exchange.

/// A guest of a portal, as all nodes know it.
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

/// The removal of a guest's photo that can still be undone.
public struct PendingRemoval: Equatable, Sendable {
    public let photo: PhotoID
    /// The time at which it is removed for everybody, in milliseconds since 1970 UTC.
    public let dueAtMilliseconds: UInt64

    public init(photo: PhotoID, dueAtMilliseconds: UInt64) {
        self.photo = photo
        self.dueAtMilliseconds = dueAtMilliseconds
    }
}

/// The text that guests agree to before they add photos.
public struct GuestConsent: Equatable, Sendable {
    /// The hash of the whole text, which identifies its version.
    public var text: ConsentText
    /// Whether the requested guest has agreed, here or at another node.
    public var isGiven: Bool

    public init(text: ConsentText, isGiven: Bool) {
        self.text = text
        self.isGiven = isGiven
    }
}

/// The frames that a guest has given and received, and the possible recipients.
public struct GuestGifts: Equatable, Sendable {
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
    /// The givers, by name.
    public var received: [Person]
    /// The recipients, by name.
    public var given: [Person]
    /// The people with a name who can receive frames, by name, with the number of frames that each can still receive;
    /// empty if there is none to give.
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

/// A comment on a photo.
public struct PhotoComment: Equatable, Sendable {
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
    public var comments: [PhotoComment]
    /// The number of older comments.
    public var earlierCount: Int

    public init(comments: [PhotoComment], earlierCount: Int) {
        self.comments = comments
        self.earlierCount = earlierCount
    }
}
