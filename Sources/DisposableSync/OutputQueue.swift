// SPDX-License-Identifier: Apache-2.0
internal import DequeModule

/// The outputs that wait for the shell, and the numbers of the work that is asked of it.
struct OutputQueue {
    private var outputs: Deque<Replica.Output> = []
    /// Above the numbers that the shell uses for commands.
    private var lastTicket: UInt64 = 1 << 32

    mutating func append(_ output: Replica.Output) { outputs.append(output) }
    mutating func popFirst() -> Replica.Output? { outputs.popFirst() }
    mutating func removeAll(where isRemoved: (Replica.Output) -> Bool) { outputs.removeAll(where: isRemoved) }

    mutating func newTicket() -> Ticket {
        lastTicket += 1
        return Ticket(lastTicket)
    }
}
