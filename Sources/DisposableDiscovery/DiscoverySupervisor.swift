// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Logging

/// Maintains one way onto the network: the daemon's while there is a daemon, otherwise the node's own stack.
///
/// State: a client that waits for a daemon stays beside the own stack, so that a new daemon is noticed. The own stack
/// supervises itself. A session with the daemon that fails is closed and replaced after a pause, and so is one that
/// cannot publish, or browses an interface that was removed or has returned with another index; once for each change,
/// because the new one browses the present interface. A daemon counts when it runs, not while it chooses its host name,
/// which may never end. Only one publishes at a time: otherwise each would find its name taken by the other.
///
/// A daemon that hangs blocks its callers, for half a minute each time. So its session is opened, used and closed on a
/// queue of its own, and one that does not answer between two health checks has failed.
///
/// Unchecked Sendable: every mutable stored property belongs to `queue`.
final class DiscoverySupervisor: @unchecked Sendable {
    private let scope: InterfaceScope
    private let continuation: AsyncStream<DiscoveryUpdate>.Continuation
    private let logger: Logger
    private let queue = DispatchQueue(label: "disposable.discovery")
    private let daemonQueue = DispatchQueue(label: "disposable.discovery.daemon")

    private var daemon: DaemonSession?
    /// Distinguishes the reports of a session from those of an earlier one.
    private var daemonNumber = 0
    /// Whether a session with the daemon is being opened, and its reports meanwhile.
    private var isOpening = false
    private var earlyReports: [DaemonSession.Event] = []
    /// Whether the daemon has not answered the last health check yet.
    private var isAsked = false
    /// Whether the daemon was unhealthy at the last health check.
    private var isLate = false
    private var embedded: EmbeddedStack?
    private var networkWatch: NetworkWatch?
    private var requested: Advertisement?
    private var mode: DiscoveryMode?
    private var reason: String?
    private var isStopped = false
    private var lookCount = 0

    /// The pause after which a daemon that restarts is back.
    private static let restartMilliseconds = 1_000
    /// The time for which start and stop wait for a daemon.
    private static let answerMilliseconds = 2_000
    /// Publishing takes a second: a session that is late at two health checks is stuck.
    private static let lookMilliseconds = 5_000
    /// Without D-Bus one can appear by an installation, hardly otherwise: it is tried at every sixth health check.
    private static let busLookCount = 6

    init(scope: InterfaceScope, continuation: AsyncStream<DiscoveryUpdate>.Continuation, logger: Logger) {
        self.scope = scope
        self.continuation = continuation
        self.logger = logger
    }

    func start() {
        queue.async { [self] in
            networkWatch = NetworkWatch { [weak self] in
                self?.queue.async { [weak self] in self?.embedded?.refresh() }
            }
            connect()
        }
        lookLater()
    }

    private func lookLater() {
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.lookMilliseconds)) { [weak self] in
            guard let self, !isStopped else { return }
            look()
            lookLater()
        }
    }

    private func look() {
        lookCount += 1
        if daemon == nil, lookCount.isMultiple(of: Self.busLookCount) { connect() }
        if mode == .daemon { lookAtDaemon() } else { embedded?.refresh() }
    }

    private func lookAtDaemon() {
        guard let daemon else { return }
        guard !isAsked else { return daemonReported(.failed("the daemon does not answer"), daemonNumber) }
        isAsked = true
        daemonQueue.async { [weak self, daemonNumber] in
            let isWell = daemon.look()
            self?.queue.async { [weak self] in
                guard let self, daemonNumber == self.daemonNumber, self.daemon != nil else { return }
                isAsked = false
                judge(isWell: isWell)
            }
        }
    }

    private func judge(isWell: Bool) {
        defer { isLate = !isWell && !isLate }
        guard !isWell, isLate else { return }
        daemonReported(
            .failed("publishing timed out, or the interface was replaced"), daemonNumber)
    }

    func advertise(_ advertisement: Advertisement?, renewing: Bool) {
        queue.async { [self] in
            requested = advertisement
            if mode == .daemon {
                daemonQueue.async { [daemon] in daemon?.advertise(advertisement, renewing: renewing) }
            } else {
                // The present addresses are published with it.
                if renewing { embedded?.refresh() }
                embedded?.advertise(advertisement, renewing: renewing)
            }
        }
    }

    /// Waits for the goodbyes, but not for a daemon that hangs.
    func stop() {
        let closing = DispatchGroup()
        queue.async(group: closing) { [self] in
            isStopped = true
            networkWatch?.stop()
            networkWatch = nil
            closeEmbedded()
            closeDaemon(closing)
        }
        if closing.wait(timeout: .now() + .milliseconds(Self.answerMilliseconds)) == .timedOut {
            logger.debug("the Avahi daemon has not confirmed the goodbye")
        }
        continuation.finish()
    }

    private func connect() {
        guard !isStopped else { return }
        if !scope.isLoopback, daemon == nil { openDaemon() }
        guard isOpening else { return useEmbedded() }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.answerMilliseconds)) { [weak self] in
            guard let self, !isStopped, daemon == nil else { return }
            useEmbedded()
        }
    }

    // The daemon

    private func openDaemon() {
        guard !isOpening, case .success(let library) = ClientLibrary.shared else { return }
        isOpening = true
        daemonNumber += 1
        let number = daemonNumber
        daemonQueue.async { [weak self, scope, continuation, logger] in
            let session: DaemonSession?
            do {
                session = try DaemonSession(
                    DaemonClient(scope: scope, library: library), continuation: continuation, logger: logger,
                    report: { [weak self] event in
                        self?.queue.async { [weak self] in self?.daemonReported(event, number) }
                    })
            } catch {
                logger.debug("no D-Bus", metadata: ["reason": "\(error)"])
                session = nil
            }
            let isRunning = session?.isRunning == true
            guard let self else {
                session?.close()
                return
            }
            queue.async { self.daemonOpened(session, isRunning: isRunning) }
        }
    }

    private func daemonOpened(_ session: DaemonSession?, isRunning: Bool) {
        isOpening = false
        daemon = session
        let reports = earlyReports
        earlyReports = []
        guard !isStopped else { return closeDaemon() }
        if session != nil, isRunning { useDaemon() } else { useEmbedded() }
        for report in reports { daemonReported(report, daemonNumber) }
    }

    private func daemonReported(_ event: DaemonSession.Event, _ number: Int) {
        guard !isStopped, number == daemonNumber else { return }
        guard !isOpening else { return earlyReports.append(event) }
        guard daemon != nil else { return }
        switch event {
        case .running: if mode != .daemon { useDaemon() }
        case .failed(let reason):
            logger.debug("switched away from the avahi daemon", metadata: ["reason": "\(reason)"])
            closeDaemon()
            queue.asyncAfter(deadline: .now() + .milliseconds(Self.restartMilliseconds)) { [weak self] in
                self?.connect()
            }
        }
    }

    private func useDaemon() {
        closeEmbedded()
        daemonQueue.async { [daemon, requested] in
            daemon?.advertise(requested, renewing: false)
            daemon?.begin()
        }
        change(to: .daemon)
    }

    private func closeDaemon(_ closing: DispatchGroup? = nil) {
        guard let session = daemon else { return }
        daemon = nil
        isAsked = false
        daemonQueue.async(group: closing) { session.close() }
    }

    // The own stack

    private func useEmbedded() {
        guard embedded == nil else { return }
        let stack = EmbeddedStack(
            scope: scope, queue: queue, continuation: continuation, logger: logger,
            problemChanged: { [weak self] problem in
                self?.change(to: problem == nil ? .embedded : .off, reason: problem)
            })
        embedded = stack
        stack.refresh()
        stack.advertise(requested, renewing: false)
    }

    private func closeEmbedded() {
        embedded?.close()
        embedded = nil
    }

    private func change(to mode: DiscoveryMode, reason: String? = nil) {
        guard mode != self.mode || reason != self.reason else { return }
        self.mode = mode
        self.reason = reason
        logger.debug("discovery", metadata: ["mode": "\(mode.rawValue)", "reason": "\(reason ?? "-")"])
        continuation.yield(.mode(mode, reason: reason))
    }
}
