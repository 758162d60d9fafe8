// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Logging

/// Keeps one way onto the network open: the daemon's while there is a daemon, else the embedded stack.
///
/// State: a client that waits for a daemon stays beside the embedded stack, so that a daemon that comes is noticed. A
/// session that fails is closed and replaced after a pause, and so is one that does not come to publish: an Avahi 0.8
/// that loses an address while it probes may wait for ever. So is one that browses an interface which has come back
/// with another index, or has gone; once for each change, because the new one browses what is there then. A daemon
/// counts when it runs, not while it chooses its host name, which may be for ever as well. Only one publishes at a
/// time: each would find its name taken by the other.
///
/// A daemon that hangs holds up whoever calls it, for half a minute each time. So its session is opened, used and
/// closed on a queue of its own, and one that does not answer from one look to the next has failed.
///
/// Unchecked Sendable: every stored property that changes belongs to `queue`.
final class DiscoverySupervisor: @unchecked Sendable {
    private let scope: InterfaceScope
    private let continuation: AsyncStream<DiscoveryUpdate>.Continuation
    private let logger: Logger
    private let queue = DispatchQueue(label: "disposable.discovery")
    private let daemonQueue = DispatchQueue(label: "disposable.discovery.daemon")

    private var daemon: BackendSession?
    /// Whether a session with the daemon is being opened, and what it has reported meanwhile.
    private var isOpening = false
    private var earlyReports: [BackendSession.Event] = []
    /// Whether the daemon owes an answer to the last look.
    private var isAsked = false
    private var embedded: BackendSession?
    private var requested: Advertisement?
    private var mode: DiscoveryMode?
    private var isStopped = false
    private var lookCount = 0
    /// Whether the active session was not settled when it was looked at last.
    private var isLate = false
    /// Tells what a session reports from what an earlier one reported.
    private var lastSession = 0

    /// A daemon that restarts is back after this.
    private static let restartMilliseconds = 1_000
    /// Whoever starts waits so long for a daemon, and whoever stops.
    private static let answerMilliseconds = 2_000
    /// Publishing takes a second: what is late at two looks is stuck. What did not work is tried again at each look.
    private static let lookMilliseconds = 5_000
    /// Where there is no D-Bus, one may come with an installation, hardly otherwise: it is tried at every sixth.
    private static let busLookCount = 6

    init(scope: InterfaceScope, continuation: AsyncStream<DiscoveryUpdate>.Continuation, logger: Logger) {
        self.scope = scope
        self.continuation = continuation
        self.logger = logger
    }

    func start() {
        queue.async { self.connect() }
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
        if mode == .off || (daemon == nil && lookCount.isMultiple(of: Self.busLookCount)) { connect() }
        switch mode {
        case .daemon: lookAtDaemon()
        case .embedded: judge(isSettled: embedded?.isSettled ?? true)
        case .off, nil: isLate = false
        }
    }

    private func lookAtDaemon() {
        guard let daemon else { return }
        guard !isAsked else { return daemonReported(.failed("the daemon does not answer"), daemonNumber) }
        isAsked = true
        daemonQueue.async { [weak self, daemonNumber] in
            let isSettled = daemon.isSettled
            self?.queue.async { [weak self] in
                guard let self, daemonNumber == self.daemonNumber, self.daemon != nil else { return }
                isAsked = false
                judge(isSettled: isSettled)
            }
        }
    }

    private func judge(isSettled: Bool) {
        guard !isSettled else {
            isLate = false
            return
        }
        defer { isLate.toggle() }
        guard isLate else { return }
        let reason = "the advertisement does not come to be published, or the interface is another one"
        if mode == .daemon {
            daemonReported(.failed(reason), daemonNumber)
        } else {
            embeddedReported(.failed(reason), embeddedNumber)
        }
    }

    func advertise(_ advertisement: Advertisement?, renewing: Bool) {
        queue.async { [self] in
            requested = advertisement
            switch mode {
            case .daemon: daemonQueue.async { [daemon] in daemon?.advertise(advertisement, renewing: renewing) }
            case .embedded: embedded?.advertise(advertisement, renewing: renewing)
            case .off, nil: break
            }
        }
    }

    /// Waits for the goodbyes, but not for a daemon that hangs.
    func stop() {
        let closing = DispatchGroup()
        queue.async(group: closing) { [self] in
            isStopped = true
            closeEmbedded()
            closeDaemon(closing)
        }
        if closing.wait(timeout: .now() + .milliseconds(Self.answerMilliseconds)) == .timedOut {
            logger.debug("the avahi daemon has not answered to the goodbye")
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

    private func openDaemon() {
        guard !isOpening, case .success(let library) = ClientLibrary.shared else { return }
        isOpening = true
        let number = nextNumber()
        daemonNumber = number
        daemonQueue.async { [weak self, scope, continuation, logger] in
            let session: BackendSession?
            do {
                session = try BackendSession(
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

    private func daemonOpened(_ session: BackendSession?, isRunning: Bool) {
        isOpening = false
        daemon = session
        let reports = earlyReports
        earlyReports = []
        guard !isStopped else { return closeDaemon() }
        if session != nil, isRunning { useDaemon() } else { useEmbedded() }
        for report in reports { daemonReported(report, daemonNumber) }
    }

    private func nextNumber() -> Int {
        lastSession += 1
        return lastSession
    }
    private var daemonNumber = 0
    private var embeddedNumber = 0

    private func daemonReported(_ event: BackendSession.Event, _ number: Int) {
        guard !isStopped, number == daemonNumber else { return }
        guard !isOpening else { return earlyReports.append(event) }
        guard daemon != nil else { return }
        switch event {
        case .running: if mode != .daemon { useDaemon() }
        case .failed(let reason):
            logger.debug("no use of the avahi daemon any more", metadata: ["reason": "\(reason)"])
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

    private func useEmbedded() {
        guard embedded == nil else { return }
        let number = nextNumber()
        do {
            let session = try BackendSession(
                EmbeddedStack(scope: scope, logger: logger), continuation: continuation, logger: logger,
                report: { [weak self] event in
                    self?.queue.async { [weak self] in self?.embeddedReported(event, number) }
                })
            embedded = session
            embeddedNumber = number
            session.advertise(requested, renewing: false)
            session.begin()
            change(to: .embedded)
        } catch {
            change(to: .off, reason: "\(error)")
        }
    }

    private func embeddedReported(_ event: BackendSession.Event, _ number: Int) {
        guard !isStopped, number == embeddedNumber, embedded != nil, case .failed(let reason) = event else { return }
        closeEmbedded()
        change(to: .off, reason: reason)
    }

    private func closeDaemon(_ closing: DispatchGroup? = nil) {
        guard let session = daemon else { return }
        daemon = nil
        isAsked = false
        daemonQueue.async(group: closing) { session.close() }
    }

    private func closeEmbedded() {
        embedded?.close()
        embedded = nil
    }

    private func change(to mode: DiscoveryMode, reason: String? = nil) {
        guard mode != self.mode else { return }
        self.mode = mode
        logger.debug("discovery", metadata: ["mode": "\(mode.rawValue)", "reason": "\(reason ?? "-")"])
        continuation.yield(.mode(mode, reason: reason))
    }
}
