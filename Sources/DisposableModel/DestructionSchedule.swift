// SPDX-License-Identifier: Apache-2.0

/// The reason for a purge.
public enum WithdrawalReason: UInt8, Equatable, Sendable {
    /// Deleted by its author.
    case removed = 1
    /// Erased by an organizer.
    case erased = 2
    /// Discarded with everything else of a removed device.
    case discarded = 3
}

/// When to purge each withdrawn photo and annotation: an hour after this node learned of it, so that a stolen key
/// cannot wipe an event in a second.
///
/// Times are the shell's, in milliseconds of a clock that counts how long this node has been running for the event,
/// over all its starts. A wall clock could be set forward; and while a node sleeps it cannot learn that an erase was
/// void.
public struct DestructionSchedule: Equatable, Sendable {
    public static let standardDelayMilliseconds: UInt64 = 3_600_000

    public let delayMilliseconds: UInt64
    /// The withdrawn subjects with bodies still on this node, and the time at which this node learned of each.
    public private(set) var pending: [OperationID: UInt64]

    /// - Parameters:
    ///   - pending: the subjects that were not yet purged when the node stopped.
    ///   - delayMilliseconds: the time from the withdrawal to the purge.
    ///   - now: an upper bound of the times in `pending`, for a clock that was lost.
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

    /// Updates the schedule to the present set of withdrawn subjects and drops all others.
    /// - Returns: the changes to `pending`.
    public mutating func update(_ withdrawn: Set<OperationID>, at now: UInt64) -> Update {
        var update = Update()
        for subject in pending.keys where !withdrawn.contains(subject) { update.ended.append(subject) }
        for subject in update.ended { pending[subject] = nil }
        for subject in withdrawn where pending[subject] == nil { update.begun[subject] = now }
        pending.merge(update.begun) { known, _ in known }
        update.ended.sort()
        return update
    }

    /// The time of the next purge, `nil` if there is none.
    public var nextDueAt: UInt64? { pending.values.min().map { $0 + delayMilliseconds } }

    /// Returns the subjects to purge by now, in the order of ids.
    public func due(at now: UInt64) -> [OperationID] {
        pending.filter { now >= $0.value + delayMilliseconds }.keys.sorted()
    }

    /// Records that bodies, blobs and keys are durably gone from this node.
    public mutating func finished(_ subjects: [OperationID]) { for subject in subjects { pending[subject] = nil } }
}
