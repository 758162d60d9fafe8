// SPDX-License-Identifier: Apache-2.0
internal import DisposableSync
internal import NIOCore

/// The inputs of an event's replica, which are handled one after the other, and the timer for its next deadline.
struct EventInputs {
    /// Inputs that arrived while another one was handled, as from a socket that fails at once.
    private var arrived: [Replica.Input] = []
    private var isHandling = false
    private var sleep = SleepDetector()
    /// The task that wakes the event for the earliest deadline, and that deadline.
    private var timer: (dueAt: UInt64, task: Scheduled<Void>)?

    /// Adds an input. Returns whether the caller handles it and those that arrive meanwhile: nobody else does.
    mutating func begin(with input: Replica.Input, at now: @autoclosure () -> Instant) -> Bool {
        arrived.append(input)
        guard !isHandling else { return false }
        isHandling = true
        if hasSlept(at: now()) { arrived.insert(.interrupted, at: 0) }
        return true
    }

    /// Returns what has arrived; `nil`, which ends the handling, if nothing has.
    mutating func next() -> [Replica.Input]? {
        isHandling = !arrived.isEmpty
        defer { arrived = [] }
        return isHandling ? arrived : nil
    }

    mutating func hasSlept(at now: Instant) -> Bool { sleep.look(at: now) }

    /// Whether the timer is to be set for this deadline: only for an earlier one, since one that fires early sets the
    /// next.
    func needsTimer(for dueAt: UInt64) -> Bool { timer.map { dueAt < $0.dueAt } ?? true }

    mutating func setTimer(for dueAt: UInt64, _ task: Scheduled<Void>) {
        timer?.task.cancel()
        timer = (dueAt, task)
    }

    /// Notes that the timer has fired.
    mutating func timerFired() { timer = nil }

    mutating func cancelTimer() {
        timer?.task.cancel()
        timer = nil
    }
}
