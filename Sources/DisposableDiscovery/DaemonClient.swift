// SPDX-License-Identifier: Apache-2.0
internal import CAvahi
internal import Logging

/// A client of the machine's Avahi daemon, over D-Bus.
///
/// State: browsing from `init` to `close`, or until the daemon goes, which is reported once; every later call then
/// fails with Avahi's reason. The service is published under the daemon's host name, so it is taken back while the
/// daemon changes that name and published again when the daemon runs.
///
/// Unchecked Sendable: every stored property that changes is guarded by the lock of `thread`. Callbacks run with the
/// lock held; `init` and `close` run before the thread starts and after it has ended.
final class DaemonClient: Backend, @unchecked Sendable {
    private let scope: InterfaceScope
    private let continuation: AsyncStream<DiscoveryUpdate>.Continuation
    private let logger: Logger
    private let thread: PollThread
    private let library: ClientLibrary

    private var client: OpaquePointer?
    private var sightings = SightingTable()
    private var requested: Advertisement?
    /// The requested name, or what it became after collisions.
    private var name = ""
    private var group: OpaquePointer?
    private var hasFailed = false

    /// How many names are tried one after the other when another program on this machine has them.
    private static let renameCountMax = 16

    init(
        scope: InterfaceScope, continuation: AsyncStream<DiscoveryUpdate>.Continuation, logger: Logger
    ) throws(DiscoveryError) {
        self.scope = scope
        self.continuation = continuation
        self.logger = logger
        library = try ClientLibrary.shared.get()
        thread = try PollThread()
        // Balanced in `close`, which therefore also cleans up a start that failed half way.
        let context = Unmanaged.passRetained(self).toOpaque()
        do throws(DiscoveryError) {
            try open(context)
            try thread.start()
        } catch {
            close()
            throw error
        }
    }

    private func open(_ context: UnsafeMutableRawPointer) throws(DiscoveryError) {
        var error: CInt = 0
        client = library.clientNew(thread.api, AvahiClientFlags(0), onClientState, context, &error)
        guard let client else {
            throw .avahi(function: "avahi_client_new", message: avahiMessage(error))
        }
        switch library.clientGetState(client) {
        case AVAHI_CLIENT_S_RUNNING, AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: break
        default: throw failure("avahi_client_new")
        }
        let browser = library.serviceBrowserNew(
            client, scope.index, anyProtocol, serviceType, nil, noLookupFlags, onInstance, context)
        guard browser != nil else { throw failure("avahi_service_browser_new") }
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    func close() {
        thread.stop()
        // Frees browser, resolvers and group too; the daemon says goodbye for a client that leaves.
        if let client { library.clientFree(client) }
        client = nil
        Unmanaged.passUnretained(self).release()
    }

    func advertise(_ advertisement: Advertisement?) throws(DiscoveryError) {
        try thread.withLock { () throws(DiscoveryError) in
            guard !hasFailed else { throw .stopped }
            guard advertisement != requested else { return }
            let old = requested
            requested = advertisement
            do throws(DiscoveryError) {
                guard let advertisement else { return withdraw() }
                let isSameService = old?.instanceName == advertisement.instanceName && old?.port == advertisement.port
                if isSameService, let group, library.entryGroupIsEmpty(group) == 0 {
                    try updateText(advertisement, in: group)
                } else {
                    if !isSameService { name = advertisement.instanceName }
                    try publishService()
                }
            } catch {
                withdraw()
                throw error
            }
        }
    }

    private func withdraw() {
        requested = nil
        // An error here means that the daemon has gone, and the records with it.
        if let group { _ = library.entryGroupFree(group) }
        group = nil
    }

    private func updateText(_ advertisement: Advertisement, in group: OpaquePointer) throws(DiscoveryError) {
        let status = TextRecord.withList(advertisement.text) { list in
            library.entryGroupUpdateServiceTxtStrlst(
                group, scope.index, anyProtocol, noPublishFlags, name, serviceType, nil, list)
        }
        try check(status, "avahi_entry_group_update_service_txt_strlst")
    }

    /// Does nothing while the daemon is still choosing its host name; its running state calls this again.
    private func publishService() throws(DiscoveryError) {
        guard let requested, let client, library.clientGetState(client) == AVAHI_CLIENT_S_RUNNING else { return }
        let group = try emptiedGroup(of: client)
        var status = CInt(AVAHI_ERR_COLLISION)
        for _ in 0..<Self.renameCountMax {
            status = TextRecord.withList(requested.text) { list in
                library.entryGroupAddServiceStrlst(
                    group, scope.index, anyProtocol, noPublishFlags, name, serviceType, nil, nil, requested.port, list)
            }
            guard status == CInt(AVAHI_ERR_COLLISION) else { break }
            rename()
        }
        try check(status, "avahi_entry_group_add_service_strlst")
        try check(library.entryGroupCommit(group), "avahi_entry_group_commit")
    }

    private func emptiedGroup(of client: OpaquePointer) throws(DiscoveryError) -> OpaquePointer {
        if let group {
            try check(library.entryGroupReset(group), "avahi_entry_group_reset")
            return group
        }
        guard let new = library.entryGroupNew(client, onGroupState, context) else {
            throw failure("avahi_entry_group_new")
        }
        group = new
        return new
    }

    private func rename() {
        name = alternative(to: name)
        logger.debug("instance name is taken", metadata: ["next": "\(name)"])
    }

    private func failure(_ function: String) -> DiscoveryError {
        .avahi(function: function, message: client.map { avahiMessage(library.clientErrno($0)) } ?? "no client")
    }

    private func fail(_ reason: String) {
        guard !hasFailed else { return }
        hasFailed = true
        logger.debug("avahi daemon failed", metadata: ["reason": "\(reason)"])
        continuation.yield(.failed(reason))
    }

    /// The first call comes from within `avahi_client_new`, when `client` is not set yet and nothing is to be done.
    fileprivate func clientChanged(to state: AvahiClientState) {
        guard let client else { return }
        switch state {
        case AVAHI_CLIENT_S_RUNNING:
            do { try publishService() } catch { fail("\(error)") }
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION:
            guard let group else { return }
            do { try check(library.entryGroupReset(group), "avahi_entry_group_reset") } catch { fail("\(error)") }
        case AVAHI_CLIENT_FAILURE: fail(avahiMessage(library.clientErrno(client)))
        default: break
        }
    }

    fileprivate func groupChanged(to state: AvahiEntryGroupState) {
        switch state {
        case AVAHI_ENTRY_GROUP_COLLISION:
            rename()
            do { try publishService() } catch { fail("\(error)") }
        case AVAHI_ENTRY_GROUP_ESTABLISHED: logger.debug("advertisement published", metadata: ["name": "\(name)"])
        case AVAHI_ENTRY_GROUP_FAILURE: fail("\(failure("avahi_entry_group_commit"))")
        default: break
        }
    }

    fileprivate func instance(
        _ key: SightingTable.Key, domain: UnsafePointer<CChar>?, changed event: AvahiBrowserEvent
    ) {
        switch event {
        case AVAHI_BROWSER_NEW:
            guard !sightings.contains(key), let interfaceName = interfaceName(key.interfaceIndex) else { return }
            guard !InterfaceScope.isLoopback(interfaceName) else { return }
            guard !sightings.isFull else {
                logger.debug("too many instances", metadata: ["limit": "\(SightingTable.resolverCountMax)"])
                return
            }
            let resolver = library.serviceResolverNew(
                client, key.interfaceIndex, key.protocolNumber, key.name, serviceType, domain, key.protocolNumber,
                noLookupFlags, onResolved, context)
            guard let resolver else {
                let reason = failure("avahi_service_resolver_new")
                logger.debug("instance not resolvable", metadata: ["reason": "\(reason)"])
                return
            }
            sightings.insert(key, resolver: resolver, interfaceName: interfaceName)
        case AVAHI_BROWSER_REMOVE:
            guard let removed = sightings.remove(key) else { return }
            // An error here means that the daemon has gone; the local object is freed in any case.
            _ = library.serviceResolverFree(removed.resolver)
            if let update = removed.update { continuation.yield(update) }
        case AVAHI_BROWSER_FAILURE: fail("\(failure("avahi_service_browser_new"))")
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

private func daemonClient(_ context: UnsafeMutableRawPointer?) -> DaemonClient {
    Unmanaged<DaemonClient>.fromOpaque(context!).takeUnretainedValue()  // every callback is registered with one
}

private let onClientState: AvahiClientCallback = { _, state, context in
    daemonClient(context).clientChanged(to: state)
}

private let onGroupState: AvahiEntryGroupCallback = { _, state, context in
    daemonClient(context).groupChanged(to: state)
}

private let onInstance: AvahiServiceBrowserCallback = {
    _, interface, protocolNumber, event, name, _, domain, _, context in
    let key = SightingTable.Key(name, interface, protocolNumber)
    daemonClient(context).instance(key, domain: domain, changed: event)
}

private let onResolved: AvahiServiceResolverCallback = {
    _, interface, protocolNumber, event, name, _, _, _, address, port, text, _, context in
    // A failure is a timeout; the resolver goes on and reports when the records come after all.
    guard event == AVAHI_RESOLVER_FOUND else { return }
    let key = SightingTable.Key(name, interface, protocolNumber)
    daemonClient(context).resolved(key, address: address, port: port, text: text)
}
