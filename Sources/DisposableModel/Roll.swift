// SPDX-License-Identifier: Apache-2.0

/// A photo's claim to a slot of its author's roll.
struct Claim: Hashable, Sendable {
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
    private struct Slot: Equatable {
        var winner: Claim
        /// Nearly always none.
        var losers: Set<Claim> = []
    }
    private var slots: [UInt64: Slot] = [:]

    mutating func add(_ claim: Claim) {
        guard let winner = slots[claim.slot]?.winner else {
            slots[claim.slot] = Slot(winner: claim)
            return
        }
        guard claim != winner else { return }
        let isFirst = (claim.sequence, claim.id) < (winner.sequence, winner.id)
        if isFirst { slots[claim.slot]?.winner = claim }
        slots[claim.slot]?.losers.insert(isFirst ? winner : claim)
    }

    func isHeld(by claim: Claim) -> Bool { slots[claim.slot]?.winner == claim }

    func isContested(_ slot: UInt64) -> Bool { slots[slot]?.losers.isEmpty == false }

    var usedCount: Int { slots.count }

    /// The first `count` free slots from 1 on, not beyond `limit`; fewer where the roll ends.
    func freeSlots(count: Int, limit: UInt64?) -> [UInt64] {
        var free: [UInt64] = []
        var slot: UInt64 = 1
        while free.count < count, slot <= limit ?? .max {
            if slots[slot] == nil { free.append(slot) }
            slot += 1
        }
        return free
    }
}
