// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableWeb

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
    /// The key that opened it.
    let opening: SessionOpening

    package init(
        gallery: any Gallery, id: Bytes32, storageKey: SecretBytes, guest: AuthorID?, delegation: Delegation? = nil,
        opening: SessionOpening = SessionOpening()
    ) {
        self.gallery = gallery
        self.id = id
        self.storageKey = storageKey
        self.guest = guest
        self.delegation = delegation
        self.opening = opening
    }

    /// The owner for limits: the guest, in all of its sessions, or the session without a guest.
    package var owner: Bytes32 { guest?.bytes32 ?? id }
}

/// The key that has opened a session; a part of its record.
package struct SessionOpening: Codable, Equatable, Sendable {
    package enum Key: String, Codable, Sendable {
        /// The guests' link or code.
        case link
        /// A one-time code of a guest.
        case handover
        /// The code that the wall shows, typed or scanned.
        case wallCode
        /// The wall's own link.
        case wall
    }

    package var key = Key.link
    /// The guest whose one-time code it was: 64 hexadecimal digits.
    package var guest: String?
    /// The mark of the wall's link: once the event secret is replaced, the session is told no more codes.
    package var mark: String?
    /// In milliseconds since 1970 UTC; 0 for other keys.
    package var openedAt: UInt64 = 0
    /// Whether another phone of that guest has ended the session. Its browser learns so, and forgets the guest.
    package var isEnded = false

    package init() {}

    init(_ key: Key, mark: String? = nil) { (self.key, self.mark) = (key, mark) }

    /// Whether it is enough where the wall shows a code of its own.
    var isAtWall: Bool { key == .wallCode || key == .wall }

    /// Whether it is the wall's own link with the present secret.
    func shows(_ wall: WallCode) -> Bool { key == .wall && mark == wall.mark }

    /// The opening with the one-time code of a guest.
    static func handover(by guest: AuthorID, at milliseconds: UInt64) -> Self {
        var opening = Self()
        (opening.key, opening.guest, opening.openedAt) = (.handover, guest.description, milliseconds)
        return opening
    }
}

/// The event, the session and the visit of the desk that a request belongs to.
package struct PortalScope: Sendable {
    /// The ports of the pages.
    let ports: PagePorts
    /// Set by the middleware that reads the event's path; `nil` for requests outside of one.
    var event: PortalEvent?
    /// Set by the middleware that reads the cookie or bearer; `nil` for requests outside of an event's path.
    var session: GuestSession?
    /// Set by the middleware of the desk; `nil` for requests outside of it.
    var desk: DeskVisit?

    init(ports: PagePorts) { self.ports = ports }
}

package typealias PortalContext = RequestContext<PortalScope>
package typealias RouterGroup = Router<PortalScope>.Group

extension PortalContext {
    var ports: PagePorts { scope.ports }
    var event: PortalEvent? {
        get { scope.event }
        set { scope.event = newValue }
    }
    var session: GuestSession? {
        get { scope.session }
        set { scope.session = newValue }
    }
    var desk: DeskVisit? {
        get { scope.desk }
        set { scope.desk = newValue }
    }

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
        guard let guest = session.guest else { throw PortalError(Refusal.notAdmitted) }
        return (session, guest)
    }

    /// Runs a command that is signed for the guest and durable when it returns. Throws 429 if too many commands of the
    /// guest or of the address are waiting.
    /// - Parameters:
    ///   - count: the number of operations that are signed.
    ///   - body: signs them.
    func stating<Result>(
        by guest: AuthorID, count: Int = 1, _ body: () async throws -> Result
    ) async throws -> Result {
        let gate = try requireEvent().gate
        try gate.beginStatement(of: guest, from: addressKey, count: count)
        defer { gate.endStatement(of: guest, from: addressKey, count: count) }
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
