// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
internal import Logging
package import NIOCore

/// The rights of a browser that has shown the event's token or code, until it leaves (protocol/guest-api.md §2).
package struct GuestSession: Sendable {
    package let gallery: any Gallery
    /// The hash of the session's 32 bytes, which identifies it.
    package let id: Bytes32
    /// Derived from the session's bytes, which the node does not keep: encrypts what is stored for it. 32 bytes.
    package let storageKey: SecretBytes
    /// The author of its photos; `nil` until the browser has proved a guest's key.
    package let guest: AuthorID?
    /// The delegation with which the guest's sub-key joins the event, once the guest signs something; `nil` afterwards.
    let delegation: Delegation?

    package init(
        gallery: any Gallery, id: Bytes32, storageKey: SecretBytes, guest: AuthorID?, delegation: Delegation? = nil
    ) {
        self.gallery = gallery
        self.id = id
        self.storageKey = storageKey
        self.guest = guest
        self.delegation = delegation
    }

    /// The owner for limits: the guest, in all of its sessions, or the session without a guest.
    package var owner: Bytes32 { guest?.bytes32 ?? id }
}

/// The context of a request for every handler.
package struct PortalContext: Sendable {
    /// Set by the router.
    package var parameters = PathParameters()
    let logger: Logger
    /// The connection: closed from here if it stalls.
    package let channel: any Channel
    /// The connection as the gate counts it; set by the server.
    var connection: OpenConnection?
    /// The ports of the pages; set by the server.
    var ports: PagePorts?
    /// Set by the middleware that reads the event's path; `nil` for requests outside of one.
    var event: PortalEvent?
    /// Set by the middleware that reads the cookie or bearer; `nil` for requests outside of an event's path.
    package var session: GuestSession?
    /// Set by the middleware of the desk; `nil` for requests outside of it.
    var desk: DeskVisit?

    init(channel: any Channel, logger: Logger) {
        self.channel = channel
        self.logger = logger
    }

    package var remoteAddress: SocketAddress? { channel.remoteAddress }
    /// The portal's own id, which is part of cookies' names.
    var localPort: Int { channel.localAddress?.port ?? 0 }
    /// Whether the request came over HTTPS.
    var isSecure: Bool { connection?.isSecure == true }
    /// The origin of the page that the request comes from, if it is one of this address.
    func origin(of host: String) -> String { "\(isSecure ? "https" : "http")://\(host)" }
    /// The address at which this connection arrived, as browsers write it for IPv4: `10.0.0.7:8027`; `nil` for IPv6.
    var localAuthority: String? {
        guard let bytes = IPAddress.bytes(channel.localAddress?.ipAddress ?? ""), let address = IPAddress.v4(bytes)
        else {
            return nil
        }
        return address.map(String.init).joined(separator: ".") + ":\(localPort)"
    }
    /// The address under which the request counts.
    var addressKey: String { connection?.address ?? AddressKey(remoteAddress).text }

    func requireEvent() throws(PortalError) -> PortalEvent {
        guard let event else { throw .unknownEvent }
        return event
    }

    package func requireSession() throws(PortalError) -> GuestSession {
        guard let session else { throw .noSession }
        return session
    }

    /// Returns the session with its guest. Throws 403 for a session without a guest.
    func requireGuest() throws(PortalError) -> (session: GuestSession, guest: AuthorID) {
        let session = try requireSession()
        guard let guest = session.guest else { throw .notEntered }
        return (session, guest)
    }

    /// Runs a command that is signed for the guest and durable when it returns. Throws 429 if too many commands of the
    /// guest or of the address are waiting.
    func stating<Result>(by guest: AuthorID, _ body: () async throws -> Result) async throws -> Result {
        let gate = try requireEvent().gate
        try gate.beginStatement(of: guest, from: addressKey)
        defer { gate.endStatement(of: guest, from: addressKey) }
        return try await body()
    }

    /// Returns the session with its guest, which is about to sign something: the guest's sub-key joins the event unless it is a
    /// member. Throws 429 if too many new guests join.
    func requireActingGuest() async throws -> (session: GuestSession, guest: AuthorID) {
        let (session, guest) = try requireGuest()
        if let delegation = session.delegation {
            let event = try requireEvent()
            try await GuestEntry(event: event, session: session, address: addressKey).join(delegation)
        }
        return (session, guest)
    }
}
