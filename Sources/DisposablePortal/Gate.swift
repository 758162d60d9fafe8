// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import HTTPTypes
internal import NIOCore
internal import Synchronization

/// The rate limits by address, and the open connections (protocol/guest-api.md §7).
final class Gate: Sendable {
    private struct State {
        var requests: TokenBuckets<String>
        var sessions: TokenBuckets<String>
        var wrongCodes: SharedRate
        var newGuests: SharedRate
        var earlyPreviews: TokenBuckets<AuthorID>
        var linkLocal: LinkLocalAddresses
        var connections: ConnectionTable
        var unread: UnreadAnswers
        var remarks: TokenBuckets<AuthorID>
        var records: TokenBuckets<AuthorID>
        /// Commands in progress.
        var statementsByGuest: [AuthorID: Int] = [:]
        var statementsByAddress: [String: Int] = [:]
    }

    private let limits: PortalLimits

    /// Whether a connection comes from this machine, by the addresses of both ends.
    private let isFromHere: @Sendable (_ remote: String?, _ local: String?) -> Bool
    private let state: Mutex<State>

    init(_ limits: PortalLimits, isFromHere: @escaping @Sendable (_ remote: String?, _ local: String?) -> Bool) {
        self.isFromHere = isFromHere
        self.limits = limits
        let count = limits.addressCountMax
        state = Mutex(
            State(
                requests: TokenBuckets(limits.requests, keyCountMax: count),
                sessions: TokenBuckets(limits.sessions, keyCountMax: count),
                wrongCodes: SharedRate(limits.wrongCodes, addressCountMax: count),
                newGuests: SharedRate(limits.newGuests, addressCountMax: count),
                earlyPreviews: TokenBuckets(limits.earlyPreviews, keyCountMax: count),
                linkLocal: LinkLocalAddresses(countMax: limits.linkLocalAddressCountMax),
                connections: ConnectionTable(limits), unread: UnreadAnswers(limits),
                remarks: TokenBuckets(limits.remarks, keyCountMax: count, initialCount: limits.newGuestRemarkCount),
                records: TokenBuckets(limits.records, keyCountMax: count)))
    }

    // Rates, by the address of `address(of:)`

    func admitRequest(from address: String) throws(PortalError) {
        try refuse(after: state.withLock { $0.requests.take(for: address, at: .now) })
    }

    /// Whether a connection may begin its TLS handshake, which counts as a request.
    func admitsHandshake(of channel: any Channel) -> Bool {
        guard let connection = connection(of: channel) else { return false }
        return state.withLock { $0.requests.take(for: connection.address, at: .now) == nil }
    }

    func admitSession(from address: String) throws(PortalError) {
        try refuse(after: state.withLock { $0.sessions.take(for: address, at: .now) })
    }

    func admitNewGuest(from address: String) throws(PortalError) {
        try refuse(after: state.withLock { $0.newGuests.take(for: address, at: .now) })
    }

    /// Called before a code is compared, so that a right code reveals nothing while its address has to wait. Limits
    /// codes of 40 bits only. Links and desk keys are too long to guess, so they are not limited.
    func admitCode(from address: String) throws(PortalError) {
        guard let wait = state.withLock({ $0.wrongCodes.wait(for: address, at: .now) }) else { return }
        throw PortalError(
            .tooManyRequests, "too-many-codes", "too many wrong codes were entered",
            hint: "Wait a little, then type the code again; or scan it, which works at once.",
            retryAfter: Self.seconds(wait))
    }

    func noteWrongCode(from address: String) {
        state.withLock { state in _ = state.wrongCodes.take(for: address, at: .now) }
    }

    private func refuse(after wait: Duration?) throws(PortalError) {
        guard let wait else { return }
        throw PortalError(
            .tooManyRequests, "too-many-requests", "rate limit exceeded: too many requests from this address",
            hint: "Wait a moment, then try again.", retryAfter: Self.seconds(wait))
    }

    private static func seconds(_ wait: Duration) -> Int { max(1, Int((wait / .seconds(1)).rounded(.up))) }

    // Commands

    func admitRemark(by guest: AuthorID) throws(PortalError) {
        guard let wait = state.withLock({ $0.remarks.take(for: guest, at: .now) }) else { return }
        throw PortalError(GalleryError.tooFast(seconds: Self.seconds(wait)))
    }

    /// Called before everything about a guest is collected.
    func admitRecord(of guest: AuthorID) throws(PortalError) {
        guard let wait = state.withLock({ $0.records.take(for: guest, at: .now) }) else { return }
        throw PortalError(
            .tooManyRequests, "too-many-downloads", "everything about this guest was saved several times just now",
            retryAfter: Self.seconds(wait))
    }

    /// - Parameter address: under which the command counts as well.
    func beginStatement(of guest: AuthorID, from address: String? = nil) throws(PortalError) {
        try state.withLock { state throws(PortalError) in
            let byGuest = state.statementsByGuest[guest] ?? 0
            let byAddress = address.flatMap { state.statementsByAddress[$0] } ?? 0
            guard byGuest < limits.statementCountByGuest, byAddress < limits.statementCountByAddress else {
                throw PortalError(GalleryError.tooFast(seconds: 1))
            }
            state.statementsByGuest[guest] = byGuest + 1
            if let address { state.statementsByAddress[address] = byAddress + 1 }
        }
    }

    func endStatement(of guest: AuthorID, from address: String? = nil) {
        state.withLock { state in
            state.statementsByGuest[guest] = state.statementsByGuest[guest].flatMap { $0 > 1 ? $0 - 1 : nil }
            guard let address else { return }
            state.statementsByAddress[address] = state.statementsByAddress[address].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }

    /// Called before a preview of an unfinished upload is decoded.
    func admitEarlyPreview(by guest: AuthorID) throws(PortalError) {
        guard let wait = state.withLock({ $0.earlyPreviews.take(for: guest, at: .now) }) else { return }
        throw PortalError(GalleryError.tooFast(seconds: Self.seconds(wait)))
    }

    // Connections

    /// Registers a connection, and closes another one for it if there are too many. Returns false if it must be closed
    /// without an answer: so many others are being closed that one more could take the process's last descriptor. A
    /// connection that is to be refused with an answer is unknown to `connection(of:)`. It is forgotten when the
    /// channel closes.
    func admit(_ channel: any Channel, isSecure: Bool = false) -> Bool {
        let (remote, local) = (channel.remoteAddress, channel.localAddress)
        let isFromHere = isFromHere(remote?.ipAddress, local?.ipAddress)
        let (connection, admission) = state.withLock { state in
            let address = state.linkLocal.key(for: AddressKey(remote), at: .now)
            let connection = OpenConnection(channel, address: address, isFromHere: isFromHere, isSecure: isSecure)
            return (connection, state.connections.admit(connection, at: .now))
        }
        channel.closeFuture.whenComplete { _ in
            connection.end()
            self.state.withLock { state in
                state.connections.close(channel)
                state.unread.forget(channel)
            }
        }
        switch admission {
        case .admitted(let replaced): replaced?.close()
        case .refused: break
        case .dropped: return false
        }
        return true
    }

    func connection(of channel: any Channel) -> OpenConnection? {
        state.withLock { $0.connections.connection(of: channel) }
    }

    // Unread answers

    /// Registers a part of an answer that waits for its client. Returns connections that have to be closed for it.
    func noteUnread(_ byteCount: Int, of connection: OpenConnection) -> [OpenConnection] {
        state.withLock { state in
            // A connection that was replaced is about to be closed.
            guard state.connections.connection(of: connection.channel) != nil else { return [] }
            let leaving = state.unread.add(byteCount, of: connection, at: .now)
            for connection in leaving { state.connections.remove(connection.channel) }
            return leaving
        }
    }

    /// Records that the client has read the part, or never will.
    func noteRead(_ byteCount: Int, of connection: OpenConnection) {
        state.withLock { $0.unread.remove(byteCount, of: connection) }
    }

    /// Bytes of answers that wait for their clients, over all connections.
    var unreadByteCount: Int { state.withLock { $0.unread.byteCount } }

    func closeAll() { for connection in state.withLock({ $0.connections.all }) { connection.close() } }
}
