// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

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
