// SPDX-License-Identifier: Apache-2.0
internal import DisposableSync
internal import NIOCore

extension EventNode {
    /// Handles an input; the only caller of `handle`: starts every output, then flushes sent bytes and sets the timer.
    /// Synchronous, so nothing interleaves; an input that one of these steps causes at once waits for its end.
    func apply(_ input: Replica.Input) {
        guard stage != .closed, inputs.begin(with: input, at: now) else { return }
        while let next = inputs.next() {
            for input in next { handle(input) }
            // Under load the timer would be late.
            if let deadline = replica.nextDeadline, deadline <= now.milliseconds { handle(.deadlineReached) }
            flush()
        }
        setTimer()
    }

    private func handle(_ input: Replica.Input) {
        replica.handle(input, at: now)
        while let output = replica.nextOutput() { perform(output) }
        if case .interrupted = input { tellPages() }
    }

    /// Notifies the replica of sleep before any other input, above all before deadlines: then input that has arrived
    /// meanwhile, in the sockets' buffers, still counts.
    func lookForSleep() {
        if inputs.hasSlept(at: now) { apply(.interrupted) }
    }

    private func setTimer() {
        guard stage != .closed, let dueAt = [replica.nextDeadline, chunks.flushDueAt].compactMap(\.self).min(),
            inputs.needsTimer(for: dueAt)
        else { return }
        let now = now.milliseconds
        let delay = TimeAmount.milliseconds(dueAt > now ? Int64(clamping: dueAt - now) : 1)
        inputs.setTimer(for: dueAt, loop.scheduleTask(in: delay) { self.assumeIsolated { $0.keepTime() } })
    }

    private func keepTime() {
        inputs.timerFired()
        flushIfDue()
        if let deadline = replica.nextDeadline, deadline <= now.milliseconds {
            apply(.deadlineReached)
        } else {
            setTimer()
        }
    }

    /// Passes the result of work on a queue to the event, in the order in which results arrive.
    nonisolated func complete(_ take: @escaping @Sendable (isolated EventNode) -> Void) {
        loop.execute {
            self.assumeIsolated { event in
                guard !event.isStopped else { return }
                take(event)
            }
        }
    }
}
