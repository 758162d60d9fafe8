// SPDX-License-Identifier: Apache-2.0
/// The effect of a rotation, planned or done.
public struct RotationInfo: Codable, Sendable, Equatable {
    public var event: String
    public var name: String
    /// The number of secrets after the first one.
    public var epoch: Int
    /// The number of members' nodes that have the current secret, this one included.
    public var stayingCount: Int
    /// The number of members' nodes with the current secret for which the next one has no room: among those that one
    /// member admitted, the latest.
    public var leftOutCount: Int
    /// Names of members that joined under another secret, or for which there was no room: the first few.
    public var waiting: [String]
    /// The number of all waiting members.
    public var waitingCount: Int
}

/// The event secret that a node uses, and the nodes that share it.
public struct EpochStatus: Codable, Sendable, Equatable {
    /// 0 for the secret of the first invitation.
    public var number: Int
    /// Whether this node has the current secret.
    public var hasSecret: Bool
    /// The number of members' nodes to which it was given, this one included, and the number known to use it.
    public var nodeCount: Int
    public var renewedCount: Int
    /// Members' nodes that joined under another secret, or for which there was no room, and wait for an organizer's
    /// `invite admit`: the first few of each sponsor tree.
    public var waiting: [WaitingNode]
    /// Whether this node is one of them.
    public var isWaiting: Bool
}

/// A member without the current secret.
public struct WaitingNode: Codable, Sendable, Equatable {
    public var device: String
    /// Its person's name, or the start of its key.
    public var name: String
    /// The number of other waiting members of the same sponsor tree, which the list omits.
    public var othersCount = 0
}
