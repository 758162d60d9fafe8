// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableCrypto
internal import DisposableImaging
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableSystem
internal import DisposableWire
internal import Foundation
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The parts that the events of one node share: its configuration, clocks, workers and addresses, and their reports to
/// the node. Any thread may use it.
final class NodeContext: Sendable {
    let folder: DataFolder
    let configuration: NodeConfiguration
    let logger: Logger
    /// The Noise static key of this process.
    let staticKey = AgreementKey(scalar: Entropy.secret(AgreementKey.byteCount))
    /// Distinguishes this process from earlier ones of the same device.
    let instance = Entropy.bytes(16)
    /// Decode pictures in separate processes.
    let images: ImageWorkerPool
    /// Remove metadata from files in separate processes: two, so that a large video does not delay other photos.
    /// Processor time, not elapsed time, limits the work on a file.
    let cleaners: ImageWorkerPool
    /// Work that blocks or computes, outside of the actors.
    let readers = DispatchQueue(label: "disposable.readers", attributes: .concurrent)
    let gate = Gate()
    /// The executor of this node's events, and the loop of their connections.
    let loop = PeerSockets.loops.next()
    let clock = ContinuousClock()
    let startedAt = ContinuousClock.now
    let problems: ProblemLog
    /// Updates for people. The newest 256 are kept for a slow reader: the screen shows the present.
    let updates: AsyncStream<Node.Update>
    private let updateSink: AsyncStream<Node.Update>.Continuation
    /// Reports of events, timers and queues to the node. Unbounded: each report answers one output or one failure.
    let reports: AsyncStream<NodeReport>
    private let reportSink: AsyncStream<NodeReport>.Continuation
    private let shared = Mutex(Shared())
    private let directory = Mutex<[EventID: EventNode]>([:])
    /// The galleries that are shown together.
    let twins = TwinDirectory()

    /// The addresses of this node.
    struct Shared: Sendable {
        var listenPort: UInt16 = 0
        var listenAddress: String?
        var portal: Node.Pages?
        /// The mode of discovery: `daemon`, `embedded` or `off`.
        var discoveryMode = "off"
    }

    init(folder: DataFolder, configuration: NodeConfiguration, logger: Logger) {
        self.folder = folder
        self.configuration = configuration
        self.logger = logger
        let worker = configuration.imageWorkerPath ?? ImageWorkerPool.installedExecutable
        images = ImageWorkerPool(executable: worker)
        cleaners = ImageWorkerPool(role: .cleaning, executable: worker, count: 2, timeout: .seconds(300))
        (updates, updateSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
        (reports, reportSink) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        problems = ProblemLog(logger: logger, isRead: configuration.listen != .none) { [updateSink] in
            switch $0 {
            case .noted(let text): updateSink.yield(.warning(text))
            case .solved(let text): updateSink.yield(.solved(text))
            }
        }
    }

    var now: Instant {
        Instant(
            milliseconds: (clock.now - startedAt).wholeMilliseconds, wallClockMilliseconds: Milliseconds.now)
    }

    func announce(_ update: Node.Update) { updateSink.yield(update) }
    func report(_ report: NodeReport) { reportSink.yield(report) }
    func endUpdates() { updateSink.finish() }
    func endReports() { reportSink.finish() }

    // Events

    /// The events that are open.
    var events: [EventID: EventNode] { directory.withLock { $0 } }

    /// - Parameter event: `nil` closes it.
    func set(_ event: EventNode?, for id: EventID) { directory.withLock { $0[id] = event } }

    /// Returns the event whose secret answers the challenge.
    func event(answering preface: [UInt8], challenge: [UInt8]) -> EventNode? {
        events.values.first {
            $0.summary.current.keyring.credentials(answering: preface, challenge: challenge) != nil
        }
    }

    // Addresses

    var reach: Shared { shared.withLock { $0 } }

    /// Changes the addresses. The listener, the portal and mDNS report at the same time.
    func updateReach(_ change: (inout Shared) -> Void) { shared.withLock { change(&$0) } }

    /// The addresses at which other machines reach the guests' page: IPv4 before IPv6, the network that most
    /// likely has the guests first. `nil` if the system cannot list them at the moment.
    var portalAddresses: [PeerAddress]? {
        guard let pages = reach.portal, pages.isForOthers else { return [] }
        let addresses = InterfaceAddress.all()?.filter { address in
            !address.isLoopback && !address.isLinkLocal
                && (pages.hosts.isEmpty || pages.hosts.contains(address.host))
        }
        return addresses?.sorted { left, right in
            (left.isIPv6 ? 1 : 0, left.rank, left.host) < (right.isIPv6 ? 1 : 0, right.rank, right.host)
        }.map { PeerAddress(host: $0.host, port: pages.port) }
    }

    /// The port of the guests' pages for the advertisement; `nil` if others cannot reach them. Nodes that must stay on
    /// this machine reach each other's pages there.
    var announcedPagePort: UInt16? {
        guard let pages = reach.portal, pages.isForOthers || configuration.interface == "lo" else { return nil }
        return pages.port
    }

    /// The addresses for other nodes, IPv4 first, without link-local ones. Loopback only for a node that must
    /// stay on this machine.
    var reachableAddresses: [PeerAddress] {
        let reach = reach
        guard reach.listenPort > 0 else { return [] }
        let staysHere = configuration.interface == "lo" || reach.listenAddress?.hasPrefix("127.") == true
        let usable = (InterfaceAddress.all() ?? []).filter { address in
            guard address.isLoopback == staysHere, !address.isLinkLocal, !(staysHere && address.isIPv6) else {
                return false
            }
            return configuration.interface == nil || configuration.interface == address.name
        }
        let hosts = usable.filter { !$0.isIPv6 }.map(\.host).sorted() + usable.filter(\.isIPv6).map(\.host).sorted()
        return hosts.prefix(Invitation.addressCountMax).map { PeerAddress(host: $0, port: reach.listenPort) }
    }
}

/// A report of an event, a timer or a queue to the node.
enum NodeReport: Sendable {
    /// An event was opened and has to be run.
    case opened(EventNode)
    /// The secrets, the name or the charter of an event have changed.
    case summaryChanged(EventID)
    /// Members have been met at new addresses.
    case addressesChanged
    /// The event has another secret.
    case rotated
    /// The disk was too full for a write of an event; `space` is the remaining level.
    case diskFull(StoreError, DiskSpace)
    case databaseDamaged(EventID, StoreError)
    case rebuilt(Result<EventStore, StoreError>, Node.DamagedEvent)
}
