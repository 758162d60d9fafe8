// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NIOCore
internal import Synchronization

/// One open connection: its origin, and what it waits for. `PaceKeeper` updates the latter.
package final class OpenConnection: Sendable {
    /// The thing that the server waits for, and since when.
    enum Wait: Equatable, Sendable {
        /// The head of the first request.
        case firstHead(since: ContinuousClock.Instant)
        /// The head of a further request.
        case nextHead(since: ContinuousClock.Instant)
        /// The client, to send more of a body or to read more of an answer.
        case client(since: ContinuousClock.Instant)
        /// Nothing: the server itself is working.
        case nothing
    }

    let channel: any Channel
    /// The address under which the connection counts.
    let address: String
    /// Whether the client runs on this machine.
    package let isFromHere: Bool
    /// Whether it uses HTTPS.
    let isSecure: Bool
    private let held: Mutex<Wait>
    private let sending = Mutex(Sending())

    /// The parts of an answer that were written and not read by the client yet.
    private struct Sending {
        var byteCount = 0
        var isEnded = false
        var waiting: (byteCount: Int, continuation: CheckedContinuation<Void, Never>)?

        /// Resumed once there is room to write the waiting part.
        mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
            guard let (byteCount, continuation) = waiting, isEnded || self.byteCount < byteCountMax else { return nil }
            self.byteCount += byteCount
            waiting = nil
            return continuation
        }
        private let byteCountMax = 16 << 10
    }

    init(_ channel: any Channel, address: String, isFromHere: Bool, isSecure: Bool = false) {
        (self.channel, self.address, self.isFromHere, self.isSecure) = (channel, address, isFromHere, isSecure)
        held = Mutex(.firstHead(since: .now))
    }

    var wait: Wait {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }

    /// Since when the client has kept the server waiting during a request or an answer; `nil` if it does not.
    package var stalledSince: ContinuousClock.Instant? {
        guard case .client(let since) = wait else { return nil }
        return since
    }

    /// Closes the connection, also one whose client does not answer to the farewell of TLS.
    package func close() {
        guard isSecure else { return channel.close(promise: nil) }
        channel.triggerUserOutboundEvent(ProtocolDetector.CloseAtOnce(), promise: nil)
    }

    /// Waits until the client has read most of the written bytes, before the next part of its answer is written. The
    /// event loop reports a full socket too late: a fast writer of a file would buffer all of it.
    ///
    /// An answer has one writer. Returns at once if the connection has ended: then writing fails.
    func waitForRoom(for byteCount: Int) async {
        await withCheckedContinuation { continuation in
            sending.withLock { sending in
                sending.waiting = (byteCount, continuation)
                return sending.takeWaiting()
            }?.resume()
        }
    }

    /// Records that the client has read this many bytes, or never will.
    func noteTaken(_ byteCount: Int) {
        sending.withLock { sending in
            sending.byteCount = max(0, sending.byteCount - byteCount)
            return sending.takeWaiting()
        }?.resume()
    }

    /// Records that no part will be read after this.
    func end() {
        sending.withLock { sending in
            sending.isEnded = true
            return sending.takeWaiting()
        }?.resume()
    }

    /// Closes the connection and drops unsent bytes: otherwise the system would keep them for a client that reads
    /// nothing.
    func reset() {
        let ended = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        guard let ended else { return close() }
        ended.whenComplete { _ in self.close() }
    }
}

/// The open connections. If there are too many, an unproductive one is replaced by the new one:
///
/// 1. one that has not sent the head of a request yet,
/// 2. one that waits for a further request,
/// 3. one whose client has kept the server waiting for `slowAfter` in the middle of a body or of an answer;
///
/// Among several, the address with the most such connections loses the one that has waited longest. If there is
/// none, an address with more than twice as many connections as the new one's loses an active one. This machine's own
/// browsers have separate places, and are never replaced.
struct ConnectionTable {
    /// Sockets beyond all places that may be about to be closed: refused or replaced ones.
    static let closingCountMax = 32

    private let limits: ServerLimits
    private var connections: [ObjectIdentifier: OpenConnection] = [:]
    private var counts: [String: Int] = [:]
    /// The number of open sockets, including those without a place.
    private var openCount = 0

    init(_ limits: ServerLimits) { self.limits = limits }

    var all: [OpenConnection] { Array(connections.values) }
    var count: Int { connections.count }

    func connection(of channel: any Channel) -> OpenConnection? { connections[ObjectIdentifier(channel)] }

    enum Admission {
        case refused
        /// No further socket may be open, not even for an answer.
        case dropped
        /// - Parameter replaced: has to be closed.
        case admitted(replaced: OpenConnection?)
    }

    /// Must be followed by `close` in any case.
    mutating func admit(_ new: OpenConnection, at now: ContinuousClock.Instant) -> Admission {
        openCount += 1
        let placeCount = limits.connectionCountMax + limits.connectionCountFromHere
        guard openCount <= placeCount + Self.closingCountMax else { return .dropped }
        var replaced: OpenConnection?
        if !new.isFromHere, counts[new.address] ?? 0 >= limits.connectionCountByAddressMax {
            replaced = idlest(of: connections.values.filter { $0.address == new.address }, at: now)
            if replaced == nil { return .refused }
        } else if connections.count >= limits.connectionCountMax + (new.isFromHere ? limits.connectionCountFromHere : 0)
        {
            let others = connections.values.filter { !$0.isFromHere }
            replaced = idlest(of: others, at: now) ?? excess(of: others, over: new)
            if replaced == nil { return .refused }
        }
        if let replaced { remove(replaced.channel) }
        connections[ObjectIdentifier(new.channel)] = new
        counts[new.address, default: 0] += 1
        return .admitted(replaced: replaced)
    }

    /// Records that the socket is closed.
    mutating func close(_ channel: any Channel) {
        openCount -= 1
        remove(channel)
    }

    /// Removes the connection's place.
    mutating func remove(_ channel: any Channel) {
        guard let old = connections.removeValue(forKey: ObjectIdentifier(channel)) else { return }
        let count = counts[old.address] ?? 0
        counts[old.address] = count > 1 ? count - 1 : nil
    }

    private func idlest(of connections: [OpenConnection], at now: ContinuousClock.Instant) -> OpenConnection? {
        var waiting: [[(connection: OpenConnection, since: ContinuousClock.Instant)]] = [[], [], []]
        for connection in connections {
            switch connection.wait {
            case .firstHead(let since): waiting[0].append((connection, since))
            case .nextHead(let since): waiting[1].append((connection, since))
            case .client(let since) where now - since >= limits.slowAfter: waiting[2].append((connection, since))
            case .client, .nothing: break
            }
        }
        guard let candidates = waiting.first(where: { !$0.isEmpty }) else { return nil }
        var groups: [String: Int] = [:]
        for (connection, _) in candidates { groups[connection.address, default: 0] += 1 }
        let largest = groups.values.max()
        return candidates.filter { groups[$0.connection.address] == largest }.min { $0.since < $1.since }?.connection
    }

    private func excess(of connections: [OpenConnection], over new: OpenConnection) -> OpenConnection? {
        guard let greatest = connections.max(by: { counts[$0.address] ?? 0 < counts[$1.address] ?? 0 }),
            new.isFromHere || counts[greatest.address] ?? 0 > 2 * ((counts[new.address] ?? 0) + 1)
        else { return nil }
        return greatest
    }
}
