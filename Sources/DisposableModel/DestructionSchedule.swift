// SPDX-License-Identifier: Apache-2.0

/// Why a photo's bytes and keys are to be destroyed.
public enum WithdrawalReason: UInt8, Equatable, Sendable {
    /// By its author.
    case removed = 1
    /// By an organizer.
    case erased = 2
}

/// Which withdrawn photos are to be destroyed when: an hour after this node knew, so that a stolen key cannot wipe an
/// event in a second. What is due is named with its reason; the shell destroys it and says so.
///
/// Times are the shell's, in milliseconds of one clock that it keeps over restarts (`pending` is what it stores).
public struct DestructionSchedule: Equatable, Sendable {
    public static let delayMilliseconds: UInt64 = 3_600_000

    public struct Act: Equatable, Sendable {
        public let photo: PhotoID
        public let reason: WithdrawalReason

        public init(photo: PhotoID, reason: WithdrawalReason) {
            self.photo = photo
            self.reason = reason
        }
    }

    /// What is withdrawn and not destroyed yet, and since when this node knows.
    public private(set) var pending: [PhotoID: (reason: WithdrawalReason, since: UInt64)] = [:]
    private var destroyed: Set<PhotoID> = []

    public init() {}

    /// - Parameters:
    ///   - pending: what was withdrawn and not yet destroyed when the node was stopped.
    ///   - destroyed: what it has destroyed.
    public init(pending: [PhotoID: (reason: WithdrawalReason, since: UInt64)], destroyed: Set<PhotoID>) {
        self.pending = pending
        self.destroyed = destroyed
    }

    /// Takes the state's withdrawals as they are now. What is not among them any more is left alone.
    public mutating func update(_ withdrawals: [PhotoID: WithdrawalReason], at now: UInt64) {
        pending = pending.filter { withdrawals[$0.key] != nil }
        destroyed.formIntersection(withdrawals.keys)
        for (photo, reason) in withdrawals where !destroyed.contains(photo) {
            pending[photo] = (reason, pending[photo]?.since ?? now)
        }
    }

    /// When something is due next, `nil` while there is nothing.
    public var nextDueAt: UInt64? { pending.values.map(\.since).min().map { $0 + Self.delayMilliseconds } }

    /// What is to be destroyed by now, in the order of ids.
    public func due(at now: UInt64) -> [Act] {
        pending.filter { now >= $0.value.since + Self.delayMilliseconds }.map { Act(photo: $0.key, reason: $0.value.reason) }
            .sorted { $0.photo < $1.photo }
    }

    /// The photo's bodies, blobs and keys are gone from this node, durably.
    public mutating func finished(_ photo: PhotoID) {
        pending[photo] = nil
        destroyed.insert(photo)
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.destroyed == right.destroyed && left.pending.mapValues(\.since) == right.pending.mapValues(\.since)
            && left.pending.mapValues(\.reason) == right.pending.mapValues(\.reason)
    }
}
