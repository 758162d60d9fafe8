// SPDX-License-Identifier: Apache-2.0
public import DisposableModel

/// A photo with the details that pages show.
public struct PortalPhoto: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        case frame(UInt64)
        /// It is the event's plan, which is not shown among the photos.
        case plan(UInt64)
        /// It is sealed: only its author sees it so far.
        case sealed(UInt64)
        /// The same, until a moderator approves it.
        case pending(UInt64)
        /// The same, until a moderator decides what a guest has asked for.
        case veiled(UInt64)
        /// Its author has no free frame for it.
        case waiting
    }

    public var isVeiled: Bool { if case .veiled = state { true } else { false } }

    public var id: PhotoID
    public var author: AuthorID
    /// The author's name; `nil` if there is none, or it is not here.
    public var authorName: String?
    public var state: State
    /// Milliseconds since 1970 UTC, the order of the gallery.
    public var addedAtMilliseconds: UInt64
    public var takenAtMilliseconds: UInt64?
    /// In pixels after orientation; 0 if unknown.
    public var width: UInt32
    public var height: UInt32
    public var mediaType: MediaType
    /// The type of the original; `nil` if its description is not here.
    public var byteCount: UInt64?
    /// The classes of the blobs that are here.
    public var available: Set<BlobClass>
    /// Its author's caption.
    public var caption: String?
    public var commentCount: Int
    /// The authors of each reaction.
    public var reactions: [Unicode.Scalar: Set<AuthorID>]
    /// Whether an organizer has made it a highlight.
    public var isHighlight: Bool
    /// The moment to which it belongs.
    public var moment: MomentVerdict?
    /// The mission that it answers.
    public var mission: Mission?
    /// The place on the event's plan where its author has put it.
    public var spot: Spot?
    /// The turn by its author.
    public var turn: PhotoTurn

    public init(
        id: PhotoID, author: AuthorID, authorName: String?, state: State, addedAtMilliseconds: UInt64,
        takenAtMilliseconds: UInt64?, width: UInt32, height: UInt32, mediaType: MediaType, byteCount: UInt64?,
        available: Set<BlobClass>, caption: String? = nil, commentCount: Int = 0,
        reactions: [Unicode.Scalar: Set<AuthorID>] = [:], isHighlight: Bool = false, moment: MomentVerdict? = nil,
        mission: Mission? = nil, spot: Spot? = nil, turn: PhotoTurn = .none
    ) {
        self.id = id
        self.author = author
        self.authorName = authorName
        self.state = state
        self.addedAtMilliseconds = addedAtMilliseconds
        self.takenAtMilliseconds = takenAtMilliseconds
        self.width = width
        self.height = height
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.available = available
        self.caption = caption
        self.commentCount = commentCount
        self.reactions = reactions
        self.isHighlight = isHighlight
        self.moment = moment
        self.mission = mission
        self.spot = spot
        self.turn = turn
    }
}

/// A position in the gallery's order: everything before it is older.
public struct PhotoCursor: Equatable, Sendable {
    /// The last photo of the previous page; a withdrawn one keeps its position.
    public let photo: PhotoID
    public init(_ photo: PhotoID) { self.photo = photo }
}

public struct PhotoPage: Equatable, Sendable {
    public var photos: [PortalPhoto]
    /// `nil` on the last page.
    public var next: PhotoCursor?
    /// The count over all pages.
    public var totalCount: Int
    /// The time of the oldest photo of all pages, in milliseconds since 1970 UTC; `nil` without photos.
    public var earliestMilliseconds: UInt64?

    public init(photos: [PortalPhoto], next: PhotoCursor?, totalCount: Int, earliestMilliseconds: UInt64?) {
        self.photos = photos
        self.next = next
        self.totalCount = totalCount
        self.earliestMilliseconds = earliestMilliseconds
    }
}

/// The bytes of one blob, for reading in parts.
public struct PhotoBytes: Sendable {
    public let byteCount: UInt64
    public let mediaType: MediaType
    /// Blocks on the disk, so callers must not be on an event loop. Throws if the blob is no longer here.
    public let read: @Sendable (_ range: Range<UInt64>) throws -> [UInt8]

    public init(byteCount: UInt64, mediaType: MediaType, read: @escaping @Sendable (Range<UInt64>) throws -> [UInt8]) {
        self.byteCount = byteCount
        self.mediaType = mediaType
        self.read = read
    }
}
