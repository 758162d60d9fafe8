// SPDX-License-Identifier: Apache-2.0
public import Logging
internal import Synchronization

/// How ``Discovery`` reaches the network.
public enum DiscoveryMode: String, Sendable {
    /// Through the Avahi daemon of this machine, over D-Bus.
    case daemon
    /// With Avahi's own stack inside this process: no daemon, no D-Bus, nothing to set up.
    case embedded
}

/// Publishes this node as `_disposable._tcp` and reports the others, by mDNS and DNS-SD (RFC 6762, RFC 6763).
///
/// With an Avahi daemon that answers, the daemon does the work; without one, and always on a loopback interface, the
/// stack is embedded. Browsing starts at once and lasts until ``stop()``. Own instances are seen like any other; the
/// caller filters them by name.
public final class Discovery: Sendable {
    /// What was found and lost, in order, for one reader. Of more than 1024 unread updates the oldest are dropped: a
    /// sighting is a hint, and Avahi's word on an instance changes back and forth anyway. Ends with ``stop()``.
    public let updates: AsyncStream<DiscoveryUpdate>
    public let mode: DiscoveryMode

    private let continuation: AsyncStream<DiscoveryUpdate>.Continuation
    /// `nil` once stopped. The lock also keeps `stop` from freeing what `advertise` is using.
    private let backend: Mutex<(any Backend)?>

    /// Starts to browse.
    ///
    /// - Parameters:
    ///   - interface: the one network interface to use; `nil` for all but loopback.
    ///   - logger: takes connections and decisions at debug level.
    /// - Throws: ``DiscoveryError`` if there is no such interface, or neither the daemon nor the embedded stack starts.
    public init(interface: String?, logger: Logger) throws {
        (updates, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
        let scope = try InterfaceScope(interface)
        if !scope.isLoopback, let client = Self.daemonClient(scope: scope, continuation: continuation, logger: logger) {
            mode = .daemon
            backend = Mutex(client)
        } else {
            mode = .embedded
            backend = Mutex(try EmbeddedStack(scope: scope, continuation: continuation, logger: logger))
        }
        logger.debug("discovery started", metadata: ["mode": "\(mode.rawValue)", "interface": "\(interface ?? "*")"])
    }

    private static func daemonClient(
        scope: InterfaceScope, continuation: AsyncStream<DiscoveryUpdate>.Continuation, logger: Logger
    ) -> DaemonClient? {
        do {
            return try DaemonClient(scope: scope, continuation: continuation, logger: logger)
        } catch {
            logger.debug("no avahi daemon", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    /// Publishes `advertisement` in place of the one before; `nil` withdraws it.
    ///
    /// A change of text alone is announced as an update of the record: others see a new sighting and no loss. An equal
    /// advertisement changes nothing. Returns before the network has agreed to the name, which takes about a second.
    ///
    /// - Throws: ``DiscoveryError`` if it does not fit into DNS records, Avahi refuses it, or discovery has stopped.
    public func advertise(_ advertisement: Advertisement?) throws {
        try advertisement?.validate()
        try backend.withLock { backend throws(DiscoveryError) in
            guard let backend else { throw .stopped }
            try backend.advertise(advertisement)
        }
    }

    /// Withdraws the advertisement, ends ``updates`` and waits for Avahi's thread to end. Later calls do nothing.
    public func stop() {
        backend.withLock { backend in
            backend?.close()
            backend = nil
        }
        continuation.finish()
    }

    deinit { stop() }
}
