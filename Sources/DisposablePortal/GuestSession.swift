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
    /// The connection: closed from here when nothing moves on it.
    let channel: any Channel
    /// Set by the middleware that reads the cookie or bearer; `nil` for requests outside of an event's path.
    var session: GuestSession?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    var remoteAddress: SocketAddress? { channel.remoteAddress }
}
