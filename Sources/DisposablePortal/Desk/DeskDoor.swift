// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
internal import DisposableValues
internal import DisposableWeb
internal import Synchronization

/// Access to the desk: keys that are valid once, and the sessions that they were exchanged for. In memory only, so that
/// all of it ends with the node.
package final class DeskDoor: Sendable {
    static let byteCount = 32
    /// The lifetime of a key.
    package static let keyLifetime = Duration.seconds(600)
    /// The limit of keys; beyond it the oldest becomes invalid.
    package static let keyCountMax = 16
    /// The limit of sessions; beyond it the least recently used one ends.
    package static let sessionCountMax = 32

    private struct State {
        /// The hashes of the keys, oldest first.
        var keys: [(hash: [UInt8], endsAt: ContinuousClock.Instant)] = []
        /// By the hash of the session's bytes; the values order the sessions by their last use.
        var sessions: [Bytes32: UInt64] = [:]
        var useCount: UInt64 = 0
    }
    private let state = Mutex(State())

    package init() {}

    /// Returns a new key as base64url.
    package func issue(at now: ContinuousClock.Instant = .now) -> String {
        let key = [UInt8].random(count: Self.byteCount)
        state.withLock { state in
            state.keys.removeAll { $0.endsAt <= now }
            if state.keys.count >= Self.keyCountMax { state.keys.removeFirst() }
            state.keys.append((BLAKE2b.hash(key.span).bytes, now + Self.keyLifetime))
        }
        return Base64URL.text(key)
    }

    /// Exchanges a key, which then becomes invalid, for the text of a new session. `nil` for any other text.
    package func exchange(_ text: String, at now: ContinuousClock.Instant = .now) -> String? {
        guard let key = Base64URL.bytes(text, count: Self.byteCount) else { return nil }
        let hash = BLAKE2b.hash(key.span).bytes
        let session = [UInt8].random(count: Self.byteCount)
        return state.withLock { state in
            state.keys.removeAll { $0.endsAt <= now }
            // All are compared, so that the duration reveals nothing about them.
            let places = state.keys.indices.filter { state.keys[$0].hash.isEqualInConstantTime(to: hash) }
            guard let place = places.first else { return nil }
            state.keys.remove(at: place)
            if state.sessions.count >= Self.sessionCountMax,
                let oldest = state.sessions.min(by: { $0.value < $1.value })
            {
                state.sessions[oldest.key] = nil
            }
            state.useCount += 1
            state.sessions[BLAKE2b.hash(session.span)] = state.useCount
            return Base64URL.text(session)
        }
    }

    /// Returns the id of a session by its text; `nil` for an invalid one.
    package func session(_ text: some StringProtocol) -> Bytes32? {
        guard let bytes = Base64URL.bytes(text, count: Self.byteCount) else { return nil }
        let id = BLAKE2b.hash(bytes.span)
        return state.withLock { state in
            guard state.sessions[id] != nil else { return nil }
            state.useCount += 1
            state.sessions[id] = state.useCount
            return id
        }
    }

    package func isOpen(_ session: Bytes32) -> Bool { state.withLock { $0.sessions[session] != nil } }
    package func end(_ session: Bytes32) { state.withLock { $0.sessions[session] = nil } }
}
