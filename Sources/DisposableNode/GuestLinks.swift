// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync
internal import Synchronization

/// The present guests' link, and the ones that it has replaced: for portals, from any thread.
public final class GuestLinks: Sendable {
    private let held: Mutex<(current: GuestLink, replaced: [GuestLink])>

    init(_ keyring: Keyring, of event: EventID) { held = Mutex(Self.links(keyring, of: event)) }

    public var current: GuestLink { held.withLock { $0.current } }
    /// Links on earlier print-outs; at most as many as a node keeps secrets.
    public var replaced: [GuestLink] { held.withLock { $0.replaced } }

    func follow(_ keyring: Keyring, of event: EventID) {
        let links = Self.links(keyring, of: event)
        held.withLock { $0 = links }
    }

    private static func links(_ keyring: Keyring, of event: EventID) -> (current: GuestLink, replaced: [GuestLink]) {
        let links = keyring.all.map { GuestLink(event: event, secret: $0.secret) }
        return (links[0], Array(links.dropFirst()))
    }
}
