// SPDX-License-Identifier: Apache-2.0

/// A photo's claim to a slot of its author's roll.
struct Claim: Equatable, Sendable {
    let sequence: UInt32
    let id: OperationID
    let slot: UInt64
}

/// One guest's film: which claim holds which slot.
///
/// Of the claims to one slot the one earliest in the guest's chain wins, and of those at one place in it, which only a
/// cloned device or a cheat makes, the smallest id: every node sees the same winner. The loser keeps its photo, which
/// waits until it is claimed into a free slot. Claims are never taken back, and a later one never wins: if a photo's
/// removal, its move to another slot or a claim made to order freed a slot, a guest could show any number of photos one
/// after the other.
struct Roll: Equatable, Sendable {
    /// The claims to each slot, the winner first. Nearly always one.
    private var claims: [UInt64: [Claim]] = [:]

    mutating func add(_ claim: Claim) {
        var contenders = claims[claim.slot, default: []]
        guard !contenders.contains(claim) else { return }
        let place = contenders.firstIndex { (claim.sequence, claim.id) < ($0.sequence, $0.id) } ?? contenders.endIndex
        contenders.insert(claim, at: place)
        claims[claim.slot] = contenders
    }

    func isHeld(by claim: Claim) -> Bool { claims[claim.slot]?.first == claim }

    func isContested(_ slot: UInt64) -> Bool { (claims[slot]?.count ?? 0) > 1 }

    var usedCount: Int { claims.count }

    /// The first `count` free slots from 1 on, not beyond `limit`; fewer where the roll ends.
    func freeSlots(count: Int, limit: UInt64?) -> [UInt64] {
        var free: [UInt64] = []
        var slot: UInt64 = 1
        while free.count < count, slot <= limit ?? .max {
            if claims[slot] == nil { free.append(slot) }
            slot += 1
        }
        return free
    }
}
