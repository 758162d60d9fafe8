// SPDX-License-Identifier: Apache-2.0
/// What rotating comes to, or has come to.
public struct RotationInfo: Codable, Sendable, Equatable {
    public var event: String
    public var name: String
    /// How many secrets there have been after the first one.
    public var epoch: Int
    /// Members' nodes that have the current secret, this one included.
    public var stayingCount: Int
    /// Members' nodes that have the current secret and for which there is no room in the next one: of those that one
    /// member let in the last to come.
    public var leftOutCount: Int
    /// Names of members that came in under another one, or for which there was no room: the first few.
    public var waiting: [String]
    /// The number of all members that wait.
    public var waitingCount: Int
}

/// Which of the event's secrets a node goes by, and who else.
public struct EpochStatus: Codable, Sendable, Equatable {
    /// 0 for the secret of the first invitation.
    public var number: Int
    /// Whether this node has the current secret itself.
    public var hasSecret: Bool
    /// Members' nodes to whom it was given, this one included, and how many of them this one knows to go by it.
    public var nodeCount: Int
    public var renewedCount: Int
    /// Members' nodes that came in under another one, or for which there was no room, and wait for an organizer's
    /// `invite admit`: the first few of each sponsor, with all that it let in.
    public var waiting: [WaitingNode]
    /// Whether this node is one of those.
    public var isWaiting: Bool
}

/// A member without the current secret.
public struct WaitingNode: Codable, Sendable, Equatable {
    public var device: String
    /// Its person's name, or the start of its key.
    public var name: String
    /// The number of other waiting members of the same sponsor tree, which the list leaves out.
    public var othersCount = 0
}
