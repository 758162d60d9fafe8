// SPDX-License-Identifier: Apache-2.0

/// Something that has to happen did not.
struct TimedOut: Error, CustomStringConvertible {
    let what: String
    let limit: Duration
    var description: String { "not within \(limit): \(what)" }
}

extension Duration {
    /// For one thing to happen that takes seconds at most where nothing else runs: long enough for a machine of which
    /// a build or other tests have the most.
    static let patience = Duration.seconds(180)
}

/// Runs `body`, and cancels it when it takes longer than `limit`, which says that something hangs, never how fast it
/// has to be.
func watchdog<Result: Sendable>(
    _ limit: Duration, _ what: @escaping @Sendable () -> String, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw TimedOut(what: what(), limit: limit)
        }
        defer { group.cancelAll() }
        guard let result = try await group.next() else { throw CancellationError() }
        return result
    }
}
