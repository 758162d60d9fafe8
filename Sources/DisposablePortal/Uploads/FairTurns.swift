// SPDX-License-Identifier: Apache-2.0

/// A number of places for work that takes long. Each owner may have some of them at once; those that wait get places in
/// turns of owners, not in the order of their requests.
package actor FairTurns<Owner: Hashable & Sendable> {
    private let countPerOwner: Int
    private let waitingCountPerOwner: Int
    private var freeCount: Int
    private var takenCounts: [Owner: Int] = [:]
    private var waiting = FairQueue<Owner, CheckedContinuation<Void, Never>>()

    /// - Parameters:
    ///   - count: places in all, at least 1.
    ///   - countPerOwner: places of one owner, at least 1.
    ///   - waitingCountPerOwner: requests of one owner that may wait; more are refused.
    package init(count: Int, countPerOwner: Int, waitingCountPerOwner: Int) {
        precondition(count > 0 && countPerOwner > 0, "\(count) places, \(countPerOwner) for each owner")
        freeCount = count
        self.countPerOwner = countPerOwner
        self.waitingCountPerOwner = waitingCountPerOwner
    }

    /// Waits for a place and runs `body` in it. A task that is cancelled while it waits still gets its turn: the bytes of
    /// the photo are here, and the client may never come back. Throws 429 where too many of the owner wait already.
    package nonisolated func withPlace<Result>(for owner: Owner, _ body: () async throws -> Result) async throws
        -> Result
    {
        try await take(for: owner)
        do {
            let result = try await body()
            await giveBack(of: owner)
            return result
        } catch {
            await giveBack(of: owner)
            throw error
        }
    }

    /// Requests of all owners that wait.
    package var waitingCount: Int { waiting.count }

    private func take(for owner: Owner) async throws(PortalError) {
        if freeCount > 0, mayTake(owner), waiting.count(of: owner) == 0 { return occupy(for: owner) }
        guard waiting.count(of: owner) < waitingCountPerOwner else {
            throw .tooMany("\(waitingCountPerOwner) photos of this guest are waiting to be added", retryAfter: 5)
        }
        await withCheckedContinuation { waiting.append($0, of: owner) }
    }

    private func mayTake(_ owner: Owner) -> Bool { takenCounts[owner, default: 0] < countPerOwner }

    private func occupy(for owner: Owner) {
        freeCount -= 1
        takenCounts[owner, default: 0] += 1
    }

    private func giveBack(of owner: Owner) {
        freeCount += 1
        let count = takenCounts[owner]! - 1
        takenCounts[owner] = count > 0 ? count : nil
        // Places are occupied here, before those that waited run: nobody overtakes them.
        while freeCount > 0, let (owner, continuation) = waiting.popFirst(where: mayTake) {
            occupy(for: owner)
            continuation.resume()
        }
    }
}
