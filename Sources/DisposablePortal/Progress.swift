// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import Synchronization

/// When something last moved on a connection.
///
/// Whoever moves bytes lets `closeWhenStalled` run beside it, as an `async let`, which ends with the scope:
///
///     let progress = Progress()
///     async let _ = progress.closeWhenStalled(connection, after: .seconds(60))
///     for try await buffer in body { progress.note() ... }
final class Progress: Sendable {
    private let last = Mutex<ContinuousClock.Instant?>(.now)

    func note() { last.withLock { $0 = .now } }

    /// Nothing is expected to move until the next `note`: what has come is being dealt with.
    func pause() { last.withLock { $0 = nil } }

    /// Closes the connection once nothing has moved for `limit`; reading and writing then end as on a broken one.
    func closeWhenStalled(_ connection: any Channel, after limit: Duration) async {
        do {
            while true {
                let deadline = (last.withLock { $0 } ?? .now) + limit
                guard deadline > .now else { break }
                try await Task.sleep(until: deadline)
            }
            connection.close(promise: nil)
        } catch {}  // cancelled: it has ended well
    }
}
