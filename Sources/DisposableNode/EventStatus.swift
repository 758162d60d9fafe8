// SPDX-License-Identifier: Apache-2.0

/// The state of an event on one node.
public struct EventStatus: Codable, Sendable, Equatable {
    /// The numbers of photos, of their files here, and of this person's frames.
    public struct Photos: Codable, Sendable, Equatable {
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
        /// The number of withdrawn photos and annotations that are still to be purged here.
        public var toDestroyCount: Int
        public var copies: CopyCounts
        public var framesUsed: Int
        /// Absent if unlimited.
        public var frames: UInt64?
    }
    /// The event's operations, as far as they are known here.
    public struct Operations: Codable, Sendable, Equatable {
        /// `null` until the event's charter is here.
        public var digest: String?
        /// Whether an organizer has signed an operation that only a newer version understands; then there is no digest.
        public var needsNewerVersion: Bool
        public var operationCount: Int
        public var memberCount: Int
        public var epoch: EpochStatus
        /// Sponsor trees with waiting operations, those with the most first.
        public var waiting: [WaitingTreeInfo]
    }
    /// The node's connections, and the other nodes of the event.
    public struct Network: Codable, Sendable, Equatable {
        public var listen: String?
        /// `daemon`, `embedded` or `off`.
        public var discovery: String
        public var peers: [PeerInfo]
        /// Since the node's start, over all connections; sent are bytes that the network has accepted.
        public var receivedByteCount: UInt64
        public var sentByteCount: UInt64
        /// The inventories of the other nodes.
        public var nodes: [NodeClaim]
        /// The address of this node's guests' page; absent if it serves only its own machine.
        public var guestURL: String?
        /// The other portals, as far as known.
        public var otherPages: [OtherPagesInfo]
        /// The program that this node's pages offer for guests' computers; absent if they offer none.
        public var program: ProgramInfo?
    }

    public var event: String
    public var name: String
    public var isOrganizer: Bool
    public var isAdmitted: Bool
    /// Whether an effective revocation has removed this node from the event.
    public var isPutOut: Bool
    /// `draft`, `open`, `closed`, `revealed` or `expired`; `null` until the event's charter is here.
    public var phase: String?
    /// Milliseconds since 1970 UTC; `null` likewise.
    public var endsAt: UInt64?
    /// The end of retention on this node, in milliseconds since 1970 UTC; `null` until the event's charter is here.
    public var expiresAt: UInt64?
    public var photos: Photos
    public var operations: Operations
    public var network: Network
    public var problems: [String]
    /// The organizers' notices, oldest first.
    public var notices: [RemarkInfo]
    /// Absent if the event has no moments.
    public var moments: MomentInfo?
    /// True if this node only reads the event, because its gallery is joined with that of another; otherwise absent.
    public var isReader: Bool?
}

/// One JSON object without groups.
extension EventStatus {
    private enum CodingKeys: String, CodingKey {
        case event, name, isOrganizer, isAdmitted, isPutOut, phase, endsAt, expiresAt, problems, notices, moments,
            isReader
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        event = try values.decode(String.self, forKey: .event)
        name = try values.decode(String.self, forKey: .name)
        isOrganizer = try values.decode(Bool.self, forKey: .isOrganizer)
        isAdmitted = try values.decode(Bool.self, forKey: .isAdmitted)
        isPutOut = try values.decode(Bool.self, forKey: .isPutOut)
        phase = try values.decodeIfPresent(String.self, forKey: .phase)
        endsAt = try values.decodeIfPresent(UInt64.self, forKey: .endsAt)
        expiresAt = try values.decodeIfPresent(UInt64.self, forKey: .expiresAt)
        problems = try values.decode([String].self, forKey: .problems)
        notices = try values.decode([RemarkInfo].self, forKey: .notices)
        moments = try values.decodeIfPresent(MomentInfo.self, forKey: .moments)
        isReader = try values.decodeIfPresent(Bool.self, forKey: .isReader)
        photos = try Photos(from: decoder)
        operations = try Operations(from: decoder)
        network = try Network(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(event, forKey: .event)
        try values.encode(name, forKey: .name)
        try values.encode(isOrganizer, forKey: .isOrganizer)
        try values.encode(isAdmitted, forKey: .isAdmitted)
        try values.encode(isPutOut, forKey: .isPutOut)
        try values.encodeIfPresent(phase, forKey: .phase)
        try values.encodeIfPresent(endsAt, forKey: .endsAt)
        try values.encodeIfPresent(expiresAt, forKey: .expiresAt)
        try values.encode(problems, forKey: .problems)
        try values.encode(notices, forKey: .notices)
        try values.encodeIfPresent(moments, forKey: .moments)
        try values.encodeIfPresent(isReader, forKey: .isReader)
        for group in [photos, operations, network] as [any Encodable] { try group.encode(to: encoder) }
    }
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
