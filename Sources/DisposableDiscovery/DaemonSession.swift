// SPDX-License-Identifier: Apache-2.0
internal import CAvahi
internal import DisposableMDNS
internal import Logging

/// A client of the daemon with its thread: browsing, resolving and publishing.
///
/// State: idle from `init` to `begin`, which is called when the daemon runs; from then on it browses and publishes the
/// advertisement. A failure is reported once, and ends everything but `close`.
///
/// Unchecked Sendable: every mutable stored property is guarded by the lock of `thread`. Callbacks run with the lock
/// held; `init` and `close` run before the thread starts and after it has ended.
final class DaemonSession: @unchecked Sendable {
    enum Event: Sendable {
        /// The daemon runs.
        case running
        case failed(String)
    }

    private let client: DaemonClient
    private let continuation: AsyncStream<DiscoveryUpdate>.Continuation
    private let logger: Logger
    private let report: @Sendable (Event) -> Void
    private let thread: PollThread

    private var hasBegun = false
    private var hasFailed = false
    private var sightings = SightingTable()
    private var requested: Advertisement?
    /// The requested name, or its successor after collisions.
    private var naming: InstanceNaming?
    /// The earliest time of publishing after a collision.
    private var publishDue: UInt64?
    private var isPublished = false
    /// Whether the network has accepted the published name.
    private var isEstablished = false

    init(
        _ client: DaemonClient, continuation: AsyncStream<DiscoveryUpdate>.Continuation, logger: Logger,
        report: @escaping @Sendable (Event) -> Void
    ) throws(DiscoveryError) {
        self.client = client
        self.continuation = continuation
        self.logger = logger
        self.report = report
        thread = try PollThread()
        // Balanced in `close`, which therefore also cleans up a partly failed start.
        let context = Unmanaged.passRetained(self).toOpaque()
        do throws(DiscoveryError) {
            try client.open(thread.api, context)
            if case .failed(let reason) = client.state { throw .avahi(function: "start", message: reason) }
            try thread.start()
        } catch {
            close()
            throw error
        }
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Sends a goodbye, ends the thread and frees everything. Called exactly once, never from a callback.
    func close() {
        thread.stop()
        client.close()
        Unmanaged.passUnretained(self).release()
    }

    var isRunning: Bool { thread.withLock { client.state == .running } }

    /// Continues delayed work, and returns whether the session is healthy: false while the network has not accepted the
    /// published name, which takes about a second, and while it browses a removed interface. A daemon that hangs blocks
    /// the caller.
    func look() -> Bool {
        thread.withLock {
            client.awaitAnswer()
            takeDue()
            if let due = publishDue, due <= Uptime.milliseconds { publishOrFail() }
            return (requested == nil || isEstablished || publishDue != nil) && client.browsesScope
        }
    }

    /// Starts to browse and to publish; later calls do nothing.
    func begin() {
        thread.withLock {
            guard !hasBegun else { return }
            hasBegun = true
            do throws(DiscoveryError) { try client.browse(context) } catch { fail("\(error)") }
            publishOrFail()
        }
    }

    /// Replaces the advertisement; `nil` withdraws it. A change of text alone is an update of the record.
    /// - Parameter renewing: publish again even if nothing has changed.
    func advertise(_ advertisement: Advertisement?, renewing: Bool) {
        thread.withLock {
            let old = requested
            guard advertisement != old || renewing else { return }
            requested = advertisement
            let isSameService = old?.instanceName == advertisement?.instanceName && old?.port == advertisement?.port
            guard let advertisement, isSameService, isPublished, !renewing else {
                if old?.instanceName != advertisement?.instanceName {
                    naming = advertisement.map { InstanceNaming($0.instanceName) }
                }
                return publishOrFail()
            }
            do throws(DiscoveryError) {
                try client.updateText(advertisement, as: naming?.current ?? advertisement.instanceName)
            } catch {
                fail("\(error)")
            }
        }
    }

    /// Publishes with a new group of records each time. Avahi 0.8 never finishes a probe on an interface that loses its
    /// address, and never announces a group with such a probe again; and it delays a group that is often reset more and
    /// more.
    private func publishOrFail() {
        guard hasBegun, !hasFailed else { return }
        if isPublished { client.unpublish() }
        isPublished = false
        isEstablished = false
        publishDue = nil
        guard let requested, let naming, client.state == .running else { return }
        do throws(DiscoveryError) {
            isPublished = true
            if try !client.publish(requested, as: naming.current, context) { rename() }
        } catch {
            fail("\(error)")
        }
    }

    /// Publishes under another name, the first time at once and then at one of the next health checks.
    private func rename() {
        let now = Uptime.milliseconds
        let token = String(UInt64.random(in: .min ... .max), radix: 36)
        let pause = naming?.resolveConflict(isTaken: true, token: token, at: now) ?? 0
        logger.debug("instance name is taken", metadata: ["next": "\(naming?.current ?? "-")"])
        guard pause > 0 else { return publishOrFail() }
        client.unpublish()
        isPublished = false
        isEstablished = false
        publishDue = now + pause
    }

    private func fail(_ reason: String) {
        guard !hasFailed else { return }
        hasFailed = true
        report(.failed(reason))
    }

    // Callbacks

    /// Handles a state change. The first calls come from within `open`, when nothing is to be done.
    func stateChanged() {
        switch client.state {
        case .failed(let reason): fail(reason)
        case .running where !hasBegun: report(.running)
        case .running, .waiting: publishOrFail()
        }
    }

    func groupChanged(to state: AvahiEntryGroupState) {
        switch state {
        case AVAHI_ENTRY_GROUP_COLLISION: rename()
        case AVAHI_ENTRY_GROUP_ESTABLISHED:
            isEstablished = true
            logger.debug("advertisement published", metadata: ["name": "\(naming?.current ?? "-")"])
        case AVAHI_ENTRY_GROUP_FAILURE: fail("cannot publish: \(client.errorMessage)")
        default: break
        }
    }

    fileprivate func instance(
        _ key: SightingTable.Key, domain: UnsafePointer<CChar>?, changed event: AvahiBrowserEvent
    ) {
        switch event {
        case AVAHI_BROWSER_NEW:
            guard !sightings.contains(key), let interfaceName = interfaceName(key.interfaceIndex) else { return }
            guard !sightings.isFull else {
                logger.debug("too many instances", metadata: ["limit": "\(SightingTable.instanceCountMax)"])
                return
            }
            let domain = domain.map { String(cString: $0) } ?? "local"
            let mayResolve = sightings.insert(
                key, domain: domain, interfaceName: interfaceName, at: Uptime.milliseconds)
            if mayResolve { resolve(key, in: domain) }
        case AVAHI_BROWSER_REMOVE:
            guard let removed = sightings.remove(key) else { return }
            if let resolver = removed.resolver { client.freeResolver(resolver) }
            if let update = removed.update { continuation.yield(update) }
        case AVAHI_BROWSER_FAILURE: fail("cannot browse: \(client.errorMessage)")
        default: break
        }
    }

    private func resolve(_ key: SightingTable.Key, in domain: String) {
        guard let resolver = client.newResolver(of: key, domain: domain, context) else {
            logger.debug("instance not resolvable", metadata: ["reason": "\(client.errorMessage)"])
            return
        }
        sightings.setResolver(resolver, of: key)
    }

    private func takeDue() {
        let (unresolved, updates) = sightings.takeDue(at: Uptime.milliseconds)
        for (key, domain) in unresolved { resolve(key, in: domain) }
        for update in updates { continuation.yield(update) }
    }

    fileprivate func resolved(
        _ key: SightingTable.Key, address: UnsafePointer<AvahiAddress>?, port: UInt16,
        text: UnsafeMutablePointer<AvahiStringList>?
    ) {
        guard let sighting = sightings.sighting(of: key, address: address, port: port, text: text) else { return }
        if let update = sightings.resolve(key, to: sighting, at: Uptime.milliseconds) { continuation.yield(update) }
    }
}

/// Returns the session that a callback was registered for.
func session(_ context: UnsafeMutableRawPointer?) -> DaemonSession {
    Unmanaged<DaemonSession>.fromOpaque(context!).takeUnretainedValue()  // every callback is registered with one
}

let onInstance: AvahiServiceBrowserCallback = {
    _, interface, protocolNumber, event, name, _, domain, _, context in
    let key = SightingTable.Key(name, interface, protocolNumber)
    session(context).instance(key, domain: domain, changed: event)
}

let onResolved: AvahiServiceResolverCallback = {
    _, interface, protocolNumber, event, name, _, _, _, address, port, text, _, context in
    // A failure is a timeout; the resolver continues and reports if the records arrive later.
    guard event == AVAHI_RESOLVER_FOUND else { return }
    let key = SightingTable.Key(name, interface, protocolNumber)
    session(context).resolved(key, address: address, port: port, text: text)
}
