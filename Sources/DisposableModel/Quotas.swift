// SPDX-License-Identifier: Apache-2.0

/// The frames of each author: those in use, those that organizers have given in addition, and those that
/// others have given.
struct Quotas: Equatable, Sendable {
    private var rolls: [AuthorID: Roll] = [:]
    /// The `frames` operations of each device, which only count with an organizer's rank.
    private var extras: [DeviceID: [AuthorID: [OperationID: UInt64]]] = [:]
    /// The sum of the extra frames that organizers have given each author; none of 0.
    private var extraFrames: [AuthorID: UInt64] = [:]
    /// The devices whose `frames` operations are not in the sums until the end of the batch.
    private var staleExtras: Set<DeviceID> = []
    /// The frames that the charter gives each guest, if gifts count.
    private var basic: UInt64?
    private(set) var tickets = Tickets()
    /// The authors to which the charter gives frames; `nil`: to all.
    private var holders: Set<AuthorID>?
    /// The gifts of each device, counting or not.
    private var gifts: [DeviceID: Set<Claim>] = [:]
    /// By recipient. Sums are kept, since each photo's status needs one, and a member can cause any number of gifts.
    private var received: [AuthorID: Received] = [:]
    private struct Received: Equatable {
        /// The gifts that hold a frame, the givers' own or not.
        var heldCount = 0
        /// The number of the givers' own frames among these, by giver; none of 0.
        var byGiver: [AuthorID: Int] = [:]
        /// Their sum.
        var count: UInt64 = 0

        mutating func noteOwn(_ change: Int, from giver: AuthorID) {
            let own = (byGiver[giver] ?? 0) + change
            byGiver[giver] = own == 0 ? nil : own
            count = count.advanced(by: change)
        }
    }

    /// Adds a claim that counts.
    mutating func add(_ claim: Claim, of author: AuthorID) {
        // Nearly always no gift can get a frame or lose it.
        guard claim.recipient != nil || !received.isEmpty else { return rolls[author, default: Roll()].add(claim) }
        let before = rolls[author]?.holder(of: claim.slot)?.recipient
        rolls[author, default: Roll()].add(claim)
        let after = rolls[author]?.holder(of: claim.slot)?.recipient
        guard before != after else { return }
        if let before { note(-1, claim.slot, from: author, to: before) }
        if let after { note(1, claim.slot, from: author, to: after) }
    }

    /// Drops all claims of the author, to add those that count now.
    mutating func clear(_ author: AuthorID) {
        for gift in rolls[author]?.gifts ?? [] {
            if let recipient = gift.recipient { note(-1, gift.slot, from: author, to: recipient) }
        }
        rolls[author] = nil
    }

    /// Counts a gift that holds its frame from now on (`change` 1), or no longer (-1).
    private mutating func note(_ change: Int, _ slot: UInt64, from giver: AuthorID, to recipient: AuthorID) {
        received[recipient, default: Received()].heldCount += change
        if slot <= ownFrames(of: giver) { received[recipient]?.noteOwn(change, from: giver) }
        if received[recipient]?.heldCount == 0 { received[recipient] = nil }
    }

    /// The frames of the charter and of organizers.
    private func ownFrames(of giver: AuthorID) -> UInt64 { basicFrames(of: giver) + (extraFrames[giver] ?? 0) }

    private func basicFrames(of giver: AuthorID) -> UInt64 { holders?.contains(giver) == false ? 0 : basic ?? 0 }

    /// Adds a `frames` operation.
    mutating func noteExtra(_ operation: VerifiedOperation) {
        let header = operation.header
        guard (1...UInt64(Charter.framesMax)).contains(header.argument) else { return }
        extras[header.device, default: [:]][AuthorID(header.subject.bytes32), default: [:]][operation.id] =
            header.argument
        staleExtras.insert(header.device)
    }

    /// Derives the extra frames of all authors.
    /// - Parameter hasNewRanks: whether those of any device may have changed.
    mutating func resolve(_ membership: Membership, hasNewRanks: Bool) {
        defer { staleExtras = [] }
        guard hasNewRanks || staleExtras.contains(where: membership.wasMadeOrganizer) else { return }
        let before = extraFrames
        extraFrames = [:]
        for device in membership.everOrganizers {
            for (author, operations) in extras[device] ?? [:] {
                for (id, count) in operations where membership.rank(of: id, by: device) >= .organizer {
                    extraFrames[author, default: 0] += count
                }
            }
        }
        for author in Set(before.keys).union(extraFrames.keys) {
            recount(author, basicFrames(of: author) + (before[author] ?? 0))
        }
    }

    /// Sets the number of frames that the charter gives each guest; `nil` where gifts have no effect.
    /// - Parameter needsTickets: whether it gives them to holders of a ticket only.
    mutating func setBasic(_ count: UInt64?, needsTickets: Bool) {
        let holders = needsTickets ? tickets.holders : nil
        guard count != basic || holders != self.holders else { return }
        let givers = rolls.mapValues(\.gifts).filter { !$0.value.isEmpty }.keys
        set(count, holders: holders, givers: givers)
    }

    /// Adds an operation about tickets.
    mutating func noteTickets(_ operation: VerifiedOperation) { tickets.note(operation) }

    /// Derives the holders of tickets, with the arguments and the result of `Tickets.resolve`.
    mutating func resolveTickets(
        _ membership: Membership, authors: Set<AuthorID>, hasNewRanks: Bool
    ) -> Set<AuthorID> {
        let changed = tickets.resolve(membership, authors: authors, hasNewRanks: hasNewRanks)
        if holders != nil, !changed.isEmpty { set(basic, holders: tickets.holders, givers: changed) }
        return changed
    }

    private mutating func set(_ count: UInt64?, holders: Set<AuthorID>?, givers: some Collection<AuthorID>) {
        let before = givers.map { ($0, ownFrames(of: $0)) }
        (basic, self.holders) = (count, holders)
        for (giver, frames) in before { recount(giver, frames) }
    }

    /// Counts the giver's gifts of frames that have become the giver's own, or no longer are.
    private mutating func recount(_ giver: AuthorID, _ before: UInt64) {
        let after = ownFrames(of: giver)
        guard before != after else { return }
        for gift in rolls[giver]?.gifts ?? [] {
            guard let recipient = gift.recipient, (gift.slot <= before) != (gift.slot <= after) else { continue }
            received[recipient]?.noteOwn(gift.slot <= after ? 1 : -1, from: giver)
        }
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
    func extraFrames(of author: AuthorID) -> UInt64 { extraFrames[author] ?? 0 }

    /// Returns the number of frames that each giver has given to the author, of those that are the giver's own.
    func gifts(to author: AuthorID) -> [AuthorID: Int] { received[author]?.byGiver ?? [:] }

    /// Returns how many received frames are added to the author's: at most as many as the charter gives.
    func receivedFrames(of author: AuthorID) -> UInt64 { min(received[author]?.count ?? 0, basic ?? 0) }
}
