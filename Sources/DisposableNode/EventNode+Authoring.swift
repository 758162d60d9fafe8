// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

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

/// The names of an event before, and besides, those that operations state.
struct EventNames {
    /// From the invitation, until the charter is here.
    let invited: String?
    /// The name that this node's person gave.
    var own: String?
}

extension EventNode {
    /// Signs a command and waits until it is stored.
    /// - Parameter key: the sub-key of a guest; `nil` for this device.
    /// Throws `.stopped` if no answer would come.
    func author(_ statement: Statement, by key: SigningKey? = nil) async throws -> [OperationID] {
        guard !isStopped else { throw NodeError.stopped }
        guard !departure.isReader else { throw NodeError.twins(.reader) }
        let ticket = authors.newTicket()
        return try await withCheckedThrowingContinuation { continuation in
            authors.add(continuation, ticket)
            apply(.author(statement, by: key, ticket))
        }
    }

    /// Throws `NodeError` unless operations of `device` count.
    func checkStanding(of device: DeviceID) throws {
        do { try replica.checkStanding(of: device) } catch { throw NodeError.refused(error) }
    }

    /// Signs the name that the person gave, once this device is a member and if it is not signed yet.
    func sayName() {
        guard replica.isAdmitted, let name = names.own, replica.state.album.name(of: replica.authorID) != name else {
            return
        }
        let body = OperationBody.encode(.name(name), salt: Entropy.bytes(OperationBody.saltByteCount))
        apply(.author(.name(body: body), by: nil, authors.newTicket()))
    }
}
