// SPDX-License-Identifier: Apache-2.0
internal import DisposableStore
internal import Foundation

/// The end of an event on this node: its person leaves it, or its retention is over.
struct EventDeparture {
    /// The request to leave, as stored until it is done.
    struct Leaving: Codable, Sendable {
        var deletesPhotos: Bool
    }

    /// The end of retention by the present charter, and since when this node knows it, by the clock of
    /// `EventDestruction.uptimeMilliseconds`.
    struct Expiry: Codable, Sendable, Equatable {
        var expiresAt: UInt64
        var since: UInt64
        /// Whether a device has vouched that it is over.
        var isVouched = false
    }

    // The keys of the metadata
    static let leavingKey = "leaving"
    static let expiryKey = "expiry"

    /// The request of this node's person, if the event is being left.
    var leaving: Leaving?
    var leavingSince: ContinuousClock.Instant?
    /// The stored end of retention.
    var expiry: Expiry?
    /// Whether the running time of the node is relevant.
    var countsUptime = false
    /// Since when it is due to be forgotten, by the node's monotonic clock.
    var dueAtMilliseconds: UInt64?
    /// Whether this node only reads the event, because its gallery is joined with that of another.
    var isReader: Bool
    /// When the node may take another secret of an event that it only reads, by the node's monotonic clock.
    var readAgainAt: UInt64?
    /// Since when the galleries are separated, by the node's monotonic clock.
    var separatedSince: UInt64?

    init(_ store: EventStore) throws {
        leaving = try Self.read(Self.leavingKey, store)
        expiry = try Self.read(Self.expiryKey, store)
        isReader = try store.isReader
    }

    private static func read<Value: Decodable>(_ key: String, _ store: EventStore) throws -> Value? {
        try store.metadata(for: key).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0)) }
    }
}
