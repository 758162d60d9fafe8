// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Logging

/// Destroying what was taken away, when its hour is over (`DestructionSchedule`).
extension Node {
    private static let batchSize = 200
    private static let clockMilliseconds: UInt64 = 60_000

    /// Every second: what has been taken away since, what is due, and from time to time how the clock stands.
    func destroyWhatIsDue() async {
        if let delay = configuration.destructionDelaySeconds {
            note(problem: "what is taken away is destroyed here after \(delay) s instead of an hour: for tests only")
        }
        repeat {
            for event in sessions.keys.sorted() { lookAtDestructions(of: event) }
        } while (try? await Task.sleep(for: .seconds(1))) != nil && !isStopped
    }

    private func lookAtDestructions(of event: EventID) {
        guard let session = sessions[event] else { return }
        noteDestructions(of: session)
        let now = session.uptimeMilliseconds
        guard !session.isDestroying, session.importCount == 0, now >= session.destroyAgainAt else { return }
        let subjects = Array(session.destruction.due(at: now).prefix(Self.batchSize))
        guard !subjects.isEmpty else { return }
        session.isDestroying = true
        let remains = session.replica.remains(of: subjects)
        session.writes.async { [completionSink, store = session.store] in
            let result = Result { () throws(StoreError) in
                try store.destroy(subjects, bodies: remains.bodies, blobs: remains.blobs)
            }
            completionSink.yield(.destroyed(subjects, remains.blobs, result, event))
        }
    }

    func destroyed(
        _ subjects: [OperationID], _ blobs: [BlobRoot], _ result: Result<Void, StoreError>, in event: EventID
    ) {
        // Not of a session whose database has been made anew meanwhile.
        guard let session = sessions[event], session.isDestroying else { return }
        session.isDestroying = false
        for waiting in session.destructionWaiters { waiting.resume() }
        session.destructionWaiters = []
        switch result {
        case .failure(let error):
            session.destroyAgainAt = session.uptimeMilliseconds + 10_000
            note(.destruction(event), "what was taken away could not be destroyed yet: \(error)")
        case .success:
            solve(.destruction(event))
            logger.notice("destroyed what was taken away", metadata: ["count": "\(subjects.count)"])
            session.destruction.finished(subjects)
            apply(.destroyed(subjects, blobs: blobs), to: event)
            announce(.album(event))
        }
    }

    /// Brings the schedule, and what of it is on disk, into line with what the replica knows.
    func noteDestructions(of session: EventSession) {
        let now = session.uptimeMilliseconds
        var update = DestructionSchedule.Update()
        if session.lookedAtWithdrawals != session.replica.withdrawalCount, !session.isDestroying {
            session.lookedAtWithdrawals = session.replica.withdrawalCount
            update = session.destruction.update(session.replica.destructible, at: now)
        }
        let isClockDue =
            (session.countsUptime || !session.destruction.pending.isEmpty)
            && now >= session.notedUptime + Self.clockMilliseconds
        guard !update.isEmpty || isClockDue else { return }
        session.notedUptime = now
        session.writes.async { [store = session.store, logger, update] in
            do throws(StoreError) {
                try store.noteDestructions(uptimeMilliseconds: now, begun: update.begun, ended: update.ended)
            } catch {
                logger.error("what is to be destroyed was not noted", metadata: ["reason": "\(error)"])
            }
        }
    }

    // Files on their way to becoming photos: the same bytes give the same blobs, so what they need must not be
    // destroyed between being found on disk and being described anew.

    func beginImport(to session: EventSession) async {
        while session.isDestroying { await withCheckedContinuation { session.destructionWaiters.append($0) } }
        session.importCount += 1
    }

    func endImport(to session: EventSession) { session.importCount -= 1 }
}
