// SPDX-License-Identifier: Apache-2.0
internal import NIOPosix

/// Runs blocking disk operations on threads that may block.
package func offTheLoops<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await NIOThreadPool.singleton.runIfActive(work)
}
