// SPDX-License-Identifier: Apache-2.0
internal import CAvahi
internal import Logging

/// A backend with its thread: browsing, resolving and publishing, the same for both.
///
/// State: idle from `init` to `begin`, which comes when the backend is there; from then on it browses and keeps what is
/// wanted published. A failure is reported once, and ends everything but `close`.
///
/// Unchecked Sendable: every stored property that changes is guarded by the lock of `thread`. Callbacks run with the
/// lock held; `init` and `close` run before the thread starts and after it has ended.
final class BackendSession: @unchecked Sendable {
    enum Event: Sendable {
        /// The daemon that was waited for runs.
        case running
        case failed(String)
    }

    private let backend: any Backend
    private let continuation: AsyncStream<DiscoveryUpdate>.Continuation
    private let logger: Logger
    private let report: @Sendable (Event) -> Void
    private let thread: PollThread

    private var hasBegun = false
    private var hasFailed = false
    private var sightings = SightingTable()
    private var requested: Advertisement?
    /// The requested name, or what it became after collisions.
    private var name = ""
    private var renameCount = 0
    private var isPublished = false
    /// Whether the network has agreed to what is published.
    private var isEstablished = false

    /// How many names are tried one after the other. Nobody has so many by chance.
    private static let renameCountMax = 16

    init(
        _ backend: any Backend, continuation: AsyncStream<DiscoveryUpdate>.Continuation, logger: Logger,
        report: @escaping @Sendable (Event) -> Void
    ) throws(DiscoveryError) {
        self.backend = backend
        self.continuation = continuation
        self.logger = logger
        self.report = report
        thread = try PollThread()
        // Balanced in `close`, which therefore also cleans up a start that failed half way.
        let context = Unmanaged.passRetained(self).toOpaque()
        do throws(DiscoveryError) {
            try backend.open(thread.api, context)
            if case .failed(let reason) = backend.state { throw .avahi(function: "start", message: reason) }
            try thread.start()
        } catch {
            close()
            throw error
        }
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Says goodbye, ends the thread and frees everything. Called exactly once, never from a callback.
    func close() {
        thread.stop()
        backend.close()
        Unmanaged.passUnretained(self).release()
    }

    var isRunning: Bool { thread.withLock { backend.state == .running } }

    /// False while the network has not agreed to what is to be published, which takes about a second, and while others
    /// are looked for where the interface is not any more. A daemon that hangs keeps whoever asks waiting.
    var isSettled: Bool {
        thread.withLock {
            backend.awaitAnswer()
            return (requested == nil || isEstablished) && backend.browsesScope
        }
    }

    /// Starts to browse and to publish; nothing the second time.
    func begin() {
        thread.withLock {
            guard !hasBegun else { return }
            hasBegun = true
            do throws(DiscoveryError) { try backend.browse(context) } catch { fail("\(error)") }
            publishOrFail()
        }
    }

    /// Replaces what is published; `nil` withdraws it. A change of text alone is an update of the record.
    /// - Parameter renewing: publish anew even if nothing has changed.
    func advertise(_ advertisement: Advertisement?, renewing: Bool) {
        thread.withLock {
            let old = requested
            guard advertisement != old || renewing else { return }
            requested = advertisement
            let isSameService = old?.instanceName == advertisement?.instanceName && old?.port == advertisement?.port
            guard let advertisement, isSameService, isPublished, !renewing else {
                if !isSameService, let advertisement { name = advertisement.instanceName }
                renameCount = 0
                return publishOrFail()
            }
            do throws(DiscoveryError) { try backend.updateText(advertisement, as: name) } catch { fail("\(error)") }
        }
    }

    /// A new group of records each time. avahi-core 0.8 counts a probe that was under way on an interface that loses
    /// its address as never ending, and a group with such a probe is never announced again, on no interface; and a
    /// group that is reset often is made to wait ever longer.
    private func publishOrFail() {
        guard hasBegun, !hasFailed else { return }
        if isPublished { backend.unpublish() }
        isPublished = false
        isEstablished = false
        guard let requested, backend.state == .running else { return }
        do throws(DiscoveryError) {
            while try !backend.publish(requested, as: name, context) {
                backend.unpublish()
                guard rename() else { return }
            }
            isPublished = true
        } catch {
            fail("\(error)")
        }
    }

    private func rename() -> Bool {
        renameCount += 1
        guard renameCount <= Self.renameCountMax else {
            fail("\(Self.renameCountMax) names were taken one after the other")
            return false
        }
        name = alternative(to: name)
        logger.debug("instance name is taken", metadata: ["next": "\(name)"])
        return true
    }

    private func fail(_ reason: String) {
        guard !hasFailed else { return }
        hasFailed = true
        report(.failed(reason))
    }

    // Callbacks

    /// The first calls come from within `open`, when nothing is to be done.
    func stateChanged() {
        switch backend.state {
        case .failed(let reason): fail(reason)
        case .running where !hasBegun: report(.running)
        case .running, .waiting: publishOrFail()
        }
    }

    func groupChanged(to state: AvahiEntryGroupState) {
        switch state {
        case AVAHI_ENTRY_GROUP_COLLISION: if rename() { publishOrFail() }
        case AVAHI_ENTRY_GROUP_ESTABLISHED:
            isEstablished = true
            logger.debug("advertisement published", metadata: ["name": "\(name)"])
        case AVAHI_ENTRY_GROUP_FAILURE: fail("cannot publish: \(backend.errorMessage)")
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
                logger.debug("too many instances", metadata: ["limit": "\(SightingTable.resolverCountMax)"])
                return
            }
            guard let resolver = backend.newResolver(of: key, domain: domain, context) else {
                logger.debug("instance not resolvable", metadata: ["reason": "\(backend.errorMessage)"])
                return
            }
            sightings.insert(key, resolver: resolver, interfaceName: interfaceName)
        case AVAHI_BROWSER_REMOVE:
            guard let removed = sightings.remove(key) else { return }
            backend.freeResolver(removed.resolver)
            if let update = removed.update { continuation.yield(update) }
        case AVAHI_BROWSER_FAILURE: fail("cannot browse: \(backend.errorMessage)")
        default: break
        }
    }

    fileprivate func resolved(
        _ key: SightingTable.Key, address: UnsafePointer<AvahiAddress>?, port: UInt16,
        text: UnsafeMutablePointer<AvahiStringList>?
    ) {
        guard let sighting = sightings.sighting(of: key, address: address, port: port, text: text) else { return }
        if let update = sightings.resolve(key, to: sighting) { continuation.yield(update) }
    }
}

/// The session that a callback was registered for.
func session(_ context: UnsafeMutableRawPointer?) -> BackendSession {
    Unmanaged<BackendSession>.fromOpaque(context!).takeUnretainedValue()  // every callback is registered with one
}

/// For both backends: their browsers and resolvers call back alike.
let onInstance: AvahiServiceBrowserCallback = {
    _, interface, protocolNumber, event, name, _, domain, _, context in
    let key = SightingTable.Key(name, interface, protocolNumber)
    session(context).instance(key, domain: domain, changed: event)
}

let onResolved: AvahiServiceResolverCallback = {
    _, interface, protocolNumber, event, name, _, _, _, address, port, text, _, context in
    // A failure is a timeout; the resolver goes on and reports when the records come after all.
    guard event == AVAHI_RESOLVER_FOUND else { return }
    let key = SightingTable.Key(name, interface, protocolNumber)
    session(context).resolved(key, address: address, port: port, text: text)
}
