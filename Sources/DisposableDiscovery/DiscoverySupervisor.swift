// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Logging

/// Keeps one way onto the network open: the daemon's while there is a daemon, else the embedded stack.
///
/// State: a client that waits for a daemon stays beside the embedded stack, so that a daemon that comes is noticed. A
/// session that fails is closed and replaced after a pause, and so is one that does not come to publish: an Avahi 0.8
/// that loses an address while it probes may wait for ever. A daemon counts when it runs, not while it chooses its host
/// name, which may be for ever as well. Only one publishes at a time: each would find its name taken by the other.
///
/// Unchecked Sendable: every stored property that changes belongs to the queue.
final class DiscoverySupervisor: @unchecked Sendable {
    private let scope: InterfaceScope
    private let continuation: AsyncStream<DiscoveryUpdate>.Continuation
    private let logger: Logger
    private let queue = DispatchQueue(label: "disposable.discovery")

    private var daemon: BackendSession?
    private var embedded: BackendSession?
    private var requested: Advertisement?
    private var mode: DiscoveryMode?
    private var isStopped = false
    private var lookCount = 0
    /// Whether the active session had not come to publish when it was looked at last.
    private var isLate = false
    /// Tells what a session reports from what an earlier one reported.
    private var lastSession = 0

    /// A daemon that restarts is back after this.
    private static let restartMilliseconds = 1_000
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
        guard let active, !active.isSettled else {
            isLate = false
            return
        }
        defer { isLate.toggle() }
        guard isLate else { return }
        let reason = "the advertisement does not come to be published"
        if mode == .daemon {
            daemonReported(.failed(reason), daemonNumber)
        } else {
            embeddedReported(.failed(reason), embeddedNumber)
        }
    }

    func advertise(_ advertisement: Advertisement?, renewing: Bool) {
        queue.async {
            self.requested = advertisement
            self.active?.advertise(advertisement, renewing: renewing)
        }
    }

    func stop() {
        queue.sync {
            isStopped = true
            closeDaemon()
            closeEmbedded()
        }
        continuation.finish()
    }

    /// The session that browses and publishes.
    private var active: BackendSession? {
        switch mode {
        case .daemon: daemon
        case .embedded: embedded
        case .off, nil: nil
        }
    }

    private func connect() {
        guard !isStopped else { return }
        if !scope.isLoopback, daemon == nil { openDaemon() }
        if daemon?.isRunning == true { useDaemon() } else { useEmbedded() }
    }

    private func openDaemon() {
        guard case .success = ClientLibrary.shared else { return }
        do {
            let number = nextNumber()
            daemon = try BackendSession(
                try DaemonClient(scope: scope), continuation: continuation, logger: logger,
                report: { [weak self] event in
                    self?.queue.async { [weak self] in self?.daemonReported(event, number) }
                })
            daemonNumber = number
        } catch {
            logger.debug("no D-Bus", metadata: ["reason": "\(error)"])
        }
    }

    private func nextNumber() -> Int {
        lastSession += 1
        return lastSession
    }
    private var daemonNumber = 0
    private var embeddedNumber = 0

    private func daemonReported(_ event: BackendSession.Event, _ number: Int) {
        guard !isStopped, number == daemonNumber, daemon != nil else { return }
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
        daemon?.advertise(requested, renewing: false)
        daemon?.begin()
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

    private func closeDaemon() {
        daemon?.close()
        daemon = nil
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
