// SPDX-License-Identifier: Apache-2.0

/// The tickets of an event, and the author that holds each (protocol/disposable-v1.md §9.24).
///
/// - A ticket exists if an organizer has listed its key. A use counts if it is proven and its author's.
/// - A confirmed use holds the ticket, the one with the smallest confirmation; otherwise the counting use with the
///   lowest sequence, then the smallest id; a cancelled ticket is held by nobody.
struct Tickets: Equatable, Sendable {
    private struct Use: Hashable {
        let device: DeviceID
        let author: AuthorID
        let sequence: UInt32
        let id: OperationID
    }
    /// The operations of each device about one subject.
    private typealias Statements = [DeviceID: Set<OperationID>]

    private struct List: Equatable {
        /// The number of the first ticket.
        let number: UInt64
        let keys: [TicketKey]
    }

    /// All lists. Only those of devices that ever were an organizer's are indexed: any member can invent keys.
    private var lists: [DeviceID: [OperationID: List]] = [:]
    /// The number of the ticket in each list of such a device that has its key.
    private var numbers: [TicketKey: [DeviceID: [OperationID: UInt64]]] = [:]
    private var uses: [TicketKey: Set<Use>] = [:]
    private var usedTickets: [DeviceID: Set<TicketKey>] = [:]
    /// The number of uses, by any device, of the tickets that each device has used: asked for each join that comes.
    private var useTotals: [DeviceID: Int] = [:]
    private var ticketOfUse: [OperationID: TicketKey] = [:]
    private var cancellations: [TicketKey: Statements] = [:]
    /// By the use that is confirmed.
    private var confirmations: [OperationID: Statements] = [:]
    /// The tickets that are out of date until the end of the batch.
    private var stale: Set<TicketKey> = []
    /// The lists of the batch, and the tickets about which each device has ruled in it.
    private var newLists: [DeviceID: Set<OperationID>] = [:]
    private var ruled: [DeviceID: Set<TicketKey>] = [:]

    /// The tickets that an organizer has listed.
    private(set) var states: [TicketKey: TicketState] = [:]
    private var held: [AuthorID: Set<TicketKey>] = [:]
    /// The uses that hold a ticket and that nobody has confirmed.
    private(set) var unconfirmed: Set<OperationID> = []

    /// The authors that hold a ticket.
    var holders: Set<AuthorID> { Set(held.keys) }

    func holdsTicket(_ author: AuthorID) -> Bool { held[author] != nil }

    /// Returns the number of known uses of the ticket, counting or not.
    func useCount(of ticket: TicketKey) -> Int { uses[ticket]?.count ?? 0 }

    /// Returns the number of known uses, by any device, of the tickets that the device has used.
    func useCount(by device: DeviceID) -> Int { useTotals[device] ?? 0 }

    /// Adds an operation. Call `resolve` afterwards, once for any number of operations.
    mutating func note(_ operation: VerifiedOperation) {
        let (id, header) = (operation.id, operation.header)
        let device = header.device
        switch operation.content {
        case .tickets(let keys):
            lists[device, default: [:]][id] = List(number: header.argument, keys: keys)
            newLists[device, default: []].insert(id)
        case .ticketUse(let proof):
            let ticket = TicketKey(header.subject.bytes32)
            let use = Use(device: device, author: proof.author, sequence: header.sequence, id: id)
            for user in Set((uses[ticket] ?? []).map(\.device)) { useTotals[user, default: 0] += 1 }
            uses[ticket, default: []].insert(use)
            if usedTickets[device, default: []].insert(ticket).inserted {
                useTotals[device, default: 0] += useCount(of: ticket)
            }
            ticketOfUse[id] = ticket
            stale.insert(ticket)
        default: noteRuling(operation)
        }
    }

    private mutating func noteRuling(_ operation: VerifiedOperation) {
        let header = operation.header
        guard operation.kind == .ticketRuling, let ruling = TicketRuling(rawValue: header.argument) else { return }
        switch ruling {
        case .cancel:
            let ticket = TicketKey(header.subject.bytes32)
            cancellations[ticket, default: [:]][header.device, default: []].insert(operation.id)
            ruled[header.device, default: []].insert(ticket)
        case .confirm:
            confirmations[header.subject, default: [:]][header.device, default: []].insert(operation.id)
            if let ticket = ticketOfUse[header.subject] { ruled[header.device, default: []].insert(ticket) }
        }
    }

    /// Derives the holders after operations were added, or other ones count.
    /// - Parameters:
    ///   - authors: those with a change in which of their operations count, or in their devices.
    ///   - hasNewRanks: whether those of any device may have changed.
    /// - Returns: the authors that have a ticket, or have none, since.
    mutating func resolve(_ membership: Membership, authors: Set<AuthorID>, hasNewRanks: Bool) -> Set<AuthorID> {
        index(membership, hasNewRanks: hasNewRanks)
        if !usedTickets.isEmpty {
            for device in authors.flatMap(membership.devices(of:)) { stale.formUnion(usedTickets[device] ?? []) }
        }
        var changed: Set<AuthorID> = []
        for ticket in stale {
            let (before, after) = (states[ticket], state(of: ticket, membership))
            states[ticket] = after
            if let use = before?.use { unconfirmed.remove(use) }
            if let after, let use = after.use, !after.isConfirmed { unconfirmed.insert(use) }
            guard before?.holder != after?.holder else { continue }
            if let holder = before?.holder {
                held[holder]?.remove(ticket)
                if held[holder]?.isEmpty == true { held[holder] = nil }
                changed.insert(holder)
            }
            if let holder = after?.holder {
                held[holder, default: []].insert(ticket)
                changed.insert(holder)
            }
        }
        stale = []
        return changed
    }

    /// Indexes the lists of the devices that ever were an organizer's, and finds the tickets that are out of date by
    /// these and by such devices' rulings.
    private mutating func index(_ membership: Membership, hasNewRanks: Bool) {
        if hasNewRanks {
            numbers = [:]
            for device in membership.everOrganizers {
                for (id, list) in lists[device] ?? [:] { index(list, id, by: device) }
            }
            stale.formUnion(states.keys)
            stale.formUnion(numbers.keys)
        } else {
            for (device, ids) in newLists where membership.wasMadeOrganizer(device) {
                for id in ids {
                    guard let list = lists[device]?[id] else { continue }
                    index(list, id, by: device)
                    stale.formUnion(list.keys)
                }
            }
            for (device, tickets) in ruled where membership.wasMadeOrganizer(device) { stale.formUnion(tickets) }
        }
        (newLists, ruled) = ([:], [:])
    }

    private mutating func index(_ list: List, _ id: OperationID, by device: DeviceID) {
        for (place, key) in list.keys.enumerated() {
            numbers[key, default: [:]][device, default: [:]][id] = list.number &+ UInt64(place)
        }
    }

    private func state(of ticket: TicketKey, _ membership: Membership) -> TicketState? {
        func smallest(_ statements: Statements?) -> OperationID? {
            guard let statements else { return nil }
            return membership.everOrganizers.flatMap { device in
                (statements[device] ?? []).filter { membership.rank(of: $0, by: device) >= .organizer }
            }.min()
        }
        let numbers = numbers[ticket] ?? [:]
        guard let list = smallest(numbers.mapValues { Set($0.keys) }) else { return nil }
        var state = TicketState(number: numbers.values.compactMap { $0[list] }.first ?? 0)
        var first, confirmed: (order: OperationID, use: Use)?
        var lowest = UInt32.max
        var users: Set<AuthorID> = []
        for use in uses[ticket] ?? [] {
            if let confirmation = smallest(confirmations[use.id]),
                confirmed.map({ (confirmation, use.id) < ($0.order, $0.use.id) }) ?? true
            {
                confirmed = (confirmation, use)
            }
            guard membership.author(of: use.device) == use.author, membership.counts(use.id, by: use.device) else {
                continue
            }
            users.insert(use.author)
            if first.map({ (use.sequence, use.id) < (lowest, $0.order) }) ?? true {
                (first, lowest) = ((use.id, use), use.sequence)
            }
        }
        state.isConfirmed = confirmed != nil
        let holding = (confirmed ?? first)?.use
        if let holding { users.insert(holding.author) }
        state.userCount = users.count
        state.isCancelled = smallest(cancellations[ticket]) != nil
        if !state.isCancelled { (state.holder, state.use) = (holding?.author, holding?.id) }
        return state
    }

    /// Returns the authors with a use of the ticket that counts, and its holder, in the order of their keys.
    func users(of ticket: TicketKey, _ membership: Membership) -> [AuthorID] {
        let counting = (uses[ticket] ?? []).filter {
            membership.author(of: $0.device) == $0.author && membership.counts($0.id, by: $0.device)
        }
        return Set(counting.map(\.author)).union([states[ticket]?.holder].compactMap(\.self)).sorted()
    }

    /// Returns the tickets that the author has used, held or not, in the order of their keys.
    func tickets(usedBy author: AuthorID, _ membership: Membership) -> [TicketKey] {
        let used = membership.devices(of: author).reduce(into: Set<TicketKey>()) {
            $0.formUnion(usedTickets[$1] ?? [])
        }
        return used.filter { states[$0] != nil }.sorted()
    }
}

/// The decision of a `ticketRuling` operation: its argument.
public enum TicketRuling: UInt64, Sendable {
    /// Nobody holds the ticket that is the subject, for good.
    case cancel = 1
    /// The use that is the subject was the first.
    case confirm = 2
}

/// A ticket that an organizer has listed.
public struct TicketState: Equatable, Sendable {
    /// The number that is printed on it.
    public let number: UInt64
    public fileprivate(set) var isCancelled = false
    /// The author that has the ticket, and the operation by which it does; `nil` if it is not used, or is cancelled.
    public fileprivate(set) var holder: AuthorID?
    public fileprivate(set) var use: OperationID?
    /// Whether an organizer's node has confirmed the use that counts.
    public fileprivate(set) var isConfirmed = false
    /// The authors that have used it: more than one is a ticket that was used twice.
    public fileprivate(set) var userCount = 0

    fileprivate init(number: UInt64) { self.number = number }
}
