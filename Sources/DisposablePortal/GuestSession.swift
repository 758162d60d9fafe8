// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import Hummingbird
internal import NIOCore

/// What a browser that has shown the event's token or code may do, until it leaves (protocol/guest-api.md §2).
struct GuestSession: Sendable {
    let gallery: any Gallery
    /// The hash of the session's 32 bytes, by which the node knows it again.
    let id: Bytes32
    /// Derived from the session's bytes, which the node does not keep: seals what is stored for it. 32 bytes.
    let storageKey: SecretBytes
    /// Whose photos it adds and may take back; `nil` until the browser has proved a guest's key.
    let guest: AuthorID?
}

/// What every handler gets beside the request.
struct PortalContext: RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?
    /// The portal's own, which cookies' names carry.
    let localPort: Int
    /// Set by the middleware that reads the event's path; `nil` for requests outside of one.
    var event: PortalEvent?
    /// Set by the middleware that reads the cookie or bearer; `nil` for requests outside of an event's path.
    var session: GuestSession?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
        localPort = source.channel.localAddress?.port ?? 0
    }

    var addressKey: String { AddressKey(remoteAddress).text }

    func requireEvent() throws(PortalError) -> PortalEvent {
        guard let event else { throw .unknownEvent }
        return event
    }

    func requireSession() throws(PortalError) -> GuestSession {
        guard let session else { throw .noSession }
        return session
    }

    /// The session with its guest.
    func requireGuest() throws(PortalError) -> (session: GuestSession, guest: AuthorID) {
        let session = try requireSession()
        guard let guest = session.guest else { throw .notEntered }
        return (session, guest)
    }
}
