// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync

/// Callers that wait until their operations are stored.
struct WaitingAuthors {
    private var lastTicket: UInt64 = 0
    private var callers: [Ticket: CheckedContinuation<[OperationID], any Error>] = [:]

    mutating func newTicket() -> Ticket {
        lastTicket += 1
        return Ticket(lastTicket)
    }

    mutating func add(_ caller: CheckedContinuation<[OperationID], any Error>, _ ticket: Ticket) {
        callers[ticket] = caller
    }

    /// Answers the caller with this ticket, if one waits.
    mutating func answer(_ ticket: Ticket, _ result: Result<[OperationID], NodeError>) {
        callers.removeValue(forKey: ticket)?.resume(with: result)
    }

    /// Fails all callers, which would never be answered.
    mutating func end() {
        for caller in callers.values { caller.resume(throwing: NodeError.stopped) }
        callers = [:]
    }
}
