// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Logging

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

    /// Resumes all waiting callers.
    mutating func end() {
        for waiter in waiters { waiter.resume() }
        (waiters, isRunning) = ([], false)
    }
}

/// Purging of withdrawn data after the purge delay (`DestructionSchedule`).
extension EventNode {
    private static let batchSize = 200
    private static let clockMilliseconds: UInt64 = 60_000

    /// Called every second: records new withdrawals, starts due purges, and stores the clock from time to time.
    func lookAtDestructions() {
        noteDestructions()
        let now = destruction.uptimeMilliseconds
        guard !destruction.isRunning, destruction.importCount == 0, now >= destruction.againAt else { return }
        let subjects = Array(destruction.schedule.due(at: now).prefix(Self.batchSize))
        guard !subjects.isEmpty else { return }
        destruction.isRunning = true
        let remains = replica.remains(of: subjects)
        writes.async { [self, store] in
            let result = Result { () throws(StoreError) in
                try store.destroy(subjects, bodies: remains.bodies, blobs: remains.blobs)
            }
            complete { $0.destroyed(subjects, remains.blobs, result) }
        }
    }

    func destroyed(
        _ subjects: [OperationID], _ blobs: [BlobRoot], _ result: Result<Void, StoreError>
    ) {
        // Not in an event whose database was rebuilt meanwhile.
        guard destruction.isRunning else { return }
        destruction.isRunning = false
        for waiting in destruction.waiters { waiting.resume() }
        destruction.waiters = []
        switch result {
        case .failure(let error):
            destruction.againAt = destruction.uptimeMilliseconds + 10_000
            note(.destruction, "withdrawn data could not be purged yet: \(error)")
        case .success:
            solve(.destruction)
            logger.notice("purged withdrawn data", metadata: ["count": "\(subjects.count)"])
            destruction.schedule.finished(subjects)
            apply(.destroyed(subjects, blobs: blobs))
            announce(.album(event))
        }
    }

    /// Updates the schedule, and its stored part, to the replica's state.
    func noteDestructions() {
        let now = destruction.uptimeMilliseconds
        var update = DestructionSchedule.Update()
        if destruction.lookedAtWithdrawals != replica.withdrawalCount, !destruction.isRunning {
            destruction.lookedAtWithdrawals = replica.withdrawalCount
            update = destruction.schedule.update(replica.destructible, at: now)
        }
        let isClockDue =
            (departure.countsUptime || !destruction.schedule.pending.isEmpty)
            && now >= destruction.notedUptime + Self.clockMilliseconds
        guard !update.isEmpty || isClockDue else { return }
        destruction.notedUptime = now
        writes.async { [store, logger, update] in
            do throws(StoreError) {
                try store.noteDestructions(uptimeMilliseconds: now, begun: update.begun, ended: update.ended)
            } catch {
                logger.error("pending purges not stored", metadata: ["reason": "\(error)"])
            }
        }
    }

    // Files that are being imported: the same bytes give the same blobs, which must not be purged between being found
    // on disk and being described again.

    func beginImport() async {
        while destruction.isRunning { await withCheckedContinuation { destruction.waiters.append($0) } }
        destruction.importCount += 1
    }

    func endImport() { destruction.importCount -= 1 }
}
