// SPDX-License-Identifier: Apache-2.0

/// Why something is to be destroyed.
public enum WithdrawalReason: UInt8, Equatable, Sendable {
    /// By its author.
    case removed = 1
    /// By an organizer.
    case erased = 2
    /// With everything else of a device that was removed.
    case discarded = 3
}

/// Which of the photos and remarks that were taken away are to be destroyed when: an hour after this node knew, so that
/// a stolen key cannot wipe an event in a second.
///
/// Times are the shell's, in milliseconds of a clock that counts how long this node has been running for the event,
/// over all its starts. No wall clock, which somebody may set forward; and what a node sleeps through is not time in
/// which it could have heard that the word to erase was void.
public struct DestructionSchedule: Equatable, Sendable {
    public static let standardDelayMilliseconds: UInt64 = 3_600_000

    public let delayMilliseconds: UInt64
    /// What is taken away and of which bodies are still here, and since when this node knows.
    public private(set) var pending: [OperationID: UInt64]

    /// - Parameters:
    ///   - pending: what was not yet destroyed when the node was stopped.
    ///   - now: nothing is taken for known later than this, as after the clock itself was lost.
    public init(
        pending: [OperationID: UInt64] = [:], delayMilliseconds: UInt64 = standardDelayMilliseconds, at now: UInt64 = 0
    ) {
        self.pending = pending.mapValues { min($0, now) }
        self.delayMilliseconds = delayMilliseconds
    }

    public struct Update: Equatable, Sendable {
        public var begun: [OperationID: UInt64] = [:]
        public var ended: [OperationID] = []

        public init(begun: [OperationID: UInt64] = [:], ended: [OperationID] = []) {
            self.begun = begun
            self.ended = ended
        }

        public var isEmpty: Bool { begun.isEmpty && ended.isEmpty }
    }

    /// Takes what there is to be destroyed as it is now. What is not among it any more is left alone.
    /// - Returns: what has changed in `pending`.
    public mutating func update(_ withdrawn: Set<OperationID>, at now: UInt64) -> Update {
        var update = Update()
        for subject in pending.keys where !withdrawn.contains(subject) { update.ended.append(subject) }
        for subject in update.ended { pending[subject] = nil }
        for subject in withdrawn where pending[subject] == nil { update.begun[subject] = now }
        pending.merge(update.begun) { known, _ in known }
        update.ended.sort()
        return update
    }

    /// When something is due next, `nil` while there is nothing.
    public var nextDueAt: UInt64? { pending.values.min().map { $0 + delayMilliseconds } }

    /// What is to be destroyed by now, in the order of ids.
    public func due(at now: UInt64) -> [OperationID] {
        pending.filter { now >= $0.value + delayMilliseconds }.keys.sorted()
    }

    /// Bodies, blobs and keys are gone from this node, durably.
    public mutating func finished(_ subjects: [OperationID]) { for subject in subjects { pending[subject] = nil } }
}
