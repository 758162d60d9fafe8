// SPDX-License-Identifier: Apache-2.0

/// An event as its organizer, and everybody with a node, sees it: what was decided, who may what, and how it goes.
///
/// Counted from what all nodes have. Nobody counts who looks at what or takes it home.
public struct EventInfo: Codable, Sendable, Equatable {
    public struct Person: Codable, Sendable, Equatable {
        public var name: String?
        /// The public key that the person speaks with.
        public var key: String
        /// `organizer`, `moderator`, `page`, `photographer`; none for a participant.
        public var roles: [String]
        /// Photos of the gallery.
        public var photoCount: Int
        public var framesUsed: Int
        /// Absent without a limit.
        public var frames: UInt64?
        public var isMe: Bool
        /// Whether the person has left; what it said stays.
        public var hasLeft: Bool
    }
    public struct Hour: Codable, Sendable, Equatable {
        /// Milliseconds since 1970 UTC.
        public var startsAt: UInt64
        public var photoCount: Int
    }
    /// What keeps photos closed until they are shown.
    public enum Sealing: String, Codable, Sendable {
        /// Nothing: photos are open as soon as they are there.
        case none
        /// The first of three levels: organizers' nodes could open them before.
        case organizers
        /// All are open now.
        case revealed
    }

    public var event: String
    public var parameters: EventParameters
    /// `draft`, `open`, `closed`, `revealed` or `expired`.
    public var phase: String
    /// Milliseconds since 1970 UTC.
    public var endsAt: UInt64
    public var expiresAt: UInt64
    /// When photos are to be shown, where a time says so and nothing shows them yet.
    public var revealsAt: UInt64?
    public var sealing: Sealing
    public var isOrganizer: Bool
    /// Whether the key that makes organizers is on this machine.
    public var hasEventKey: Bool

    public var photoCount: Int
    public var waitingCount: Int
    public var hiddenCount: Int
    public var removedCount: Int
    public var personCount: Int
    public var deviceCount: Int
    public var framesUsed: Int
    /// Absent where a roll has no limit.
    public var framesLeft: UInt64?
    /// Of the photos' shared files, as far as they are known here.
    public var byteCount: UInt64
    public var captionCount: Int
    public var commentCount: Int
    public var reactionCount: Int
    public var noticeCount: Int
    /// Of those who are in, how many have agreed to the text about their data as it is now.
    public var consentCount: Int
    /// Hours in which photos were added, the earliest first.
    public var hours: [Hour]
    public var people: [Person]
}
