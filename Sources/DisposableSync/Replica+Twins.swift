// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// Galleries that are joined with those of other events (protocol/disposable-v1.md §9.28).
extension Replica {
    /// Signs a twinning and erases the earlier ones with the same event, so that its members learn one secret only.
    /// Throws `.rankTooLow`, `.malformed` for an agreement that nobody would accept, `.nothingToDo` where there is no
    /// room for another twin, or the device has signed as many as are looked at.
    func sign(
        _ twinning: Twinning, by device: DeviceID, _ rank: Rank, salt: [UInt8], with signer: inout ChainSigner
    ) throws(Refusal) {
        guard rank >= .organizer else { throw .rankTooLow(needed: .organizer) }
        let event = twinning.agreement.event
        guard twinning.agreement.joins(state.event) else { throw .malformed(.invalidSignature) }
        let twins = state.twins
        let known = twins.first { $0.event == event }
        guard known != nil || twins.count < Twin.countMax, state.twinningCount(by: device) < Twin.perDeviceMax else {
            throw .nothingToDo
        }
        let body = OperationBody.encode(.twinning(twinning), salt: salt)
        _ = try signer.sign(Draft(kind: .twinning, subject: OperationID(event.bytes32), body: body))
        for operation in known?.operations ?? [] {
            _ = try signer.sign(Draft(kind: .erase, subject: operation))
        }
    }

    /// Erases the twinnings with an event. Throws `.rankTooLow`, `.nothingToDo`.
    func sign(endOfTwin event: EventID, _ rank: Rank, with signer: inout ChainSigner) throws(Refusal) {
        guard rank >= .organizer else { throw .rankTooLow(needed: .organizer) }
        guard let twin = state.twins.first(where: { $0.event == event }) else { throw .nothingToDo }
        for operation in twin.operations { _ = try signer.sign(Draft(kind: .erase, subject: operation)) }
    }
}
