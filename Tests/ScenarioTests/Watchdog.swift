// SPDX-License-Identifier: Apache-2.0

/// A required event did not happen in time.
struct TimedOut: Error, CustomStringConvertible {
    let what: String
    let limit: Duration
    var description: String { "not within \(limit): \(what)" }
}

extension Duration {
    /// A limit for one event that takes seconds at most on an idle machine: long enough for a machine that is busy with
    /// a build or other tests.
    static let patience = Duration.seconds(180)
}

/// Runs `body`, and cancels it if it takes longer than `limit`. It detects a hang and does not measure speed.
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
