// SPDX-License-Identifier: Apache-2.0
public import DisposableModel

/// A photo of the gallery, one JSON object without groups.
public struct GalleryPhoto: Codable, Sendable, Equatable {
    public var id: String
    /// The name of the author, or the start of the device's key if it has none.
    public var author: String
    public var device: String
    public var frame: UInt64?
    /// ISO 8601, by the camera; absent if unknown.
    public var takenAt: String?
    /// ISO 8601, the time of adding.
    public var addedAt: String
    public var picture: Picture
    /// `complete`: the original is here. `preview`, `thumbnail`: the largest that is. `announced`: nothing is yet.
    /// `sealed`: not shown yet. `pending`: until a moderator approves it. `veiled`: until one
    /// decides what a guest has asked for. `waiting`: without a frame. `removed`.
    public var state: String
    public var isMine: Bool
    /// Its author's caption.
    public var caption: RemarkInfo?
    /// The number of people behind each emoji.
    public var reactions: [String: Int]
    /// Oldest first.
    public var comments: [RemarkInfo]
    /// The moment to which it belongs, if any.
    public var moment: MomentVerdict?
    /// The mission that it answers, if any.
    public var mission: Mission?
    /// The place on the event's plan, if it has one.
    public var spot: Spot?
    /// The zone of the node that took it in, if it has one.
    public var zone: String?

    /// The original file.
    public struct Picture: Codable, Sendable, Equatable {
        public var byteCount: UInt64?
        public var sha256: String?
        public var mediaType: String
        public var width: UInt32
        public var height: UInt32
        /// Degrees clockwise by which its author has turned it; absent for 0.
        public var turn: Int?
    }
}

extension GalleryPhoto {
    private enum CodingKeys: String, CodingKey {
        case id, author, device, frame, takenAt, addedAt, state, isMine, caption, reactions, comments, moment, mission
        case spot, zone
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        author = try values.decode(String.self, forKey: .author)
        device = try values.decode(String.self, forKey: .device)
        frame = try values.decodeIfPresent(UInt64.self, forKey: .frame)
        takenAt = try values.decodeIfPresent(String.self, forKey: .takenAt)
        addedAt = try values.decode(String.self, forKey: .addedAt)
        picture = try Picture(from: decoder)
        state = try values.decode(String.self, forKey: .state)
        isMine = try values.decode(Bool.self, forKey: .isMine)
        caption = try values.decodeIfPresent(RemarkInfo.self, forKey: .caption)
        reactions = try values.decode([String: Int].self, forKey: .reactions)
        comments = try values.decode([RemarkInfo].self, forKey: .comments)
        moment = try values.decodeIfPresent(MomentVerdict.self, forKey: .moment)
        mission = try values.decodeIfPresent(Mission.self, forKey: .mission)
        spot = try values.decodeIfPresent(Spot.self, forKey: .spot)
        zone = try values.decodeIfPresent(String.self, forKey: .zone)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(author, forKey: .author)
        try values.encode(device, forKey: .device)
        try values.encodeIfPresent(frame, forKey: .frame)
        try values.encodeIfPresent(takenAt, forKey: .takenAt)
        try values.encode(addedAt, forKey: .addedAt)
        try picture.encode(to: encoder)
        try values.encode(state, forKey: .state)
        try values.encode(isMine, forKey: .isMine)
        try values.encodeIfPresent(caption, forKey: .caption)
        try values.encode(reactions, forKey: .reactions)
        try values.encode(comments, forKey: .comments)
        try values.encodeIfPresent(moment, forKey: .moment)
        try values.encodeIfPresent(mission, forKey: .mission)
        try values.encodeIfPresent(spot, forKey: .spot)
        try values.encodeIfPresent(zone, forKey: .zone)
    }
}

public struct AddedPhoto: Codable, Sendable, Equatable {
    public var file: String
    public var id: String
    public var frame: UInt64?
    public var byteCount: UInt64
    /// The hash of the shared bytes, which every export has.
    public var sha256: String
    /// The hash of the original file.
    public var sourceSha256: String
    public var warnings: [String]
}

public struct SkippedFile: Codable, Sendable, Equatable {
    public var file: String
    public var reason: String
    /// False for a file that is already in the gallery.
    public var isFailure: Bool
}

/// A caption, a comment or a notice.
public struct RemarkInfo: Codable, Sendable, Equatable {
    /// The id with which it can be deleted.
    public var id: String
    /// The author's name, or the start of the key.
    public var author: String
    /// ISO 8601.
    public var saidAt: String
    public var text: String
}

/// The nodes that have a photo, or have purged it.
public struct PhotoCopies: Codable, Sendable, Equatable {
    public var photo: String
    public var isHere: Bool
    public var isOnTwoMachines: Bool
    public var isOnOrganizers: Bool
    /// Whether it was withdrawn and purged here.
    public var isDestroyedHere: Bool
    /// The event's nodes, this one included.
    public var nodeCount: Int
    public var confirmedBy: [NodeClaim]
    public var destroyedBy: [NodeClaim]
}

public struct ExportedFile: Codable, Sendable, Equatable {
    public var file: String
    public var photo: String
    public var byteCount: UInt64
    public var sha256: String
    /// False if the same file was already there.
    public var isNew: Bool
    /// The reason why it could not be written; `nil` if it was.
    public var problem: String?
}
