// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableSync

/// The people at a simulated machine: what its person has entered, the guests of its page, and the answers to their
/// commands.
package struct NodePerson {
    /// The addresses that the person has entered, in order; they are entered again at each start.
    private(set) var addresses: [PeerAddress] = []
    /// The sub-keys with which the machine signs for the guests of its page.
    package var subKeys: [AuthorID: SigningKey] = [:]
    private var ticketCount: UInt64 = 0
    /// The operations that the person's commands have led to, and the commands that were refused.
    package internal(set) var authored: [Ticket: [OperationID]] = [:]
    package var refused: [Ticket: Refusal] = [:]

    mutating func enter(_ address: PeerAddress) {
        guard !addresses.contains(address) else { return }
        addresses.append(address)
        addresses.sort()
    }

    /// Returns the ticket of the next command.
    mutating func newTicket() -> Ticket {
        ticketCount += 1
        return Ticket(ticketCount)
    }
}
