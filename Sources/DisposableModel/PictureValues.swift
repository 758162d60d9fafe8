// SPDX-License-Identifier: Apache-2.0

// Values about the event's pictures and about previews that nodes and portals exchange.

/// A photo that organizers use as the event's cover or plan.
public struct ShownPicture: Equatable, Sendable {
    public var photo: PhotoID
    /// In pixels after orientation; 0 if unknown.
    public var width: UInt32
    public var height: UInt32

    public init(photo: PhotoID, width: UInt32, height: UInt32) {
        (self.photo, self.width, self.height) = (photo, width, height)
    }
}

/// The pictures of the event that are shown to all.
public struct EventPictures: Equatable, Sendable {
    public var cover: ShownPicture?
    public var plan: ShownPicture?

    public init(cover: ShownPicture? = nil, plan: ShownPicture? = nil) { (self.cover, self.plan) = (cover, plan) }
}

/// A photo on the plan.
public struct Pin: Equatable, Sendable {
    public var photo: PhotoID
    public var author: AuthorID
    public var authorName: String?
    public var spot: Spot

    public init(photo: PhotoID, author: AuthorID, authorName: String?, spot: Spot) {
        self.photo = photo
        self.author = author
        self.authorName = authorName
        self.spot = spot
    }
}

/// Photos of a part of the plan.
public struct PinPage: Equatable, Sendable {
    /// Newest first.
    public var pins: [Pin]
    /// All of the part of the plan, listed or not.
    public var totalCount: Int

    public init(pins: [Pin], totalCount: Int) { (self.pins, self.totalCount) = (pins, totalCount) }
}

/// The small pictures that this node made of a preview from a guest's page. JPEG without metadata.
public struct SmallPictures: Sendable {
    /// Pixels of the picture that they were made of, upright.
    public let width: UInt32
    public let height: UInt32
    public let thumbnail: [UInt8]
    public let preview: [UInt8]

    public init(width: UInt32, height: UInt32, thumbnail: [UInt8], preview: [UInt8]) {
        self.width = width
        self.height = height
        self.thumbnail = thumbnail
        self.preview = preview
    }
}
