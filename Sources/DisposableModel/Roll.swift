// SPDX-License-Identifier: Apache-2.0

/// A claim on a frame of its author's quota: for a photo, or for a gift.
struct Claim: Hashable, Sendable {
    let sequence: UInt32
    let id: OperationID
    let slot: UInt64
    /// The author that is given the frame; `nil` for a photo's claim.
    var recipient: AuthorID?
}

extension Claim {
    /// Returns `nil` for a `gift` operation that names no frame.
    init?(gift operation: VerifiedOperation) {
        let header = operation.header
        guard (1...UInt64(Charter.framesMax)).contains(header.argument) else { return nil }
        self.init(
            sequence: header.sequence, id: operation.id, slot: header.argument,
            recipient: AuthorID(header.subject.bytes32))
    }
}

/// The quota of one author: which claim holds which frame.
///
/// The claim to a frame that is earliest in the author's chain wins; among claims at one position, which only a cloned
/// device or a cheat makes, the one with the smallest id: every node sees the same winner. The loser keeps its photo,
/// which waits until it claims a free frame. Claims cannot be withdrawn, and a later one never wins: if a photo's
/// deletion, its move to another frame or a claim made for the purpose freed a frame, a guest could show any number of
/// photos one after the other. A gift's claim competes with the others, and keeps its frame in the same way.
struct Roll: Equatable, Sendable {
    private struct Slot: Equatable {
        var winner: Claim
        /// Nearly always empty.
        var losers: Set<Claim> = []

        mutating func add(_ claim: Claim) {
            guard claim != winner else { return }
            let isFirst = (claim.sequence, claim.id) < (winner.sequence, winner.id)
            losers.insert(isFirst ? winner : claim)
            if isFirst { winner = claim }
        }
    }
    private var slots: [UInt64: Slot] = [:]

    mutating func add(_ claim: Claim) {
        slots[claim.slot, default: Slot(winner: claim)].add(claim)
    }

    func holder(of slot: UInt64) -> Claim? { slots[slot]?.winner }

    /// The gifts that hold a frame.
    var gifts: [Claim] { slots.values.compactMap { $0.winner.recipient == nil ? nil : $0.winner } }

    func isHeld(by claim: Claim) -> Bool { slots[claim.slot]?.winner == claim }

    func isContested(_ slot: UInt64) -> Bool { slots[slot]?.losers.isEmpty == false }

    /// Returns the authors that the claims on the frame would give it to; `nil` if more than `countMax` have lost it.
    func recipients(of slot: UInt64, countMax: Int) -> Set<AuthorID>? {
        guard let slot = slots[slot] else { return [] }
        guard slot.losers.count <= countMax else { return nil }
        return Set(slot.losers.union([slot.winner]).compactMap(\.recipient))
    }

    var usedCount: Int { slots.count }

    /// Returns the first `count` free frames from 1 on, not beyond `limit`; fewer at the end of the quota.
    func freeSlots(count: Int, limit: UInt64?) -> [UInt64] {
        var free: [UInt64] = []
        var slot: UInt64 = 1
        while free.count < count, slot <= limit ?? .max {
            if slots[slot] == nil { free.append(slot) }
            slot += 1
        }
        return free
    }

    /// Returns the free frames from `slot` down to 1.
    func freeSlots(downFrom slot: UInt64) -> [UInt64] {
        slot > 0 ? (1...slot).reversed().filter { slots[$0] == nil } : []
    }
}
