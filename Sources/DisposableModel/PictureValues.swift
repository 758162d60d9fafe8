// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

// Values about the event's pictures and about previews that nodes and portals exchange.

/// The uses that an organizer has for a photo.
public enum PictureRole: UInt8, CaseIterable, Codable, Sendable {
    /// Shown with the event's name.
    case cover = 1
    /// A map of the place, on which photos have spots. The photo is not shown among the others.
    case plan = 2
}

/// A place on a plan as it is displayed, with its orientation applied.
public struct Spot: Codable, Equatable, Hashable, Sendable {
    /// The distance from the left edge: 0 to 65,535 is the whole width.
    public let x: UInt16
    /// The distance from the top edge: 0 to 65,535 is the whole height.
    public let y: UInt16

    /// Added to the argument of a picture or a spot to take it off.
    public static let takenOff: UInt64 = 1 << 32

    public init(x: UInt16, y: UInt16) { (self.x, self.y) = (x, y) }

    /// The first 31 bits of a plan's id: a spot is shown on this plan only.
    static func tag(of plan: PhotoID) -> UInt64 {
        plan.bytes32.bytes.prefix(4).reduce(0) { $0 << 8 | UInt64($1) } >> 1
    }

    /// Returns the argument of the operation that puts a photo on the plan here.
    public func argument(on plan: PhotoID) -> UInt64 { Self.tag(of: plan) << 33 | UInt64(x) << 16 | UInt64(y) }
}

/// A part of a plan: all spots from the first corner to the second, with those on its edges.
public struct SpotBox: Equatable, Sendable {
    public let from: Spot
    public let to: Spot

    public static let all = SpotBox(from: Spot(x: 0, y: 0), to: Spot(x: .max, y: .max))

    public init(from: Spot, to: Spot) { (self.from, self.to) = (from, to) }

    public func contains(_ spot: Spot) -> Bool {
        spot.x >= from.x && spot.x <= to.x && spot.y >= from.y && spot.y <= to.y
    }
}

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
