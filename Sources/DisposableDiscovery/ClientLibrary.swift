// SPDX-License-Identifier: Apache-2.0
internal import CAvahi
internal import Glibc

/// The functions of libavahi-client, loaded at run time: that library and D-Bus are only useful on machines with an
/// Avahi daemon, and the node runs without them.
struct ClientLibrary: Sendable {
    let clientNew: cavahi_client_new
    let clientFree: cavahi_client_free
    let clientErrno: cavahi_client_errno
    let clientGetState: cavahi_client_get_state
    let serviceBrowserNew: cavahi_service_browser_new
    let serviceResolverNew: cavahi_service_resolver_new
    let serviceResolverFree: cavahi_service_resolver_free
    let entryGroupNew: cavahi_entry_group_new
    let entryGroupFree: cavahi_entry_group_free
    let entryGroupIsEmpty: cavahi_entry_group_is_empty
    let entryGroupCommit: cavahi_entry_group_commit
    let entryGroupAddServiceStrlst: cavahi_entry_group_add_service_strlst
    let entryGroupUpdateServiceTxtStrlst: cavahi_entry_group_update_service_txt_strlst

    /// The library, opened once and never closed: its threads and callbacks may outlive any one client.
    static let shared: Result<ClientLibrary, DiscoveryError> = Result { () throws(DiscoveryError) in
        try ClientLibrary()
    }

    private init() throws(DiscoveryError) {
        guard let handle = dlopen("libavahi-client.so.3", RTLD_NOW | RTLD_LOCAL) else {
            throw .avahi(function: "dlopen", message: Self.linkerMessage)
        }
        func symbol<Function>(_ name: String) throws(DiscoveryError) -> Function {
            guard let address = dlsym(handle, name) else {
                throw .avahi(function: "dlsym", message: Self.linkerMessage)
            }
            return unsafeBitCast(address, to: Function.self)
        }
        clientNew = try symbol("avahi_client_new")
        clientFree = try symbol("avahi_client_free")
        clientErrno = try symbol("avahi_client_errno")
        clientGetState = try symbol("avahi_client_get_state")
        serviceBrowserNew = try symbol("avahi_service_browser_new")
        serviceResolverNew = try symbol("avahi_service_resolver_new")
        serviceResolverFree = try symbol("avahi_service_resolver_free")
        entryGroupNew = try symbol("avahi_entry_group_new")
        entryGroupFree = try symbol("avahi_entry_group_free")
        entryGroupIsEmpty = try symbol("avahi_entry_group_is_empty")
        entryGroupCommit = try symbol("avahi_entry_group_commit")
        entryGroupAddServiceStrlst = try symbol("avahi_entry_group_add_service_strlst")
        entryGroupUpdateServiceTxtStrlst = try symbol("avahi_entry_group_update_service_txt_strlst")
    }

    private static var linkerMessage: String { dlerror().map { String(cString: $0) } ?? "no reason given" }
}
