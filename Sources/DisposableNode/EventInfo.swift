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

    public var event: String
    public var parameters: EventParameters
    /// `draft`, `open`, `closed`, `revealed` or `expired`.
    public var phase: String
    /// Milliseconds since 1970 UTC.
    public var endsAt: UInt64
    /// When the event is over: its end, or when it was closed before.
    public var overAt: UInt64
    /// Until when photos are accepted; `nil` if photos of any time are.
    public var acceptsUntil: UInt64?
    /// The photos that wait because they were added before the start or too late after the end.
    public var untimelyCount: Int
    public var expiresAt: UInt64
    /// Whether an organizer has deleted it on every node.
    public var isDeleted: Bool
    /// The planned time of the reveal, if there is one and it is in the future.
    public var revealsAt: UInt64?
    public var sealing: Sealing
    public var isOrganizer: Bool
    /// Whether this machine has the event key.
    public var hasEventKey: Bool

    public var photoCount: Int
    /// Photos without a frame.
    public var waitingCount: Int
    /// Photos that wait for a moderator's approval.
    public var pendingCount: Int
    public var hiddenCount: Int
    /// Photos that guests asked for and no moderator has decided about.
    public var veiledCount: Int
    public var removedCount: Int
    public var personCount: Int
    public var deviceCount: Int
    public var framesUsed: Int
    /// Absent if the quota is unlimited.
    public var framesLeft: UInt64?
    /// The bytes of the photos' shared files, as far as known here.
    public var byteCount: UInt64
    public var captionCount: Int
    public var commentCount: Int
    public var reactionCount: Int
    public var noticeCount: Int
    /// The number of members that have agreed to the current consent text.
    public var consentCount: Int
    /// The number of photos that answer each mission of the parameters and are shown to all.
    public var missionCounts: [Int]
    /// The photos that are shown as the event's cover and plan, by their ids; absent without one.
    public var cover: String?
    public var plan: String?
    /// The hours in which photos were added, earliest first.
    public var hours: [Hour]
    public var people: [Person]
}
