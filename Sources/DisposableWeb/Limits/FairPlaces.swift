// SPDX-License-Identifier: Apache-2.0

/// Places with limits for each owner and each address. If all are taken, an owner that holds more of them than the
/// newcomer loses one. Pure.
package struct FairPlaces<Owner: Hashable & Sendable>: Sendable {
    package struct Limits: Equatable, Sendable {
        package var byOwner: Int
        package var byAddress: Int
        package var inAll: Int

        package init(byOwner: Int, byAddress: Int, inAll: Int) {
            (self.byOwner, self.byAddress, self.inAll) = (byOwner, byAddress, inAll)
        }
    }

    package enum Answer: Equatable, Sendable {
        /// - Parameter replaced: the place that was lost to it.
        case place(UInt64, replaced: UInt64?)
        /// The owner has reached its limit.
        case ownerIsFull
        case allAreTaken
    }

    private struct Holder {
        let owner: Owner
        let address: String
    }

    private let limits: Limits
    private var lastID: UInt64 = 0
    /// By ids that grow with time.
    private var holders: [UInt64: Holder] = [:]

    package init(_ limits: Limits) { self.limits = limits }

    package var count: Int { holders.count }

    /// Returns the number of addresses with a place, this one left out.
    package func addressCount(except address: String) -> Int {
        Set(holders.values.map(\.address)).subtracting([address]).count
    }

    /// - Parameters:
    ///   - isReserved: whether it gets a place even if all others are taken.
    ///   - isStalled: whether the client of a place has kept the server waiting for long; such a place is replaced
    ///     first.
    package mutating func take(
        owner: Owner, address: String, isReserved: Bool = false, isStalled: (UInt64) -> Bool = { _ in false }
    ) -> Answer {
        guard holders.values.count(where: { $0.owner == owner }) < limits.byOwner else { return .ownerIsFull }
        var replaced: UInt64?
        let own = holders.filter { $0.value.address == address }
        if !isReserved, own.count >= limits.byAddress || holders.count >= limits.inAll {
            let candidates = own.count >= limits.byAddress ? own : holders
            replaced = candidates.keys.filter(isStalled).min() ?? excess(in: candidates, over: owner, at: address)
            guard replaced != nil else { return .allAreTaken }
        }
        if let replaced { holders[replaced] = nil }
        lastID += 1
        holders[lastID] = Holder(owner: owner, address: address)
        return .place(lastID, replaced: replaced)
    }

    package mutating func giveBack(_ id: UInt64) { holders[id] = nil }

    /// Returns the oldest place of the owner that holds the most, if it would still hold more than the newcomer.
    /// Otherwise returns the oldest place of the address that holds the most, if it holds more than twice as many.
    private func excess(in candidates: [UInt64: Holder], over owner: Owner, at address: String) -> UInt64? {
        let byOwner = Dictionary(grouping: candidates, by: \.value.owner)
        let ownCount = byOwner[owner]?.count ?? 0
        if let most = byOwner.values.max(by: { $0.count < $1.count }), most.count > ownCount + 1 {
            return most.map(\.key).min()
        }
        let byAddress = Dictionary(grouping: candidates, by: \.value.address)
        let hereCount = byAddress[address]?.count ?? 0
        guard let most = byAddress.values.max(by: { $0.count < $1.count }), most.count > 2 * (hereCount + 1) else {
            return nil
        }
        return most.map(\.key).min()
    }
}
