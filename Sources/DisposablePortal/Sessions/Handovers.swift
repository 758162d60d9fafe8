// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import Synchronization

/// The one-time codes with which guests continue on another phone (protocol/guest-api.md §22), of all events of the
/// portal. In memory only: a code that a restart forgets is replaced by a new one.
///
/// Each code has a token of 16 bytes, for its QR code: a scanned one is too long to guess, so that the rate of wrong
/// codes does not delay it. Both are compared in constant time with every one that is sent, open one session together,
/// and are erased then. The first phone seals the guest's key for the other one; the node passes the sealed bytes on,
/// and erases them with the entry.
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

    /// The phone that asks for a code.
    struct Asker: Sendable {
        let session: Bytes32
        let address: String
        /// Whether the guest has joined the event: anybody can invent guests that have not.
        let hasJoined: Bool
    }

    /// The part of a code that is compared.
    enum Key: Sendable {
        /// Characters, as typed.
        case code([UInt8])
        /// 16 bytes.
        case token([UInt8])
    }

    /// A code that was used just now.
    struct Use: Sendable {
        let event: EventID
        let guest: AuthorID
        fileprivate let number: UInt64
    }

    private struct Entry {
        /// Names the entry as long as the node runs.
        let number: UInt64
        let event: EventID
        let guest: AuthorID
        let asker: Asker
        /// The characters of the code, and the bytes of its token; empty once it is used.
        var code: [UInt8]
        var token: [UInt8]
        var endsAt: ContinuousClock.Instant
        /// The session that the code has opened.
        var session: Bytes32?
        var key: Bytes32?
        var box: Box?

        /// Empty keys are no key: all used codes have them.
        func isOpened(by key: Key) -> Bool {
            switch key {
            case .code(let typed): !code.isEmpty && code.isEqualInConstantTime(to: typed)
            case .token(let bytes): !token.isEmpty && token.isEqualInConstantTime(to: bytes)
            }
        }
    }

    private struct State {
        /// The oldest first.
        var entries: [Entry] = []
        var count: UInt64 = 0
    }

    private let limits: HandoverLimits
    private let state = Mutex(State())

    init(_ limits: HandoverLimits) { self.limits = limits }

    // For the first phone

    /// Makes a code with its token, which replace the guest's earlier ones. At the limit one ends, of the address with
    /// most: the oldest of a guest that has not joined the event; where there is none, the oldest.
    func open(
        for guest: AuthorID, at event: EventID, by asker: Asker
    ) -> (code: String, token: [UInt8], endsIn: Duration) {
        state.withLock { state in
            Self.sweep(&state.entries)
            state.entries.removeAll { $0.guest == guest && $0.event == event }
            while state.entries.count >= limits.countMax {
                let byAddress = Dictionary(grouping: state.entries, by: \.asker.address)
                let largest = byAddress.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
                let place =
                    state.entries.firstIndex { $0.asker.address == largest && !$0.asker.hasJoined }
                    ?? state.entries.firstIndex { $0.asker.address == largest }
                state.entries.remove(at: place ?? 0)
            }
            var code: String
            repeat {
                code = GuestLink.code(of: [UInt8].random(count: 5))
            } while state.entries.contains(where: { $0.code == Array(code.utf8) })
            let token = [UInt8].random(count: GuestLink.tokenByteCount)
            state.count += 1
            state.entries.append(
                Entry(
                    number: state.count, event: event, guest: guest, asker: asker, code: Array(code.utf8), token: token,
                    endsAt: ContinuousClock.now + limits.duration))
            return (code, token, limits.duration)
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
    /// - Parameter session: erases the code only if this session has asked for it; `nil` for any.
    func close(of guest: AuthorID, at event: EventID, askedBy session: Bytes32? = nil) -> Bytes32? {
        state.withLock { state in
            let place = state.entries.firstIndex {
                $0.guest == guest && $0.event == event && (session == nil || $0.asker.session == session)
            }
            return place.flatMap { state.entries.remove(at: $0).session }
        }
    }

    // For the other phone

    /// Compares a key with every open code, and erases the one that it opens.
    /// - Parameter admit: called before the code is erased. What it throws leaves the code as it is.
    func use(_ key: Key, admit: () throws(PortalError) -> Void) throws(PortalError) -> Use? {
        try state.withLock { state throws(PortalError) in
            Self.sweep(&state.entries)
            // No early end: the time does not tell which of the codes it is.
            let places = state.entries.indices.filter { state.entries[$0].isOpened(by: key) }
            guard let place = places.first else { return nil }
            try admit()
            (state.entries[place].code, state.entries[place].token) = ([], [])
            state.entries[place].endsAt = ContinuousClock.now + limits.answerDuration
            let entry = state.entries[place]
            return Use(event: entry.event, guest: entry.guest, number: entry.number)
        }
    }

    /// Notes the session that a used code has opened. Returns false if the code was withdrawn meanwhile, or is over.
    func enter(_ session: Bytes32, by use: Use) -> Bool {
        with({ $0.number == use.number }) { $0.session = session } != nil
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
    func finish(by session: Bytes32) { state.withLock { $0.entries.removeAll { $0.session == session } } }

    /// Erases the codes of an event that is gone.
    func drop(event: EventID) { state.withLock { $0.entries.removeAll { $0.event == event } } }

    // The entries

    private static func sweep(_ entries: inout [Entry]) {
        let now = ContinuousClock.now
        entries.removeAll { $0.endsAt <= now }
    }

    private func with<Result: Sendable>(
        _ guest: AuthorID, _ event: EventID, _ body: (inout Entry) -> Result
    ) -> Result? {
        with({ $0.guest == guest && $0.event == event }, body)
    }

    private func with<Result: Sendable>(_ session: Bytes32, _ body: (inout Entry) -> Result) -> Result? {
        with({ $0.session == session }, body)
    }

    private func with<Result: Sendable>(_ isIt: (Entry) -> Bool, _ body: (inout Entry) -> Result) -> Result? {
        state.withLock { state in
            Self.sweep(&state.entries)
            guard let place = state.entries.firstIndex(where: isIt) else { return nil }
            return body(&state.entries[place])
        }
    }
}
