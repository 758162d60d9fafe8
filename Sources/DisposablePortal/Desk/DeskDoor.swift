// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
internal import DisposableSystem
internal import DisposableValues
internal import Synchronization

/// The sessions of the desk. In memory only, so that all of them end with the node.
package final class DeskDoor: Sendable {
    static let byteCount = 32
    /// The limit of sessions; beyond it the least recently used one ends.
    package static let sessionCountMax = 32

    private struct State {
        /// By the hash of the session's bytes; the values order the sessions by their last use.
        var sessions: [Bytes32: UInt64] = [:]
        var useCount: UInt64 = 0
    }
    private let state = Mutex(State())

    package init() {}

    /// Returns the text of a new session.
    package func open() -> String {
        let session = [UInt8].random(count: Self.byteCount)
        state.withLock { state in
            if state.sessions.count >= Self.sessionCountMax,
                let oldest = state.sessions.min(by: { $0.value < $1.value })
            {
                state.sessions[oldest.key] = nil
            }
            state.useCount += 1
            state.sessions[BLAKE2b.hash(session.span)] = state.useCount
        }
        return Base64URL.text(session)
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
