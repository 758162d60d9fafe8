// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
internal import DisposableWire

/// The commands of this node, one at a time, since a chain has one end, and not faster than other nodes accept.
///
/// waiting -> signed -> one part after the other being stored -> finished, or failed. A failed command's stored parts
/// stay: if it is repeated, only the missing operations are added.
package struct Authoring {
    /// The signed command whose part is being stored.
    private struct Current {
        let ticket: Ticket
        var part: [VerifiedOperation]
        var stored: [OperationID] = []
        var rest: ArraySlice<VerifiedOperation>
    }

    /// The next step of a command, a part of which was stored.
    package enum Step: Equatable {
        case store([VerifiedOperation])
        case finished([OperationID])
    }

    var chains: OwnChains
    package var lostFrames = LostFrames()
    private var waiting = StatementQueue()
    private var current: Current?
    private var allowance = Allowance(
        perSecond: Limits.operationsPerSecond, burst: Limits.operationsBurstMax, at: 0)
    /// The rate limits of annotations for the authors that sign here.
    private var remarks = KeyedAllowances<AuthorID>(
        perSecond: Limits.remarksPerSecond, burst: Limits.remarksBurstMax, countMax: 1_024)

    /// - Parameters:
    ///   - device: this node's device.
    ///   - eventKey: the event key as a device.
    package init(of device: DeviceID, eventKey: DeviceID) { chains = OwnChains(of: device, eventKey: eventKey) }

    /// Whether a command is being stored.
    package var isStoring: Bool { current != nil }
    package var isIdle: Bool { current == nil && waiting.isEmpty }
    /// Whether a command that requires a rank waits, or a ruling about tickets is being stored.
    package var hasUrgent: Bool { waiting.hasUrgent || current?.part.first?.kind == .ticketRuling }
    package var nextDeadline: UInt64? { waiting.isEmpty || isStoring ? nil : allowance.levelAt }

    /// - Parameter key: the device's own key if there is none.
    package mutating func append(_ statement: Statement, by key: SigningKey?, _ ticket: Ticket) {
        waiting.append(statement, by: key, ticket)
    }

    /// Returns the next command to sign, `nil` while another one is being stored, or during the pause of the rate
    /// limit.
    package mutating func next(at now: UInt64) -> (statement: Statement, key: SigningKey?, ticket: Ticket)? {
        guard !isStoring, (allowance.levelAt ?? 0) <= now else { return nil }
        return waiting.popFirst()
    }

    /// Begins to store the operations of a command. Returns the first part; most commands have one.
    /// - Parameter isCharged: false for this device's join, which is no command.
    package mutating func begin(
        _ operations: [VerifiedOperation], of ticket: Ticket, isCharged: Bool, at now: UInt64
    ) -> [VerifiedOperation] {
        if isCharged { allowance.spend(operations.count, at: now) }
        let part = Array(operations.prefix(Limits.operationsPerMessageMax))
        current = Current(ticket: ticket, part: part, rest: operations.dropFirst(part.count))
        return part
    }

    /// Returns the part that is being stored if the ticket is its own.
    package func part(of ticket: Ticket) -> [VerifiedOperation]? {
        current?.ticket == ticket ? current?.part : nil
    }

    /// Continues after the present part was stored.
    package mutating func advance() -> Step {
        guard var command = current else { return .finished([]) }
        command.stored += command.part.map(\.id)
        guard !command.rest.isEmpty else {
            current = nil
            return .finished(command.stored)
        }
        command.part = Array(command.rest.prefix(Limits.operationsPerMessageMax))
        command.rest = command.rest.dropFirst(command.part.count)
        current = command
        return .store(command.part)
    }

    /// Ends the present command, which could not be stored.
    package mutating func fail() { current = nil }

    /// Charges an annotation to its author, or throws `tooFast`.
    package mutating func spendRemark(by author: AuthorID, at now: UInt64) throws(Refusal) {
        if let wait = remarks.waitToSpend(1, by: author, at: now) { throw .tooFast(seconds: Int((wait + 999) / 1_000)) }
    }
}
