// SPDX-License-Identifier: Apache-2.0

/// One guest's film: which photo holds which slot.
///
/// Of the claims to one slot the smallest operation id wins, so every node sees the same winner, also where a cloned
/// device has used a slot twice. The loser keeps its photo, which waits until it is claimed into a free slot.
struct Roll: Equatable, Sendable {
    /// The claims to each slot, smallest first. Nearly always one.
    private var claims: [UInt64: [OperationID]] = [:]

    mutating func add(_ claim: OperationID, to slot: UInt64) {
        var contenders = claims[slot, default: []]
        let place = contenders.firstIndex { claim <= $0 } ?? contenders.endIndex
        if place < contenders.endIndex, contenders[place] == claim { return }
        contenders.insert(claim, at: place)
        claims[slot] = contenders
    }

    mutating func withdraw(_ claim: OperationID, from slot: UInt64) {
        claims[slot]?.removeAll { $0 == claim }
        if claims[slot]?.isEmpty == true { claims[slot] = nil }
    }

    func winner(of slot: UInt64) -> OperationID? { claims[slot]?.first }

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
