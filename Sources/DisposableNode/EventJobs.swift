// SPDX-License-Identifier: Apache-2.0

/// Work of an event that takes several steps. Unbounded: each job answers one output of the replica, whose limits bound
/// those.
struct EventJobs: Sendable {
    private let jobs: AsyncStream<@Sendable () async -> Void>
    private let sink: AsyncStream<@Sendable () async -> Void>.Continuation

    init() { (jobs, sink) = AsyncStream.makeStream(bufferingPolicy: .unbounded) }

    func add(_ job: @escaping @Sendable () async -> Void) { sink.yield(job) }

    func end() { sink.finish() }

    /// Runs jobs until `end` is called; then it cancels those that run.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask { await job() } }
            group.cancelAll()
        }
    }
}
