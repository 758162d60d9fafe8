// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
package import DisposableSync

/// How a node runs; what a person can set.
public struct NodeConfiguration: Sendable {
    public enum Listen: Sendable, Equatable {
        /// Any address, the remembered port, 8028 or the next free one.
        case standard
        /// Exactly this; port 0 for any free one.
        case address(host: String, port: UInt16)
        /// Not at all: for commands that work on the folder without a node running.
        case none
    }

    public static let standardPort: UInt16 = 8028

    public var listen: Listen
    /// Announce and look for nodes by mDNS.
    public var usesMulticast: Bool
    /// Only this network interface; `lo` for nodes that must not leave the machine.
    public var interface: String?
    /// Blobs fetched without being asked for.
    public var keptClasses: Set<BlobClass>
    /// Addresses of other nodes, typed by a person.
    public var peers: [PeerAddress]

    /// How long a port that this node had before, or was told to use, is tried before another is, or none.
    public var portPatience = Duration.seconds(10)

    /// After how many seconds what was taken away is destroyed on this node, where it is not an hour. For tests: in the
    /// hour others can find that the word to erase was void.
    public var destructionDelaySeconds: Int?

    /// How many seconds a node runs, where it is not a day, before it forgets an event whose time is over. For tests.
    public var retentionGraceSeconds: Int?

    /// How many operations are accepted at any speed, where it does not follow from the memory of the machine. For tests.
    package var budgets: UnitBudgets?

    var retentionGraceMilliseconds: UInt64 {
        retentionGraceSeconds.map { UInt64(max($0, 0)) * 1_000 } ?? RetentionPolicy.standardGraceMilliseconds
    }

    var destructionDelayMilliseconds: UInt64 {
        destructionDelaySeconds.map { UInt64(max($0, 0)) * 1_000 } ?? DestructionSchedule.standardDelayMilliseconds
    }

    public init(
        listen: Listen = .standard, usesMulticast: Bool = true, interface: String? = nil,
        keptClasses: Set<BlobClass> = [.thumbnail, .preview, .original], peers: [PeerAddress] = []
    ) {
        self.listen = listen
        self.usesMulticast = usesMulticast
        self.interface = interface
        self.keptClasses = keptClasses
        self.peers = peers
    }

    /// For commands without a running node: no network at all.
    public static let offline = NodeConfiguration(listen: .none, usesMulticast: false)
}
