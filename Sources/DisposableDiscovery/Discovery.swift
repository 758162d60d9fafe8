// SPDX-License-Identifier: Apache-2.0
public import Logging

/// Publishes this node as `_disposable._tcp` and reports the others, by mDNS and DNS-SD (RFC 6762, RFC 6763).
///
/// With an Avahi daemon that answers, the daemon does the work; without one, and always on a loopback interface, the
/// node's own stack does (``MDNSStack``). A daemon that starts later takes over, and one that ends is replaced.
/// Browsing starts at once and lasts until ``stop()``. Own instances are seen like any other; the caller filters them
/// by name.
public final class Discovery: Sendable {
    /// Found and lost instances, in order, for one reader. Beyond 1024 unread updates the oldest are dropped: a
    /// sighting is a hint. Ends with ``stop()``.
    public let updates: AsyncStream<DiscoveryUpdate>
    private let supervisor: DiscoverySupervisor

    /// Starts to browse, in the background: the mode is the first of the updates.
    ///
    /// - Parameters:
    ///   - interface: the one network interface to use; `nil` for all but loopback.
    ///   - logger: takes connections and decisions at debug level.
    /// - Throws: ``DiscoveryError/noSuchInterface(_:)`` or ``DiscoveryError/interfacesUnknown``.
    public init(interface: String?, logger: Logger) throws(DiscoveryError) {
        let scope = try InterfaceScope(interface)
        let (updates, continuation) = AsyncStream.makeStream(
            of: DiscoveryUpdate.self, bufferingPolicy: .bufferingNewest(1024))
        self.updates = updates
        supervisor = DiscoverySupervisor(scope: scope, continuation: continuation, logger: logger)
        supervisor.start()
    }

    /// Publishes `advertisement` instead of the previous one; `nil` withdraws it. It stays published through every
    /// change of mode.
    ///
    /// A change of text alone is announced as an update of the record: others see a new sighting and no loss. An equal
    /// advertisement changes nothing. Returns at once; the network has accepted the name about a second later.
    ///
    /// - Parameter renewing: publish everything again, with the present addresses, even if nothing has changed.
    /// - Throws: ``DiscoveryError`` if it does not fit into DNS records.
    public func advertise(_ advertisement: Advertisement?, renewing: Bool = false) throws(DiscoveryError) {
        try advertisement?.validate()
        supervisor.advertise(advertisement, renewing: renewing)
    }

    /// Withdraws the advertisement, ends ``updates`` and waits for the goodbyes to be sent. Later calls do nothing.
    public func stop() { supervisor.stop() }

    deinit { stop() }
}
