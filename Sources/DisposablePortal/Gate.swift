// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import NIOCore
internal import Synchronization

/// How often each address may do what costs something, and the open connections (protocol/guest-api.md §7).
final class Gate: Sendable {
    private struct State {
        var requests: TokenBuckets<String>
        var sessions: TokenBuckets<String>
        var wrongCodes: SharedRate
        var newGuests: SharedRate
        var linkLocal: LinkLocalAddresses
        var connections: ConnectionTable
    }

    /// Whether a connection comes from this machine, by the addresses of both ends.
    private let isFromHere: @Sendable (_ remote: String?, _ local: String?) -> Bool
    private let state: Mutex<State>

    init(_ limits: PortalLimits, isFromHere: @escaping @Sendable (_ remote: String?, _ local: String?) -> Bool) {
        self.isFromHere = isFromHere
        let count = limits.addressCountMax
        state = Mutex(
            State(
                requests: TokenBuckets(limits.requests, keyCountMax: count),
                sessions: TokenBuckets(limits.sessions, keyCountMax: count),
                wrongCodes: SharedRate(limits.wrongCodes, addressCountMax: count),
                newGuests: SharedRate(limits.newGuests, addressCountMax: count),
                linkLocal: LinkLocalAddresses(countMax: limits.linkLocalAddressCountMax),
                connections: ConnectionTable(limits)))
    }

    // Rates, by the address that `address(of:)` tells

    func admitRequest(from address: String) throws(PortalError) {
        try refuse(after: state.withLock { $0.requests.take(for: address, at: .now) })
    }

    func admitSession(from address: String) throws(PortalError) {
        try refuse(after: state.withLock { $0.sessions.take(for: address, at: .now) })
    }

    func admitNewGuest(from address: String) throws(PortalError) {
        try refuse(after: state.withLock { $0.newGuests.take(for: address, at: .now) })
    }

    /// Asked before a code is compared, so that a right one tells nothing either while its address has to wait. For
    /// codes of 40 bits alone: links and desk keys are too long to be guessed, and never wait.
    func admitCode(from address: String) throws(PortalError) {
        guard let wait = state.withLock({ $0.wrongCodes.wait(for: address, at: .now) }) else { return }
        throw PortalError(
            .tooManyRequests, "too-many-codes", "too many wrong codes were typed",
            hint: "Wait a little, then type the code again; or scan it, which works at once.",
            retryAfter: Self.seconds(wait))
    }

    func noteWrongCode(from address: String) {
        state.withLock { state in _ = state.wrongCodes.take(for: address, at: .now) }
    }

    private func refuse(after wait: Duration?) throws(PortalError) {
        guard let wait else { return }
        throw PortalError(
            .tooManyRequests, "too-many-requests", "too many requests came from this address",
            hint: "Wait a moment, then try again.", retryAfter: Self.seconds(wait))
    }

    private static func seconds(_ wait: Duration) -> Int { max(1, Int((wait / .seconds(1)).rounded(.up))) }

    // Connections

    /// Takes the connection in, and closes another one for it where there are too many. `nil` where none gives way.
    /// It is forgotten when the channel closes.
    func admit(_ channel: any Channel) -> OpenConnection? {
        let (remote, local) = (channel.remoteAddress, channel.localAddress)
        let isFromHere = isFromHere(remote?.ipAddress, local?.ipAddress)
        let (connection, admission) = state.withLock { state in
            let address = state.linkLocal.key(for: AddressKey(remote), at: .now)
            let connection = OpenConnection(channel, address: address, isFromHere: isFromHere)
            return (connection, state.connections.admit(connection, at: .now))
        }
        guard case .admitted(let replaced) = admission else { return nil }
        replaced?.close()
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.connections.remove(channel) } }
        return connection
    }

    func connection(of channel: any Channel) -> OpenConnection? {
        state.withLock { $0.connections.connection(of: channel) }
    }

    func closeAll() { for connection in state.withLock({ $0.connections.all }) { connection.close() } }
}
