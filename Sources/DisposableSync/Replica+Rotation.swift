// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire

/// The start of a new epoch, and its secret for one more member, as an organizer signs them.
extension Replica {
    func epochDrafts(_ entropy: EpochEntropy, by device: DeviceID) throws(Refusal) -> EpochDrafts {
        try checkRank(of: device)
        let seals = recipients.compactMap { try? SealedSecret(of: entropy.secret, for: $0, seed: entropy.seed) }
        let parts = stride(from: 0, to: seals.count, by: Limits.sealedDevicesMax).map {
            Array(seals[$0..<min($0 + Limits.sealedDevicesMax, seals.count)])
        }
        let parent = state.epochs.current
        let commitment = Epoch.commitment(to: entropy.secret, parent: parent, event: state.event)
        let beginning = OperationBody.encode(.epoch(commitment: commitment, seals: parts[0]), salt: entropy.salt)
        return EpochDrafts(
            first: Draft(kind: .epoch, subject: parent, body: beginning),
            additions: parts.dropFirst().map {
                OperationBody.encode(.epoch(commitment: nil, seals: $0), salt: entropy.salt)
            })
    }

    /// Returns the draft that seals the current secret to one more member.
    func admissionDraft(
        of newcomer: DeviceID, _ entropy: EpochEntropy, by device: DeviceID
    ) throws(Refusal) -> Draft {
        try checkRank(of: device)
        guard state.membership.isMember(newcomer), state.membership.author(of: newcomer) == AuthorID(newcomer) else {
            throw .notAdmitted
        }
        guard state.epochs.current != .none, newcomer != self.device,
            state.waitingNodes.contains(newcomer) || unrenewedNodes.contains(newcomer)
        else { throw .nothingToDo }
        guard keyring.epoch == state.epochs.current else { throw .secretUnknown }
        guard let seal = try? SealedSecret(of: keyring.current.secret, for: newcomer, seed: entropy.seed) else {
            throw .notAdmitted
        }
        return Draft(
            kind: .epoch, subject: state.epochs.current, argument: EpochDrafts.addition,
            body: OperationBody.encode(.epoch(commitment: nil, seals: [seal]), salt: entropy.salt))
    }

    private func checkRank(of device: DeviceID) throws(Refusal) {
        guard (state.membership.rank(of: device) ?? .participant) >= .organizer else {
            throw .rankTooLow(needed: .organizer)
        }
    }
}

/// An epoch before it is signed. An addition names the id of the first operation.
struct EpochDrafts {
    static let addition: UInt64 = 1

    let first: Draft
    /// Bodies.
    let additions: [[UInt8]]
}
