// SPDX-License-Identifier: Apache-2.0

/// An action that is requested often and done seldom: the first request at once, later ones together after a pause.
package struct PacedAction: Sendable {
    package private(set) var nextDeadline: UInt64?
    private var doneAt: UInt64?

    package init() {}

    package var isRequested: Bool { nextDeadline != nil }

    /// - Parameters:
    ///   - pause: the minimum time since the action was last done.
    ///   - delay: the minimum time from now, so that further requests can join.
    package mutating func request(pause: UInt64, delay: UInt64 = 0, at now: UInt64) {
        guard nextDeadline == nil else { return }
        nextDeadline = max(now + delay, doneAt.map { $0 + pause } ?? 0)
    }

    package func isDue(at now: UInt64) -> Bool { nextDeadline.map { $0 <= now } ?? false }

    package mutating func cancel() { nextDeadline = nil }

    package mutating func done(at now: UInt64) { (nextDeadline, doneAt) = (nil, now) }
}
