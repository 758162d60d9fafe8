// SPDX-License-Identifier: Apache-2.0
internal import CAvahi
internal import Logging

/// Avahi's own mDNS stack, avahi-core, in this process.
///
/// Several stacks, and a daemon, can share one machine because nothing they publish is the same: the host name is
/// random per start, and the address records are added here without the reverse records (address to name), of which
/// each address has only one and stacks would fight over it. That also saves the second that Avahi's own address
/// publishing probes before services come up. The addresses are those of the moment: when they change, publish again.
final class EmbeddedStack: Backend {
    private let scope: InterfaceScope
    private var server: OpaquePointer?
    private var group: OpaquePointer?

    init(scope: InterfaceScope, logger: Logger) {
        self.scope = scope
        AvahiProcess.prepare(logger: logger)
    }

    func open(_ api: UnsafePointer<AvahiPoll>, _ context: UnsafeMutableRawPointer) throws(DiscoveryError) {
        var config = AvahiServerConfig()
        avahi_server_config_init(&config)
        defer { avahi_server_config_free(&config) }
        config.host_name = avahi_strdup("disposable-" + String(UInt64.random(in: .min ... .max), radix: 36))
        switch scope {
        case .allButLoopback: config.deny_interfaces = avahi_string_list_add(nil, "lo")
        case .single(let name, _): config.allow_interfaces = avahi_string_list_add(nil, name)
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
        server = avahi_server_new(api, &config, onServerState, context, &error)
        guard server != nil else { throw .avahi(function: "avahi_server_new", message: avahiMessage(error)) }
    }

    /// Browser, resolvers and group go with the server, which sends the goodbyes.
    func close() {
        if let server { avahi_server_free(server) }
        server = nil
    }

    var state: BackendState {
        guard let server else { return .waiting }
        switch avahi_server_get_state(server) {
        case AVAHI_SERVER_FAILURE: return .failed(errorMessage)
        // 64 random bits do not collide by chance: a new start draws a new name.
        case AVAHI_SERVER_COLLISION: return .failed("the random host name is taken")
        default: return .running
        }
    }

    var errorMessage: String { server.map { avahiMessage(avahi_server_errno($0)) } ?? "no server" }

    func browse(_ context: UnsafeMutableRawPointer) throws(DiscoveryError) {
        let browser = avahi_s_service_browser_new(
            server, anyInterface, anyProtocol, serviceType, nil, noLookupFlags, onInstance, context)
        guard browser != nil else {
            throw .avahi(function: "avahi_s_service_browser_new", message: errorMessage)
        }
    }

    /// The stack itself goes by the interface's name.
    var browsesScope: Bool { true }

    func newResolver(
        of key: SightingTable.Key, domain: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        avahi_s_service_resolver_new(
            server, key.interfaceIndex, key.protocolNumber, key.name, serviceType, domain, key.protocolNumber,
            noLookupFlags, onResolved, context)
    }

    func freeResolver(_ resolver: OpaquePointer) { avahi_s_service_resolver_free(resolver) }

    func publish(
        _ advertisement: Advertisement, as name: String, _ context: UnsafeMutableRawPointer
    ) throws(DiscoveryError) -> Bool {
        guard let group = avahi_s_entry_group_new(server, onGroupState, context) else {
            throw .avahi(function: "avahi_s_entry_group_new", message: errorMessage)
        }
        self.group = group
        try addAddresses(to: group)
        let status = TextRecord.withList(advertisement.text) { list in
            avahi_server_add_service_strlst(
                server, group, anyInterface, anyProtocol, noPublishFlags, name, serviceType, nil, nil,
                advertisement.port, list)
        }
        if status == CInt(AVAHI_ERR_COLLISION) { return false }
        try check(status, "avahi_server_add_service_strlst")
        try check(avahi_s_entry_group_commit(group), "avahi_s_entry_group_commit")
        return true
    }

    private func addAddresses(to group: OpaquePointer) throws(DiscoveryError) {
        for address in try scope.addresses {
            var parsed = AvahiAddress()
            // Avahi's addresses have no interface in them.
            let host = String(address.host.prefix { $0 != "%" })
            guard avahi_address_parse(host, anyProtocol, &parsed) != nil else { continue }
            let status = avahi_server_add_address(
                server, group, AvahiIfIndex(address.index), anyProtocol, AVAHI_PUBLISH_NO_REVERSE, nil, &parsed)
            try check(status, "avahi_server_add_address")
        }
    }

    func updateText(_ advertisement: Advertisement, as name: String) throws(DiscoveryError) {
        let status = TextRecord.withList(advertisement.text) { list in
            // Takes its own copy of the list, like all functions of its kind.
            avahi_server_update_service_txt_strlst(
                server, group, anyInterface, anyProtocol, noPublishFlags, name, serviceType, nil, list)
        }
        try check(status, "avahi_server_update_service_txt_strlst")
    }

    func unpublish() {
        if let group { avahi_s_entry_group_free(group) }
        group = nil
    }

    func awaitAnswer() {}
}

private let onServerState: AvahiServerCallback = { _, _, context in session(context).stateChanged() }

private let onGroupState: AvahiSEntryGroupCallback = { _, _, state, context in session(context).groupChanged(to: state)
}
