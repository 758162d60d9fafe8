// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableValues
internal import Synchronization

/// The keys in the addresses of the desk. Each opens it once. In memory only, so that all of them end with the node.
package final class DeskKeys: Sendable {
    private static let byteCount = 32
    /// The lifetime of a key.
    package static let lifetime = Duration.seconds(600)
    /// The limit of keys; beyond it the oldest becomes invalid.
    package static let countMax = 16

    /// The hashes of the keys, oldest first.
    private let keys = Mutex<[(hash: [UInt8], endsAt: ContinuousClock.Instant)]>([])

    package init() {}

    /// Returns a new key as base64url.
    package func issue(at now: ContinuousClock.Instant = .now) -> String {
        let key = Entropy.bytes(Self.byteCount)
        keys.withLock { keys in
            keys.removeAll { $0.endsAt <= now }
            if keys.count >= Self.countMax { keys.removeFirst() }
            keys.append((BLAKE2b.hash(key.span).bytes, now + Self.lifetime))
        }
        return Base64URL.text(key)
    }

    /// Returns whether the text is a key, which then becomes invalid.
    package func use(_ text: String, at now: ContinuousClock.Instant = .now) -> Bool {
        guard let key = Base64URL.bytes(text, count: Self.byteCount) else { return false }
        let hash = BLAKE2b.hash(key.span).bytes
        return keys.withLock { keys in
            keys.removeAll { $0.endsAt <= now }
            // All are compared, so that the duration reveals nothing about them.
            let places = keys.indices.filter { keys[$0].hash.isEqualInConstantTime(to: hash) }
            guard let place = places.first else { return false }
            keys.remove(at: place)
            return true
        }
    }
}
