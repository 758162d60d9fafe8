// SPDX-License-Identifier: Apache-2.0

/// A number of permits for slow work, with limits for each address and each guest. Waiting requests get permits in
/// turns of addresses, and within an address in turns of guests, not in the order of their requests. An address can
/// bring any number of guests, so turns of guests alone would leave little to other addresses.
package actor FairTurns<Guest: Hashable & Sendable> {
    package struct Limits: Sendable {
        /// The limits of permits, and of requests that wait for one.
        package var places: Int
        package var placesByAddress: Int
        package var placesByGuest: Int
        package var waitingByAddress: Int
        package var waitingByGuest: Int

        package init(
            places: Int, placesByAddress: Int, placesByGuest: Int, waitingByAddress: Int, waitingByGuest: Int
        ) {
            (self.places, self.placesByAddress, self.placesByGuest) = (places, placesByAddress, placesByGuest)
            (self.waitingByAddress, self.waitingByGuest) = (waitingByAddress, waitingByGuest)
        }
    }

    /// A guest at an address: the same guest at two addresses has turns at both.
    private struct Owner: Hashable {
        let address: String
        let guest: Guest
    }

    private let limits: Limits
    private var freeCount: Int
    private var takenByAddress: [String: Int] = [:]
    private var takenByGuest: [Guest: Int] = [:]
    private var waitingByGuest: [Guest: Int] = [:]
    /// By address; no list is empty.
    private var waiting: [String: FairQueue<Guest, CheckedContinuation<Void, Never>>] = [:]
    /// The addresses that wait; the first has the next turn.
    private var turns: [String] = []

    /// - Precondition: the numbers of permits are at least 1.
    package init(_ limits: Limits) {
        precondition(limits.places > 0 && limits.placesByAddress > 0 && limits.placesByGuest > 0, "\(limits)")
        self.limits = limits
        freeCount = limits.places
    }

    /// Waits for a place and runs `body` in it. A task that is cancelled while it waits still gets its turn: the bytes of
    /// the photo are here, and the client may never come back. Throws 429 where too many of the guest or of the address
    /// wait already.
    /// - Parameter isCounted: false for work whose number is limited elsewhere: it always waits for its turn.
    package nonisolated func withPlace<Result>(
        for guest: Guest, at address: String, isCounted: Bool = true, _ body: () async throws -> Result
    ) async throws -> Result {
        let owner = Owner(address: address, guest: guest)
        try await take(for: owner, isCounted: isCounted)
        do {
            let result = try await body()
            await giveBack(of: owner)
            return result
        } catch {
            await giveBack(of: owner)
            throw error
        }
    }

    /// Waiting requests of all addresses.
    package var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

    private func take(for owner: Owner, isCounted: Bool) async throws(PortalError) {
        let queue = waiting[owner.address]
        if freeCount > 0, mayTake(owner), queue?.count(of: owner.guest) ?? 0 == 0 { return occupy(for: owner) }
        guard !isCounted || waitingByGuest[owner.guest, default: 0] < limits.waitingByGuest else {
            throw .tooMany("\(limits.waitingByGuest) photos of this guest are waiting to be added", retryAfter: 5)
        }
        guard !isCounted || queue?.count ?? 0 < limits.waitingByAddress else {
            throw .tooMany("many photos of this network address are waiting to be added", retryAfter: 5)
        }
        if queue == nil { turns.append(owner.address) }
        waitingByGuest[owner.guest, default: 0] += 1
        await withCheckedContinuation {
            waiting[owner.address, default: FairQueue()].append($0, of: owner.guest)
        }
    }

    private func mayTake(_ owner: Owner) -> Bool {
        takenByAddress[owner.address, default: 0] < limits.placesByAddress
            && takenByGuest[owner.guest, default: 0] < limits.placesByGuest
    }

    private func occupy(for owner: Owner) {
        freeCount -= 1
        takenByAddress[owner.address, default: 0] += 1
        takenByGuest[owner.guest, default: 0] += 1
    }

    private func giveBack(of owner: Owner) {
        freeCount += 1
        Self.subtractOne(from: &takenByAddress, owner.address)
        Self.subtractOne(from: &takenByGuest, owner.guest)
        // Permits are taken here, before the waiting tasks resume: no other request can overtake them.
        while freeCount > 0, let (owner, continuation) = popFirst() {
            occupy(for: owner)
            continuation.resume()
        }
    }

    /// Returns the next request that may have a permit; its address then has its turn after all others.
    private func popFirst() -> (Owner, CheckedContinuation<Void, Never>)? {
        for (index, address) in turns.enumerated() {
            let next = waiting[address]!.popFirst { mayTake(Owner(address: address, guest: $0)) }
            guard let (guest, continuation) = next else { continue }
            turns.remove(at: index)
            if waiting[address]!.isEmpty { waiting[address] = nil } else { turns.append(address) }
            Self.subtractOne(from: &waitingByGuest, guest)
            return (Owner(address: address, guest: guest), continuation)
        }
        return nil
    }

    private static func subtractOne<Key: Hashable>(from counts: inout [Key: Int], _ key: Key) {
        let count = counts[key, default: 0] - 1
        counts[key] = count > 0 ? count : nil
    }
}
