// SPDX-License-Identifier: Apache-2.0

/// A photo as pages and the desk show it: the one read model of it, between `Photo` and JSON.
public struct AlbumPhoto: Equatable, Sendable {
    /// Its place in the gallery and the people who see it, with the photo's frame.
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
        /// A moderator has hidden it.
        case hidden

        /// The state of a photo that is not withdrawn.
        /// - Parameters:
        ///   - status: the photo's status by the fold.
        ///   - isSealed: whether only its author sees it so far.
        ///   - isPlan: whether it is the event's plan.
        public init(_ status: PhotoStatus, isSealed: Bool, isPlan: Bool) {
            switch status {
            case .frame(let frame): self = isSealed ? .sealed(frame) : isPlan ? .plan(frame) : .frame(frame)
            case .pending(let frame): self = .pending(frame)
            case .veiled(let frame): self = .veiled(frame)
            case .hidden: self = .hidden
            case .waiting, .removed, .erased: self = .waiting
            }
        }
    }

    /// Its frame; `nil` for one that waits or is hidden.
    public var frame: UInt64? {
        switch state {
        case .frame(let frame), .plan(let frame), .sealed(let frame), .pending(let frame), .veiled(let frame): frame
        case .waiting, .hidden: nil
        }
    }
    public var isPending: Bool { if case .pending = state { true } else { false } }
    public var isVeiled: Bool { if case .veiled = state { true } else { false } }

    public var id: PhotoID
    public var author: AuthorID
    /// The author's name; `nil` if there is none, or it is not here.
    public var authorName: String?
    public var state: State
    /// Whether only its author sees it so far; also for one that is pending.
    public var isSealed: Bool
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
    public var context: Context
    /// The turn by its author.
    public var turn: PhotoTurn

    /// The parts of the event to which it belongs.
    public struct Context: Equatable, Sendable {
        public var moment: MomentVerdict?
        /// The mission that it answers.
        public var mission: Mission?
        /// The place on the event's plan where its author has put it.
        public var spot: Spot?
        /// The zone of the node that took it in.
        public var zone: String?

        public init() {}
    }

    public init(
        id: PhotoID, author: AuthorID, authorName: String?, state: State, isSealed: Bool = false,
        addedAtMilliseconds: UInt64, takenAtMilliseconds: UInt64?, width: UInt32, height: UInt32, mediaType: MediaType, byteCount: UInt64?,
        available: Set<BlobClass>, caption: String? = nil, commentCount: Int = 0,
        reactions: [Unicode.Scalar: Set<AuthorID>] = [:], isHighlight: Bool = false, moment: MomentVerdict? = nil,
        mission: Mission? = nil, spot: Spot? = nil, zone: String? = nil, turn: PhotoTurn = .none
    ) {
        self.id = id
        self.author = author
        self.authorName = authorName
        self.state = state
        self.isSealed = isSealed
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
        context = Context()
        (context.moment, context.mission, context.spot, context.zone) = (moment, mission, spot, zone)
        self.turn = turn
    }
}

/// Photos in the gallery's order, newest first.
public struct PhotoPage: Equatable, Sendable {
    public var photos: [AlbumPhoto]
    /// The last photo of this page, which keeps its position when it is withdrawn; `nil` on the last page.
    public var next: PhotoID?
    /// The count over all pages.
    public var totalCount: Int
    /// The time of the oldest photo of all pages, in milliseconds since 1970 UTC; `nil` without photos.
    public var earliestMilliseconds: UInt64?

    public init(photos: [AlbumPhoto], next: PhotoID?, totalCount: Int, earliestMilliseconds: UInt64?) {
        self.photos = photos
        self.next = next
        self.totalCount = totalCount
        self.earliestMilliseconds = earliestMilliseconds
    }
}
