// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableStore

/// Removals that guests can still undo, and purging of withdrawn data after an hour.
struct EventDestruction {
    var schedule: DestructionSchedule
    /// The replica's count when the schedule was last updated.
    var lookedAtWithdrawals: Int?
    var isRunning = false
    /// Callers that wait until that update is stored.
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// The time at which a failed attempt is repeated, and the clock as stored, both by `uptimeMilliseconds`.
    var againAt: UInt64 = 0
    var notedUptime: UInt64
    /// The number of files that are being imported.
    var importCount = 0
    var removals = PendingRemovals()
    /// Whether a job waits for the next removal that is due, and signs it.
    var signsRemovals = false
    /// Callers that wait until no removal is being signed.
    var signingWaiters: [CheckedContinuation<Void, Never>] = []
    private let openedAt = SuspendingClock.now
    private let earlierUptime: UInt64

    init(_ store: EventStore, delayMilliseconds: UInt64) throws {
        earlierUptime = try store.uptimeMilliseconds
        notedUptime = earlierUptime
        schedule = DestructionSchedule(
            pending: try store.pendingDestructions(), delayMilliseconds: delayMilliseconds, at: earlierUptime)
    }

    /// The time for which nodes have been running for the event on this folder, without the machine's sleep.
    var uptimeMilliseconds: UInt64 { earlierUptime + (SuspendingClock.now - openedAt).wholeMilliseconds }

    /// Resumes the callers that wait for signatures, unless a removal is being signed.
    mutating func resumeIfSigned() {
        guard !removals.isSigning else { return }
        for waiter in signingWaiters { waiter.resume() }
        signingWaiters = []
    }

    /// Resumes the callers that wait until an update is stored.
    mutating func end() {
        for waiter in waiters { waiter.resume() }
        (waiters, isRunning) = ([], false)
    }
}
