// SPDX-License-Identifier: Apache-2.0
internal import CAvahi

/// A client of the machine's Avahi daemon, over D-Bus: each call of libavahi-client with its arguments. Every method is
/// called with the lock of the session's thread held, by the ``DaemonSession`` that `context` is. Without a daemon it
/// waits for one; a daemon that ends is a failure, after which a new client is needed.
///
/// The service is published under the daemon's host name, so it is withdrawn while the daemon changes that name.
final class DaemonClient {
    private let scope: InterfaceScope
    private let library: ClientLibrary
    private var client: OpaquePointer?
    private var group: OpaquePointer?
    private var browsedIndex: Int32?

    init(scope: InterfaceScope, library: ClientLibrary) {
        self.scope = scope
        self.library = library
    }

    /// Connects, without browsing or publishing.
    func open(_ api: UnsafePointer<AvahiPoll>, _ context: UnsafeMutableRawPointer) throws(DiscoveryError) {
        var error: CInt = 0
        client = library.clientNew(api, AVAHI_CLIENT_NO_FAIL, onClientState, context, &error)
        guard client != nil else { throw .avahi(function: "avahi_client_new", message: avahiMessage(error)) }
    }

    /// Frees everything. Called once, after the thread has ended, even if `open` has failed. Browser, resolvers and
    /// group are freed with the client; the daemon sends the goodbye of a client that disconnects.
    func close() {
        if let client { library.clientFree(client) }
        client = nil
    }

    var state: DaemonState {
        guard let client else { return .waiting }
        switch library.clientGetState(client) {
        case AVAHI_CLIENT_S_RUNNING: return .running
        case AVAHI_CLIENT_CONNECTING, AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: return .waiting
        default: return .failed(errorMessage)
        }
    }

    var errorMessage: String { client.map { avahiMessage(library.clientErrno($0)) } ?? "no client" }

    func browse(_ context: UnsafeMutableRawPointer) throws(DiscoveryError) {
        let index = try scope.index
        let browser = library.serviceBrowserNew(
            client, index, anyProtocol, serviceType, nil, noLookupFlags, onInstance, context)
        guard browser != nil else { throw .avahi(function: "avahi_service_browser_new", message: errorMessage) }
        browsedIndex = index
    }

    /// False once the browsed interface has been replaced by another. A failed query of the system is not a change.
    var browsesScope: Bool {
        guard let browsedIndex, let index = try? scope.index else { return true }
        return browsedIndex == index
    }

    func newResolver(
        of key: SightingTable.Key, domain: String, _ context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        library.serviceResolverNew(
            client, key.interfaceIndex, key.protocolNumber, key.name, serviceType, domain, key.protocolNumber,
            noLookupFlags, onResolved, context)
    }

    /// Frees a resolver. An error means that the daemon has ended; the local object is freed in any case.
    func freeResolver(_ resolver: OpaquePointer) { _ = library.serviceResolverFree(resolver) }

    /// Publishes, after `unpublish` or for the first time. Returns false if this machine already uses that name.
    func publish(
        _ advertisement: Advertisement, as name: String, _ context: UnsafeMutableRawPointer
    ) throws(DiscoveryError) -> Bool {
        let index = try scope.index
        guard let group = library.entryGroupNew(client, onGroupState, context) else {
            throw .avahi(function: "avahi_entry_group_new", message: errorMessage)
        }
        self.group = group
        let status = AvahiText.withList(advertisement.text) { list in
            library.entryGroupAddServiceStrlst(
                group, index, anyProtocol, noPublishFlags, name, serviceType, nil, nil, advertisement.port, list)
        }
        if status == CInt(AVAHI_ERR_COLLISION) { return false }
        try check(status, "avahi_entry_group_add_service_strlst")
        try check(library.entryGroupCommit(group), "avahi_entry_group_commit")
        return true
    }

    func updateText(_ advertisement: Advertisement, as name: String) throws(DiscoveryError) {
        let index = try scope.index
        let status = AvahiText.withList(advertisement.text) { list in
            library.entryGroupUpdateServiceTxtStrlst(
                group, index, anyProtocol, noPublishFlags, name, serviceType, nil, list)
        }
        try check(status, "avahi_entry_group_update_service_txt_strlst")
    }

    /// Returns when the daemon has answered a request, or nothing is published; may take half a minute. This is the
    /// only request of avahi-client that is never answered from its cache.
    func awaitAnswer() { if let group { _ = library.entryGroupIsEmpty(group) } }

    /// Withdraws the records. An error means that the daemon has ended, and the records with it.
    func unpublish() {
        if let group { _ = library.entryGroupFree(group) }
        group = nil
    }
}

/// The state of the connection to a daemon.
enum DaemonState: Equatable, Sendable {
    /// No daemon yet, or it is choosing its host name.
    case waiting
    case running
    /// The client is unusable.
    case failed(String)
}

private let onClientState: AvahiClientCallback = { _, _, context in session(context).stateChanged() }

private let onGroupState: AvahiEntryGroupCallback = { _, state, context in session(context).groupChanged(to: state) }
