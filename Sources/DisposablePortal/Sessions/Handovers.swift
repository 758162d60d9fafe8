// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import Synchronization

/// The one-time codes with which guests continue on another phone (protocol/guest-api.md §22), of all events of the
/// portal. In memory only: a code that a restart forgets is replaced by a new one.
///
/// Each code is compared in constant time with every typed one, opens one session, and is erased then. The first phone
/// seals the guest's key for the other one; the node passes the sealed bytes on, and erases them with the entry.
final class Handovers: Sendable {
    /// The sealed bytes of the first phone, and the key with which it has sealed them.
    struct Box: Equatable, Sendable {
        let key: Bytes32
        /// Base64url.
        let text: String
    }

    /// The state that the first phone sees.
    struct Standing: Equatable, Sendable {
        /// Whether the code is used.
        let isUsed: Bool
        /// The other phone's key, once it has sent one.
        let key: Bytes32?
        /// Whether the first phone has sealed the guest's key.
        let isSealed: Bool
        let endsIn: Duration
    }

    private struct Entry {
        let event: EventID
        let guest: AuthorID
        /// The address that has asked for the code.
        let address: String
        /// The characters of the code; empty once it is used.
        var code: [UInt8]
        var endsAt: ContinuousClock.Instant
        /// The session that the code has opened.
        var session: Bytes32?
        var key: Bytes32?
        var box: Box?
    }

    private let limits: PortalLimits.Handovers
    /// The oldest first.
    private let entries = Mutex<[Entry]>([])

    init(_ limits: PortalLimits.Handovers) { self.limits = limits }

    // For the first phone

    /// Makes a code, which replaces the guest's earlier one. At the limit the oldest ends, of the address with most.
    func open(for guest: AuthorID, at event: EventID, from address: String) -> (code: String, endsIn: Duration) {
        entries.withLock { entries in
            Self.sweep(&entries)
            entries.removeAll { $0.guest == guest && $0.event == event }
            while entries.count >= limits.countMax {
                let byAddress = Dictionary(grouping: entries, by: \.address)
                let largest = byAddress.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
                entries.remove(at: entries.firstIndex { $0.address == largest } ?? 0)
            }
            var code: String
            repeat {
                code = GuestLink.code(of: [UInt8].random(count: 5))
            } while entries.contains(where: { $0.code == Array(code.utf8) })
            entries.append(
                Entry(
                    event: event, guest: guest, address: address, code: Array(code.utf8),
                    endsAt: ContinuousClock.now + limits.duration))
            return (code, limits.duration)
        }
    }

    /// `nil` if the guest has no code, or it is over.
    func standing(of guest: AuthorID, at event: EventID) -> Standing? {
        with(guest, event) { entry in
            Standing(
                isUsed: entry.code.isEmpty, key: entry.key, isSealed: entry.box != nil,
                endsIn: ContinuousClock.now.duration(to: entry.endsAt))
        }
    }

    /// Returns false unless the other phone has sent its key, and waits.
    func seal(_ box: Box, by guest: AuthorID, at event: EventID) -> Bool {
        with(guest, event) { entry in
            guard entry.key != nil, entry.box == nil else { return false }
            entry.box = box
            return true
        } ?? false
    }

    /// Erases the guest's code. Returns the session that it has opened, if that is not the guest's yet.
    func close(of guest: AuthorID, at event: EventID) -> Bytes32? {
        entries.withLock { entries in
            let session = entries.first { $0.guest == guest && $0.event == event }?.session
            entries.removeAll { $0.guest == guest && $0.event == event }
            return session
        }
    }

    // For the other phone

    /// Compares a typed code with every open one, and erases the one that it is.
    func use(_ typed: [UInt8]) -> (event: EventID, guest: AuthorID)? {
        entries.withLock { entries in
            Self.sweep(&entries)
            // No early end: the time does not tell which of the codes it is.
            let places = entries.indices.filter {
                !entries[$0].code.isEmpty && entries[$0].code.isEqualInConstantTime(to: typed)
            }
            guard let place = places.first else { return nil }
            entries[place].code = []
            entries[place].endsAt = ContinuousClock.now + limits.answerDuration
            return (entries[place].event, entries[place].guest)
        }
    }

    /// Notes the session that the used code of this guest has opened.
    func enter(_ session: Bytes32, as guest: AuthorID, at event: EventID) {
        with(guest, event) { entry in
            if entry.code.isEmpty, entry.session == nil { entry.session = session }
        }
    }

    /// Returns false if the session was opened by no code that still waits, or has sent a key before.
    func offer(_ key: Bytes32, by session: Bytes32) -> Bool {
        with(session) { entry in
            guard entry.key == nil else { return false }
            entry.key = key
            return true
        } ?? false
    }

    /// `nil` if the session waits for nothing; `.some(nil)` while the first phone has not answered.
    func box(for session: Bytes32) -> Box?? { with(session) { $0.box } }

    /// Erases the entry of a session that is a guest's now.
    func finish(by session: Bytes32) { entries.withLock { $0.removeAll { $0.session == session } } }

    /// Erases the codes of an event that is gone.
    func drop(event: EventID) { entries.withLock { $0.removeAll { $0.event == event } } }

    // The entries

    private static func sweep(_ entries: inout [Entry]) {
        let now = ContinuousClock.now
        entries.removeAll { $0.endsAt <= now }
    }

    @discardableResult
    private func with<Result: Sendable>(
        _ guest: AuthorID, _ event: EventID, _ body: (inout Entry) -> Result
    ) -> Result? {
        with({ $0.guest == guest && $0.event == event }, body)
    }

    private func with<Result: Sendable>(_ session: Bytes32, _ body: (inout Entry) -> Result) -> Result? {
        with({ $0.session == session }, body)
    }

    private func with<Result: Sendable>(_ isIt: (Entry) -> Bool, _ body: (inout Entry) -> Result) -> Result? {
        entries.withLock { entries in
            Self.sweep(&entries)
            guard let place = entries.firstIndex(where: isIt) else { return nil }
            return body(&entries[place])
        }
    }
}
