// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Logging

/// Purging what was deleted or erased, when its hour is over.
struct EventDestruction {
    var schedule: DestructionSchedule
    /// The replica's count when the schedule was last brought into line.
    var lookedAtWithdrawals: Int?
    var isRunning = false
    /// Callers that wait for the end of that.
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// When a failed attempt is repeated, and the clock as it stands on disk, both by `uptimeMilliseconds`.
    var againAt: UInt64 = 0
    var notedUptime: UInt64
    /// Files that are becoming photos.
    var importCount = 0
    private let openedAt = SuspendingClock.now
    private let earlierUptime: UInt64

    init(_ store: EventStore, delayMilliseconds: UInt64) throws {
        earlierUptime = try store.uptimeMilliseconds
        notedUptime = earlierUptime
        schedule = DestructionSchedule(
            pending: try store.pendingDestructions(), delayMilliseconds: delayMilliseconds, at: earlierUptime)
    }

    /// How long nodes have been running for the event on this folder, without the time that the machine slept.
    var uptimeMilliseconds: UInt64 { earlierUptime + (SuspendingClock.now - openedAt).wholeMilliseconds }

    /// Nobody waits any more.
    mutating func end() {
        for waiter in waiters { waiter.resume() }
        (waiters, isRunning) = ([], false)
    }
}

/// Destroying what was taken away, when its hour is over (`DestructionSchedule`).
extension EventNode {
    private static let batchSize = 200
    private static let clockMilliseconds: UInt64 = 60_000

    /// Every second: what was deleted since, what is due, and from time to time how the clock stands.
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
        // Not of a session whose database has been made anew meanwhile.
        guard destruction.isRunning else { return }
        destruction.isRunning = false
        for waiting in destruction.waiters { waiting.resume() }
        destruction.waiters = []
        switch result {
        case .failure(let error):
            destruction.againAt = destruction.uptimeMilliseconds + 10_000
            note(.destruction, "what was taken away could not be destroyed yet: \(error)")
        case .success:
            solve(.destruction)
            logger.notice("destroyed what was taken away", metadata: ["count": "\(subjects.count)"])
            destruction.schedule.finished(subjects)
            apply(.destroyed(subjects, blobs: blobs))
            announce(.album(event))
        }
    }

    /// Brings the schedule, and what of it is on disk, into line with what the replica knows.
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
                logger.error("what is to be destroyed was not noted", metadata: ["reason": "\(error)"])
            }
        }
    }

    // Files on their way to becoming photos: the same bytes give the same blobs, so what they need must not be
    // destroyed between being found on disk and being described anew.

    func beginImport() async {
        while destruction.isRunning { await withCheckedContinuation { destruction.waiters.append($0) } }
        destruction.importCount += 1
    }

    func endImport() { destruction.importCount -= 1 }
}
