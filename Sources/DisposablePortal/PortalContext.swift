// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
package import DisposableWeb

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

    /// Returns the session with its guest, which is about to sign something: the guest's sub-key joins the event unless
    /// it is a member. Throws 429 if too many new guests join.
    func requireActingGuest() async throws -> (session: GuestSession, guest: AuthorID) {
        let (session, guest) = try requireGuest()
        if let delegation = session.delegation {
            let event = try requireEvent()
            try await GuestEntry(event: event, session: session, address: addressKey).join(delegation)
        }
        return (session, guest)
    }
}
