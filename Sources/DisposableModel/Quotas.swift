// SPDX-License-Identifier: Apache-2.0

/// The frames of each author: those in use, those that organizers have given in addition, and those that
/// others have given.
struct Quotas: Equatable, Sendable {
    private var rolls: [AuthorID: Roll] = [:]
    private var extras: [AuthorID: [DeviceID: [OperationID: UInt64]]] = [:]
    /// The gifts of each device, counting or not.
    private var gifts: [DeviceID: Set<Claim>] = [:]
    /// The frames that gifts hold, by recipient and giver.
    private var received: [AuthorID: [AuthorID: Set<UInt64>]] = [:]

    /// Adds a claim that counts.
    mutating func add(_ claim: Claim, of author: AuthorID) {
        let before = rolls[author]?.holder(of: claim.slot)?.recipient
        rolls[author, default: Roll()].add(claim)
        let after = rolls[author]?.holder(of: claim.slot)?.recipient
        guard before != after else { return }
        if let before { forget(claim.slot, from: author, to: before) }
        if let after { received[after, default: [:]][author, default: []].insert(claim.slot) }
    }

    /// Drops all claims of the author, to add those that count now.
    mutating func clear(_ author: AuthorID) {
        for gift in rolls[author]?.gifts ?? [] {
            if let recipient = gift.recipient { forget(gift.slot, from: author, to: recipient) }
        }
        rolls[author] = nil
    }

    private mutating func forget(_ slot: UInt64, from giver: AuthorID, to recipient: AuthorID) {
        received[recipient]?[giver]?.remove(slot)
        if received[recipient]?[giver]?.isEmpty == true { received[recipient]?[giver] = nil }
        if received[recipient]?.isEmpty == true { received[recipient] = nil }
    }

    /// Adds a `frames` operation.
    mutating func noteExtra(_ operation: VerifiedOperation) {
        let header = operation.header
        guard (1...UInt64(Charter.framesMax)).contains(header.argument) else { return }
        extras[AuthorID(header.subject.bytes32), default: [:]][header.device, default: [:]][operation.id] =
            header.argument
    }

    /// Adds a `gift` operation. Returns its claim on a frame of the giver; `nil` if it names none.
    mutating func noteGift(_ operation: VerifiedOperation) -> Claim? {
        guard let gift = Claim(gift: operation) else { return nil }
        gifts[operation.header.device, default: []].insert(gift)
        return gift
    }

    /// Returns the gifts that the device has signed, counting or not.
    func gifts(by device: DeviceID) -> Set<Claim> { gifts[device] ?? [] }

    /// Returns the author's frames; `nil` if it has claimed none.
    func roll(of author: AuthorID) -> Roll? { rolls[author] }

    /// Returns the sum of the extra frames that organizers have given the author.
    func extraFrames(of author: AuthorID, _ membership: Membership) -> UInt64 {
        guard let extras = extras[author] else { return 0 }
        return membership.everOrganizers.reduce(0) { sum, device in
            (extras[device] ?? [:]).reduce(sum) { sum, frames in
                membership.rank(of: frames.key, by: device) >= .organizer ? sum + frames.value : sum
            }
        }
    }

    /// Returns the number of frames that each giver has given to the author, of those that are the giver's own.
    /// - Parameter basic: the charter's frames.
    func gifts(to author: AuthorID, basic: UInt64, _ membership: Membership) -> [AuthorID: Int] {
        (received[author] ?? [:]).keys.reduce(into: [:]) { counts, giver in
            let count = giftCount(from: giver, to: author, basic: basic, membership)
            if count > 0 { counts[giver] = count }
        }
    }

    /// Returns how many received frames are added to the author's: at most as many as the charter gives.
    /// - Parameter basic: the charter's frames.
    func receivedFrames(of author: AuthorID, basic: UInt64, _ membership: Membership) -> UInt64 {
        guard let givers = received[author]?.keys else { return 0 }
        var sum: UInt64 = 0
        for giver in givers where sum < basic {
            sum += UInt64(giftCount(from: giver, to: author, basic: basic, membership))
        }
        return min(sum, basic)
    }

    private func giftCount(
        from giver: AuthorID, to recipient: AuthorID, basic: UInt64, _ membership: Membership
    ) -> Int {
        guard let slots = received[recipient]?[giver] else { return 0 }
        let own = basic + extraFrames(of: giver, membership)
        return slots.count { $0 <= own }
    }
}
