// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The requests that wait for a worker, shared by the callers and the threads that own the workers.
// Unchecked: mutable state is accessed only with `condition` locked.
final class WorkerQueue: @unchecked Sendable {
    struct Job {
        var id: UInt64
        var request: WorkerRequest
        var file: WorkerFile?
        /// Whether it goes before all that are not.
        var isUrgent = false
        var continuation: CheckedContinuation<WorkerReply, any Error>
    }

    private let condition = NSCondition()
    private let threadCountMax: Int
    private let waitingCountMax: Int
    private var waiting: [Job] = []
    private var nextID: UInt64 = 0
    private var threadCount = 0
    private var idleCount = 0
    private var isStopped = false
    private var stopContinuations: [CheckedContinuation<Void, Never>] = []
    /// The workers by process id, with whether each works on a request.
    private var workers: [Int32: Bool] = [:]

    init(threadCountMax: Int, waitingCountMax: Int) {
        self.threadCountMax = threadCountMax
        self.waitingCountMax = waitingCountMax
    }

    func makeID() -> UInt64 {
        condition.withLock {
            nextID += 1
            return nextID
        }
    }

    /// Adds `job`, or refuses it at once. Returns true if the caller must start one more thread.
    func submit(_ job: Job) -> Bool {
        let (refusal, needsThread): (ImagingError?, Bool) = condition.withLock {
            if isStopped { return (.stopped, false) }
            if waiting.count >= waitingCountMax { return (.queueFull(limit: waitingCountMax), false) }
            if job.isUrgent {
                waiting.insert(job, at: waiting.firstIndex { !$0.isUrgent } ?? waiting.endIndex)
            } else {
                waiting.append(job)
            }
            if idleCount >= waiting.count || threadCount == threadCountMax {
                condition.signal()
                return (nil, false)
            }
            threadCount += 1
            return (nil, true)
        }
        if let refusal { job.continuation.resume(throwing: refusal) }
        return needsThread
    }

    /// Cancels a waiting job; a running one runs to its end.
    func cancel(_ id: UInt64) {
        let job: Job? = condition.withLock {
            waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0) }
        }
        job?.continuation.resume(throwing: CancellationError())
    }

    /// Waits for a job; nil after `stop`, and the thread ends.
    func next() -> Job? {
        condition.withLock {
            idleCount += 1
            while waiting.isEmpty, !isStopped { condition.wait() }
            idleCount -= 1
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }

    func stop() {
        let refused: [Job] = condition.withLock {
            isStopped = true
            defer { waiting = [] }
            condition.broadcast()
            return waiting
        }
        for job in refused { job.continuation.resume(throwing: ImagingError.stopped) }
    }

    func threadEnded() {
        let waiting: [CheckedContinuation<Void, Never>] = condition.withLock {
            threadCount -= 1
            guard threadCount == 0, isStopped else { return [] }
            defer { stopContinuations = [] }
            return stopContinuations
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Resumes `continuation` when the last thread has ended.
    func whenEnded(_ continuation: CheckedContinuation<Void, Never>) {
        let hasEnded = condition.withLock {
            if threadCount > 0 { stopContinuations.append(continuation) }
            return threadCount == 0
        }
        if hasEnded { continuation.resume() }
    }

    func note(worker id: Int32, isBusy: Bool) { condition.withLock { workers[id] = isBusy } }
    func forget(worker id: Int32) { condition.withLock { _ = workers.removeValue(forKey: id) } }
    var isBusyByWorker: [Int32: Bool] { condition.withLock { workers } }
    var waitingCount: Int { condition.withLock { waiting.count } }
}
