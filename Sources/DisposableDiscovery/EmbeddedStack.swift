// SPDX-License-Identifier: Apache-2.0
internal import CAvahi
internal import Glibc
internal import Logging

/// Avahi's own mDNS stack, avahi-core, in this process.
///
/// Several stacks, and a daemon, can share one machine because nothing they publish is the same: the host name is
/// random per start, and the address records are added here without the reverse records (address to name), of which
/// each address has only one and stacks would fight over it. That also saves the second that Avahi's own address
/// publishing probes before services come up.
///
/// State: browsing from `init` to `close`. Published are two groups of records, both made on the first advertisement:
/// the addresses, renewed when the machine's addresses change, and the service.
///
/// Unchecked Sendable: every stored property that changes is guarded by the lock of `thread`. Callbacks run with the
/// lock held; `init` and `close` run before the thread starts and after it has ended.
final class EmbeddedStack: Backend, @unchecked Sendable {
    private let scope: InterfaceScope
    private let continuation: AsyncStream<DiscoveryUpdate>.Continuation
    private let logger: Logger
    private let thread: PollThread

    private var server: OpaquePointer?
    private var timer: OpaquePointer?
    private var sightings = SightingTable()
    private var requested: Advertisement?
    /// The requested name, or what it became after collisions.
    private var name = ""
    private var serviceGroup: OpaquePointer?
    private var addressGroup: OpaquePointer?
    private var publishedAddresses: [InterfaceAddress] = []

    /// How often the machine's addresses are compared with the published ones.
    private static let addressCheckMilliseconds: UInt32 = 2000

    init(
        scope: InterfaceScope, continuation: AsyncStream<DiscoveryUpdate>.Continuation, logger: Logger
    ) throws(DiscoveryError) {
        self.scope = scope
        self.continuation = continuation
        self.logger = logger
        thread = try PollThread()
        AvahiProcess.prepare(logger: logger)
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
        var config = AvahiServerConfig()
        avahi_server_config_init(&config)
        defer { avahi_server_config_free(&config) }
        config.host_name = avahi_strdup("disposable-" + String(UInt64.random(in: .min ... .max), radix: 36))
        switch scope {
        case .allButLoopback: config.deny_interfaces = avahi_string_list_add(nil, "lo")
        case .single(let name, _, _): config.allow_interfaces = avahi_string_list_add(nil, name)
        }
        config.publish_hinfo = 0
        config.publish_addresses = 0
        config.publish_workstation = 0
        config.publish_domain = 0
        config.enable_wide_area = 0
        config.disallow_other_stacks = 0
        // The daemon's own limit; avahi-core has none unless told.
        config.ratelimit_interval = 1_000_000
        config.ratelimit_burst = 1000

        var error: CInt = 0
        server = avahi_server_new(thread.api, &config, onServerState, context, &error)
        guard let server else {
            throw .avahi(function: "avahi_server_new", message: avahiMessage(error))
        }
        let browser = avahi_s_service_browser_new(
            server, anyInterface, anyProtocol, serviceType, nil, noLookupFlags, onInstance, context)
        guard browser != nil else { throw failure("avahi_s_service_browser_new") }
        var due = timeval()
        avahi_elapse_time(&due, Self.addressCheckMilliseconds, 0)
        timer = thread.api.pointee.timeout_new(thread.api, &due, onAddressCheck, context)
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    func close() {
        thread.stop()
        if let timer { thread.api.pointee.timeout_free(timer) }
        // Frees browser, resolvers and groups too, and sends the goodbyes.
        if let server { avahi_server_free(server) }
        timer = nil
        server = nil
        Unmanaged.passUnretained(self).release()
    }

    func advertise(_ advertisement: Advertisement?) throws(DiscoveryError) {
        try thread.withLock { () throws(DiscoveryError) in
            guard advertisement != requested else { return }
            let old = requested
            requested = advertisement
            do throws(DiscoveryError) {
                guard let advertisement else { return withdraw() }
                if let old, old.instanceName == advertisement.instanceName, old.port == advertisement.port {
                    try updateText(advertisement)
                } else {
                    name = advertisement.instanceName
                    try publishAddresses()
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
        if let serviceGroup { avahi_s_entry_group_free(serviceGroup) }
        if let addressGroup { avahi_s_entry_group_free(addressGroup) }
        serviceGroup = nil
        addressGroup = nil
        publishedAddresses = []
    }

    private func updateText(_ advertisement: Advertisement) throws(DiscoveryError) {
        let status = TextRecord.withList(advertisement.text) { list in
            // Takes its own copy of the list, like all functions of its kind.
            avahi_server_update_service_txt_strlst(
                server, serviceGroup, anyInterface, anyProtocol, noPublishFlags, name, serviceType, nil, list)
        }
        try check(status, "avahi_server_update_service_txt_strlst")
    }

    private func publishService() throws(DiscoveryError) {
        guard let requested else { return }
        let group = try emptied(&serviceGroup, onServiceGroupState)
        let status = TextRecord.withList(requested.text) { list in
            avahi_server_add_service_strlst(
                server, group, anyInterface, anyProtocol, noPublishFlags, name, serviceType, nil, nil,
                requested.port, list)
        }
        try check(status, "avahi_server_add_service_strlst")
        try check(avahi_s_entry_group_commit(group), "avahi_s_entry_group_commit")
    }

    private func publishAddresses() throws(DiscoveryError) {
        let addresses = scope.addresses
        guard addresses != publishedAddresses else { return }
        let group = try emptied(&addressGroup, onAddressGroupState)
        for address in addresses {
            var parsed = AvahiAddress()
            // Avahi's addresses have no interface in them.
            let host = String(address.host.prefix { $0 != "%" })
            guard avahi_address_parse(host, anyProtocol, &parsed) != nil else { continue }
            let status = avahi_server_add_address(
                server, group, AvahiIfIndex(address.index), anyProtocol, AVAHI_PUBLISH_NO_REVERSE, nil, &parsed)
            try check(status, "avahi_server_add_address")
        }
        if avahi_s_entry_group_is_empty(group) == 0 {
            try check(avahi_s_entry_group_commit(group), "avahi_s_entry_group_commit")
        }
        publishedAddresses = addresses
    }

    /// The group in `slot` without records, made if there is none yet.
    private func emptied(
        _ slot: inout OpaquePointer?, _ callback: AvahiSEntryGroupCallback
    ) throws(DiscoveryError) -> OpaquePointer {
        if let group = slot {
            avahi_s_entry_group_reset(group)
            return group
        }
        guard let group = avahi_s_entry_group_new(server, callback, context) else {
            throw failure("avahi_s_entry_group_new")
        }
        slot = group
        return group
    }

    private func failure(_ function: String) -> DiscoveryError {
        .avahi(function: function, message: server.map { avahiMessage(avahi_server_errno($0)) } ?? "no server")
    }

    private func fail(_ reason: String) {
        logger.debug("embedded avahi failed", metadata: ["reason": "\(reason)"])
        continuation.yield(.failed(reason))
    }

    fileprivate func serverChanged(to state: AvahiServerState) {
        switch state {
        case AVAHI_SERVER_FAILURE: fail(server.map { avahiMessage(avahi_server_errno($0)) } ?? "avahi-core failed")
        case AVAHI_SERVER_COLLISION: fail("the random host name is taken")
        default: break
        }
    }

    fileprivate func serviceGroupChanged(to state: AvahiEntryGroupState) {
        switch state {
        case AVAHI_ENTRY_GROUP_COLLISION:
            name = alternative(to: name)
            logger.debug("instance name is taken", metadata: ["next": "\(name)"])
            do { try publishService() } catch { fail("\(error)") }
        case AVAHI_ENTRY_GROUP_ESTABLISHED: logger.debug("advertisement published", metadata: ["name": "\(name)"])
        case AVAHI_ENTRY_GROUP_FAILURE: fail("\(failure("avahi_s_entry_group_commit"))")
        default: break
        }
    }

    fileprivate func addressGroupChanged(to state: AvahiEntryGroupState) {
        switch state {
        // 64 random bits do not collide by chance: a new start draws a new name.
        case AVAHI_ENTRY_GROUP_COLLISION: fail("the random host name is taken")
        case AVAHI_ENTRY_GROUP_FAILURE: fail("\(failure("avahi_s_entry_group_commit"))")
        default: break
        }
    }

    fileprivate func addressCheck(_ timer: OpaquePointer?) {
        if requested != nil {
            do { try publishAddresses() } catch { fail("\(error)") }
        }
        var due = timeval()
        avahi_elapse_time(&due, Self.addressCheckMilliseconds, 0)
        thread.api.pointee.timeout_update(timer, &due)
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
            let resolver = avahi_s_service_resolver_new(
                server, key.interfaceIndex, key.protocolNumber, key.name, serviceType, domain, key.protocolNumber,
                noLookupFlags, onResolved, context)
            guard let resolver else {
                let reason = failure("avahi_s_service_resolver_new")
                logger.debug("instance not resolvable", metadata: ["reason": "\(reason)"])
                return
            }
            sightings.insert(key, resolver: resolver, interfaceName: interfaceName)
        case AVAHI_BROWSER_REMOVE:
            guard let removed = sightings.remove(key) else { return }
            avahi_s_service_resolver_free(removed.resolver)
            if let update = removed.update { continuation.yield(update) }
        case AVAHI_BROWSER_FAILURE: fail("\(failure("avahi_s_service_browser_new"))")
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

private func stack(_ context: UnsafeMutableRawPointer?) -> EmbeddedStack {
    Unmanaged<EmbeddedStack>.fromOpaque(context!).takeUnretainedValue()  // every callback is registered with one
}

private let onServerState: AvahiServerCallback = { _, state, context in stack(context).serverChanged(to: state) }

private let onServiceGroupState: AvahiSEntryGroupCallback = { _, _, state, context in
    stack(context).serviceGroupChanged(to: state)
}

private let onAddressGroupState: AvahiSEntryGroupCallback = { _, _, state, context in
    stack(context).addressGroupChanged(to: state)
}

private let onAddressCheck: AvahiTimeoutCallback = { timer, context in stack(context).addressCheck(timer) }

private let onInstance: AvahiSServiceBrowserCallback = {
    _, interface, protocolNumber, event, name, _, domain, _, context in
    let key = SightingTable.Key(name, interface, protocolNumber)
    stack(context).instance(key, domain: domain, changed: event)
}

private let onResolved: AvahiSServiceResolverCallback = {
    _, interface, protocolNumber, event, name, _, _, _, address, port, text, _, context in
    // A failure is a timeout; the resolver goes on and reports when the records come after all.
    guard event == AVAHI_RESOLVER_FOUND else { return }
    let key = SightingTable.Key(name, interface, protocolNumber)
    stack(context).resolved(key, address: address, port: port, text: text)
}
