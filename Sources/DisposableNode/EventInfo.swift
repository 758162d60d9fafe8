// SPDX-License-Identifier: Apache-2.0

/// An event as shown to people with a node: its charter, its people and their roles, and its figures. The figures are
/// computed from operations that all nodes have; views and downloads are not counted.
public struct EventInfo: Codable, Sendable, Equatable {
    public struct Person: Codable, Sendable, Equatable {
        public var name: String?
        /// The person's public key.
        public var key: String
        /// `organizer`, `moderator`, `page`, `photographer`; none for a participant.
        public var roles: [String]
        /// The number of photos in the gallery.
        public var photoCount: Int
        public var framesUsed: Int
        /// Absent if unlimited.
        public var frames: UInt64?
        /// The zone of the person's node, if it has one.
        public var zone: String?
        public var isMe: Bool
        /// Whether the person has left; earlier annotations stay.
        public var hasLeft: Bool
    }
    public struct Hour: Codable, Sendable, Equatable {
        /// Milliseconds since 1970 UTC.
        public var startsAt: UInt64
        public var photoCount: Int
    }
    /// The protection of photos before they are shown.
    public enum Sealing: String, Codable, Sendable {
        /// None: photos are open at once.
        case none
        /// The first of three levels: organizers' nodes can open them earlier.
        case organizers
        /// The second: only several organizers together can.
        case shared
        /// All photos are revealed.
        case revealed
    }

    /// The times that follow from the charter, in milliseconds since 1970 UTC.
    public struct Times: Codable, Sendable, Equatable {
        public var endsAt: UInt64
        /// When the event is over: its end, or when it was closed before.
        public var overAt: UInt64
        /// Until when photos are accepted; `nil` if photos of any time are.
        public var acceptsUntil: UInt64?
        public var expiresAt: UInt64
        /// The planned time of the reveal, if there is one and it is in the future.
        public var revealsAt: UInt64?
    }
    public struct Photos: Codable, Sendable, Equatable {
        public var photoCount: Int
        /// Photos without a frame.
        public var waitingCount: Int
        /// Photos that wait for a moderator's approval.
        public var pendingCount: Int
        public var hiddenCount: Int
        /// Photos that guests asked for and no moderator has decided about.
        public var veiledCount: Int
        public var removedCount: Int
        /// The photos that wait because they were added before the start or too late after the end.
        public var untimelyCount: Int
        /// The bytes of the photos' shared files, as far as known here.
        public var byteCount: UInt64
        /// The number of photos that answer each mission of the parameters and are shown to all.
        public var missionCounts: [Int]
        /// The photos that are shown as the event's cover and plan, by their ids; absent without one.
        public var cover: String?
        public var plan: String?
        /// The hours in which photos were added, earliest first.
        public var hours: [Hour]
    }
    public struct Remarks: Codable, Sendable, Equatable {
        public var captionCount: Int
        public var commentCount: Int
        public var reactionCount: Int
        public var noticeCount: Int
    }
    public struct Members: Codable, Sendable, Equatable {
        public var personCount: Int
        public var deviceCount: Int
        public var framesUsed: Int
        /// Absent if the quota is unlimited.
        public var framesLeft: UInt64?
        /// The number of members that have agreed to the current consent text.
        public var consentCount: Int
        public var people: [Person]
    }

    public var event: String
    public var parameters: EventParameters
    /// `draft`, `open`, `closed`, `revealed` or `expired`.
    public var phase: String
    /// Whether an organizer has deleted it on every node.
    public var isDeleted: Bool
    public var sealing: Sealing
    public var isOrganizer: Bool
    /// Whether this machine has the event key.
    public var hasEventKey: Bool
    public var times: Times
    public var photos: Photos
    public var remarks: Remarks
    public var members: Members
}

/// One JSON object without groups, but for `parameters`.
extension EventInfo {
    private enum CodingKeys: String, CodingKey {
        case event, parameters, phase, isDeleted, sealing, isOrganizer, hasEventKey
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        event = try values.decode(String.self, forKey: .event)
        parameters = try values.decode(EventParameters.self, forKey: .parameters)
        phase = try values.decode(String.self, forKey: .phase)
        isDeleted = try values.decode(Bool.self, forKey: .isDeleted)
        sealing = try values.decode(Sealing.self, forKey: .sealing)
        isOrganizer = try values.decode(Bool.self, forKey: .isOrganizer)
        hasEventKey = try values.decode(Bool.self, forKey: .hasEventKey)
        times = try Times(from: decoder)
        photos = try Photos(from: decoder)
        remarks = try Remarks(from: decoder)
        members = try Members(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(event, forKey: .event)
        try values.encode(parameters, forKey: .parameters)
        try values.encode(phase, forKey: .phase)
        try values.encode(isDeleted, forKey: .isDeleted)
        try values.encode(sealing, forKey: .sealing)
        try values.encode(isOrganizer, forKey: .isOrganizer)
        try values.encode(hasEventKey, forKey: .hasEventKey)
        for group in [times, photos, remarks, members] as [any Encodable] { try group.encode(to: encoder) }
    }
}
