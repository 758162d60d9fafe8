// SPDX-License-Identifier: Apache-2.0

public struct EventStatus: Codable, Sendable, Equatable {
    public var event: String
    public var name: String
    public var isOrganizer: Bool
    public var isAdmitted: Bool
    /// Whether an effective revocation has removed this node from the event.
    public var isPutOut: Bool
    /// `null` until the event's charter is here.
    public var digest: String?
    /// Whether an organizer has signed an operation that only a newer version understands; then there is no digest.
    public var needsNewerVersion: Bool
    /// `draft`, `open`, `closed`, `revealed` or `expired`; `null` until the event's charter is here.
    public var phase: String?
    /// Milliseconds since 1970 UTC; `null` likewise.
    public var endsAt: UInt64?
    public var photoCount: Int
    /// The number of those that are shown only to their authors so far.
    public var sealedCount: Int
    /// Photos that wait for a moderator's approval, not counted above.
    public var pendingCount: Int
    /// Photos that guests asked for and no moderator has decided about, not counted above.
    public var veiledCount: Int
    /// Photos whose originals are all here.
    public var completeCount: Int
    public var missingBlobCount: Int
    public var operationCount: Int
    public var memberCount: Int
    public var framesUsed: Int
    /// Absent if unlimited.
    public var frames: UInt64?
    public var listen: String?
    /// `daemon`, `embedded` or `off`.
    public var discovery: String
    public var peers: [PeerInfo]
    /// Since the node's start, over all connections; sent are bytes that the network has accepted.
    public var receivedByteCount: UInt64
    public var sentByteCount: UInt64
    /// The number of withdrawn photos and annotations that are still to be purged here.
    public var toDestroyCount: Int
    /// The end of retention on this node, in milliseconds since 1970 UTC; `null` until the event's charter is here.
    public var expiresAt: UInt64?
    public var copies: CopyCounts
    /// The inventories of the other nodes.
    public var nodes: [NodeClaim]
    public var epoch: EpochStatus
    /// The address of this node's guests' page; absent if it serves only its own machine.
    public var guestURL: String?
    /// The other portals, as far as known.
    public var otherPages: [OtherPagesInfo]
    public var problems: [String]
    /// Sponsor trees with waiting operations, those with the most first.
    public var waiting: [WaitingTreeInfo]
    /// The organizers' notices, oldest first.
    public var notices: [RemarkInfo]
    /// Absent if the event has no moments.
    public var moments: MomentInfo?
}

/// The moments of an event, as far as they are known to guests.
public struct MomentInfo: Codable, Sendable, Equatable {
    public struct Entry: Codable, Sendable, Equatable {
        /// The day of the event, from 1.
        public var day: UInt32
        /// Milliseconds since 1970 UTC.
        public var startsAt: UInt64
        public var endsAt: UInt64
        public var photoCount: Int
        public var lateCount: Int
        /// The value from which the minute follows, in hexadecimal; absent while the moment runs.
        public var link: String?
    }
    /// In hexadecimal.
    public var commitment: String
    /// Whether this machine's clock can be right. If not, nothing runs here and nothing is over.
    public var isClockSet: Bool
    public var running: Entry?
    public var past: [Entry]
}

/// A sponsor tree that has used up the budget of this node; its further operations wait.
public struct WaitingTreeInfo: Codable, Sendable, Equatable {
    /// The device that admitted the others.
    public var device: String
    /// The name of its person, or the start of its key.
    public var name: String
    /// The number of devices, with the sponsor.
    public var deviceCount: Int
    /// Operations waiting at this node; peers may hold back more.
    public var operationCount: Int
    public var byteCount: Int
    /// The units that are stored here (protocol/disposable-v1.md §6.13).
    public var unitCount: Int
    /// Whether an organizer gave the device a role.
    public var isEstablished: Bool
}

/// Another portal.
public struct OtherPagesInfo: Codable, Sendable, Equatable {
    public var device: String
    public var name: String?
    /// `10.0.0.7:8027`
    public var addresses: [String]
}

/// The numbers of shown photos by their known copies, according to inventories.
public struct CopyCounts: Codable, Sendable, Equatable {
    public var here = 0
    /// On two nodes, of which this one may be one.
    public var onTwoMachines = 0
    /// On this node, if it is an organizer's.
    public var onOrganizers = 0
    /// In the inventories of two other nodes, or of another one that is an organizer's.
    public var confirmed = 0
}

/// The latest inventory of a node: a claim of a certain age.
public struct NodeClaim: Codable, Sendable, Equatable {
    public var device: String
    /// Its person's name, or the start of its key.
    public var name: String
    public var isOrganizer: Bool
    public var originalCount: Int
    /// The number of withdrawn photos that it has purged.
    public var destroyedCount: Int
    /// ISO 8601, by this node's clock: the time of the claim.
    public var heardAt: String
    public var isConnected: Bool
}

public struct PeerInfo: Codable, Sendable, Equatable {
    public var device: String
    public var name: String?
    public var address: String
    public var isAdmitted: Bool
    public var isSynchronized: Bool
    /// The difference of its clock to this node's; negative if its clock is behind.
    public var clockDifferenceMilliseconds: Int64?
    public var roundTripMilliseconds: UInt64?
    public var receivedByteCount: UInt64
    public var sentByteCount: UInt64
}
