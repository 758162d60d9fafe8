// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
package import DisposableSync

/// The settings of a node.
public struct NodeConfiguration: Sendable {
    public enum Listen: Sendable, Equatable {
        /// Any address, the remembered port, 8028 or the next free one.
        case standard
        /// Exactly this; port 0 for any free one.
        case address(host: String, port: UInt16)
        /// Not at all: for commands that use the folder without a running node.
        case none
    }

    public static let standardPort: UInt16 = 8028

    public var listen: Listen
    /// Whether to announce and discover nodes by mDNS.
    public var usesMulticast: Bool
    /// Only this network interface; `lo` for nodes that must not leave the machine.
    public var interface: String?
    /// The blob classes that are fetched without a request.
    public var keptClasses: Set<BlobClass>
    /// Addresses of other nodes, typed by a person.
    public var peers: [PeerAddress]

    /// The path of the program `disposable-image-worker`; `nil` if it is in the folder of the running program.
    public var imageWorkerPath: String?

    /// The time for which a previous or configured port is tried before another one, or an error.
    public var portPatience = Duration.seconds(10)

    /// The seconds after which withdrawn data are purged on this node, if not an hour. For tests: within the hour other
    /// nodes can find that an erase was void.
    public var destructionDelaySeconds: Int?

    /// The seconds for which a node runs before it forgets an event whose retention is over, if not a day. For tests.
    public var retentionGraceSeconds: Int?

    /// The seconds between two counts of an event's activity for its card, if not ten minutes. For tests.
    public var activityIntervalSeconds: Int?

    /// The number of operations accepted at any speed, where the machine's memory does not determine it. For tests.
    package var budgets: UnitBudgets?

    /// The limits on removals that guests can still undo. Tests have others.
    package var removals = PendingRemovals.Limits()

    var activityIntervalMilliseconds: UInt64 {
        activityIntervalSeconds.map { UInt64(max($0, 1)) * 1_000 } ?? RecentActivity.intervalMilliseconds
    }

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

    /// The configuration for commands without a running node: no network at all.
    public static let offline = NodeConfiguration(listen: .none, usesMulticast: false)
}
