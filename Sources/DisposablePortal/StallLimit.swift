// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import Synchronization

/// When something last moved.
final class Progress: Sendable {
    private let last = Mutex(ContinuousClock.now)

    func note() { last.withLock { $0 = .now } }
    var instant: ContinuousClock.Instant { last.withLock { $0 } }
}

/// Closes the connection when `body` has noted no progress for `limit`; `body` then ends as on a broken connection.
func withStallLimit<Result: Sendable>(
    _ limit: Duration, on channel: any Channel, _ body: (Progress) async throws -> Result
) async throws -> Result {
    let progress = Progress()
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            while true {
                let deadline = progress.instant + limit
                guard deadline > .now else { break }
                try await Task.sleep(until: deadline)
            }
            channel.close(promise: nil)
        }
        defer { group.cancelAll() }
        return try await body(progress)
    }
}
