// SPDX-License-Identifier: Apache-2.0

/// A number of permits for slow work, with limits for each address and each owner. Waiting requests get permits in
/// turns of addresses, and within an address in turns of owners, not in the order of their requests. An address can
/// bring any number of owners, so turns of owners alone would leave little to other addresses.
package actor FairTurns<Owner: Hashable & Sendable> {
    package struct Limits: Sendable {
        /// The limits of permits, and of requests that wait for one.
        package var places: Int
        package var placesByAddress: Int
        package var placesByOwner: Int
        package var waitingByAddress: Int
        package var waitingByOwner: Int

        package init(
            places: Int, placesByAddress: Int, placesByOwner: Int, waitingByAddress: Int, waitingByOwner: Int
        ) {
            (self.places, self.placesByAddress, self.placesByOwner) = (places, placesByAddress, placesByOwner)
            (self.waitingByAddress, self.waitingByOwner) = (waitingByAddress, waitingByOwner)
        }
    }

    /// An owner at an address: the same owner at two addresses has turns at both.
    private struct Waiter: Hashable {
        let address: String
        let owner: Owner
    }

    private let limits: Limits
    private var freeCount: Int
    private var takenByAddress: [String: Int] = [:]
    private var takenByOwner: [Owner: Int] = [:]
    private var waitingByOwner: [Owner: Int] = [:]
    /// By address; no list is empty.
    private var waiting: [String: FairQueue<Owner, CheckedContinuation<Void, Never>>] = [:]
    /// The addresses that wait; the first has the next turn.
    private var turns: [String] = []

    /// - Precondition: the numbers of permits are at least 1.
    package init(_ limits: Limits) {
        precondition(limits.places > 0 && limits.placesByAddress > 0 && limits.placesByOwner > 0, "\(limits)")
        self.limits = limits
        freeCount = limits.places
    }

    /// Waits for a place and runs `body` in it. A task that is cancelled while it waits still gets its turn: its upload
    /// is complete here, and the client may never come back. Throws `FairTurnsRefusal` if too many tasks of the owner
    /// or of the address wait.
    /// - Parameter isCounted: false for work whose number is limited elsewhere: it always waits for its turn.
    package nonisolated func withPlace<Result>(
        for owner: Owner, at address: String, isCounted: Bool = true, _ body: () async throws -> Result
    ) async throws -> Result {
        let waiter = Waiter(address: address, owner: owner)
        try await take(for: waiter, isCounted: isCounted)
        do {
            let result = try await body()
            await giveBack(of: waiter)
            return result
        } catch {
            await giveBack(of: waiter)
            throw error
        }
    }

    /// Waiting requests of all addresses.
    package var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

    private func take(for waiter: Waiter, isCounted: Bool) async throws(FairTurnsRefusal) {
        let queue = waiting[waiter.address]
        if freeCount > 0, mayTake(waiter), queue?.count(of: waiter.owner) ?? 0 == 0 { return occupy(for: waiter) }
        guard !isCounted || waitingByOwner[waiter.owner, default: 0] < limits.waitingByOwner else {
            throw .ofOwner(limit: limits.waitingByOwner)
        }
        guard !isCounted || queue?.count ?? 0 < limits.waitingByAddress else { throw .ofAddress }
        if queue == nil { turns.append(waiter.address) }
        waitingByOwner[waiter.owner, default: 0] += 1
        await withCheckedContinuation {
            waiting[waiter.address, default: FairQueue()].append($0, of: waiter.owner)
        }
    }

    private func mayTake(_ waiter: Waiter) -> Bool {
        takenByAddress[waiter.address, default: 0] < limits.placesByAddress
            && takenByOwner[waiter.owner, default: 0] < limits.placesByOwner
    }

    private func occupy(for waiter: Waiter) {
        freeCount -= 1
        takenByAddress[waiter.address, default: 0] += 1
        takenByOwner[waiter.owner, default: 0] += 1
    }

    private func giveBack(of waiter: Waiter) {
        freeCount += 1
        Self.subtractOne(from: &takenByAddress, waiter.address)
        Self.subtractOne(from: &takenByOwner, waiter.owner)
        // Permits are taken here, before the waiting tasks resume: no other request can overtake them.
        while freeCount > 0, let (waiter, continuation) = popFirst() {
            occupy(for: waiter)
            continuation.resume()
        }
    }

    /// Returns the next request that may have a permit; its address then has its turn after all others.
    private func popFirst() -> (Waiter, CheckedContinuation<Void, Never>)? {
        for (index, address) in turns.enumerated() {
            let next = waiting[address]!.popFirst { mayTake(Waiter(address: address, owner: $0)) }
            guard let (owner, continuation) = next else { continue }
            turns.remove(at: index)
            if waiting[address]!.isEmpty { waiting[address] = nil } else { turns.append(address) }
            Self.subtractOne(from: &waitingByOwner, owner)
            return (Waiter(address: address, owner: owner), continuation)
        }
        return nil
    }

    private static func subtractOne<Key: Hashable>(from counts: inout [Key: Int], _ key: Key) {
        let count = counts[key, default: 0] - 1
        counts[key] = count > 0 ? count : nil
    }
}

/// The reason why a request may not wait for a permit.
package enum FairTurnsRefusal: Error, Equatable, Sendable {
    case ofOwner(limit: Int)
    case ofAddress
}
