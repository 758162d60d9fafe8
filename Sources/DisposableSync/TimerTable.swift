// SPDX-License-Identifier: Apache-2.0

/// The timers of the engine that consist of a deadline only; other parts have their own `nextDeadline`.
package enum Timer: Int, CaseIterable, Sendable {
    /// An address is due for a dial, and a place is free for it.
    case dial
    /// In a large event: there may be more peers than the view keeps.
    case trim
    /// In a large event: one more peer is tried, to discover partitions.
    case explore
    /// All places are taken, by few machines: others are dialled.
    case elsewhere
    /// A peer has a deadline. The true one may be later: a peer's messages extend it.
    case peers
    /// Operations wait for a budget.
    case waitingRooms
}

package struct TimerTable: Sendable {
    /// When the shell is to pass `.deadlineReached` at the latest.
    package private(set) var nextDeadline: UInt64?
    /// When deadlines were last handled.
    private var handledAt: UInt64 = 0
    private var deadlines = [UInt64?](repeating: nil, count: Timer.allCases.count)

    package init() {}

    package subscript(timer: Timer) -> UInt64? {
        get { deadlines[timer.rawValue] }
        set { deadlines[timer.rawValue] = newValue }
    }

    package func isDue(_ timer: Timer, at now: UInt64) -> Bool { self[timer].map { $0 <= now } ?? false }

    /// Sets the timer unless it fires earlier already.
    package mutating func advance(_ timer: Timer, to deadline: UInt64) {
        self[timer] = min(self[timer] ?? .max, deadline)
    }

    /// Stops the timer if it is due. Returns whether it was.
    package mutating func fires(_ timer: Timer, at now: UInt64) -> Bool {
        guard isDue(timer, at: now) else { return false }
        self[timer] = nil
        return true
    }

    package mutating func handled(at now: UInt64) { handledAt = now }

    /// Schedules the shell's next `.deadlineReached`.
    /// - Parameter others: the deadlines of the engine's parts.
    package mutating func schedule(with others: [UInt64?]) {
        // Not again at once: due work that is blocked must not keep the shell spinning. But counted from when deadlines
        // were last handled, or a node with input every few milliseconds would never handle them.
        nextDeadline = (deadlines + others).compactMap(\.self).min().map { max($0, handledAt + 10) }
    }

    package mutating func stop() { nextDeadline = nil }
}
