// SPDX-License-Identifier: Apache-2.0

/// Locks, one for each key, for an actor: while one of its functions awaits something, the actor runs others. Callers get
/// a lock in the order in which they ask for it.
struct KeyedLocks<Key: Hashable> {
    /// Callers that wait for each lock that is held.
    private var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]

    /// Resumes `continuation` when the lock is its own.
    mutating func acquire(_ key: Key, _ continuation: CheckedContinuation<Void, Never>) {
        if waiting[key] != nil {
            waiting[key]?.append(continuation)
        } else {
            waiting[key] = []
            continuation.resume()
        }
    }

    mutating func release(_ key: Key) {
        guard let first = waiting[key]?.first else {
            waiting[key] = nil
            return
        }
        waiting[key]?.removeFirst()
        first.resume()
    }
}
