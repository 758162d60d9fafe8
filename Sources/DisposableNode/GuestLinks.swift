// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync
internal import Synchronization

/// The present guests' link, the wall's codes, and the links that the present one has replaced: for portals, from any
/// thread.
public final class GuestLinks: Sendable {
    private struct Links: Sendable {
        let current: GuestLink
        let replaced: [GuestLink]
        let wall: WallCode

        init(_ keyring: Keyring, of event: EventID) {
            let links = keyring.all.map { GuestLink(event: event, secret: $0.secret) }
            (current, replaced) = (links[0], Array(links.dropFirst()))
            wall = WallCode(event: event, secret: keyring.current.secret)
        }
    }

    private let held: Mutex<Links>

    init(_ keyring: Keyring, of event: EventID) { held = Mutex(Links(keyring, of: event)) }

    public var current: GuestLink { held.withLock { $0.current } }
    /// Links on earlier print-outs; at most as many as a node keeps secrets.
    public var replaced: [GuestLink] { held.withLock { $0.replaced } }
    /// The codes that the wall shows, and the token of its link.
    public var wall: WallCode { held.withLock { $0.wall } }

    func follow(_ keyring: Keyring, of event: EventID) {
        let links = Links(keyring, of: event)
        held.withLock { $0 = links }
    }
}
