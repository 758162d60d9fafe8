// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire

/// The event key on paper, and its restoration (protocol/disposable-v1.md §4.3).
extension EventNode {
    private static let noted = "event key on paper"

    /// Returns the numbers of the 24 words. Afterwards there is no warning of a key that only this machine has.
    func eventKeyWords() throws -> [Int] {
        guard let seed = store.keys.organizer?.seed else {
            throw NodeError.noEventKey
        }
        try store.setMetadata([1], for: Self.noted)
        solve(.onlyKey)
        return EventKeyWords.indexes(of: seed)
    }

    /// Makes this node an organizer's by the event key, and its device an organizer. Throws `NodeError.twins` at a node
    /// that only reads the event, which keeps no key of it.
    func restore(_ words: [Int]) async throws {
        guard !isReader else { throw NodeError.twins(.reader) }
        guard let seed = EventKeyWords.seed(words) else { throw NodeError.wrongWords }
        let key = SigningKey(seed: seed)
        guard key.verifyingKey == store.keys.eventKey else { throw NodeError.foreignEventKey }
        if store.keys.organizer == nil { try store.take(key) }
        // Some may open with it.
        reading.mailbox = Mailbox()
        try store.setMetadata([1], for: Self.noted)
        let device = replica.deviceID
        guard replica.state.membership.rank(of: device) ?? .participant < .organizer else { return }
        try await rule(.grant(.organizer, to: device.bytes32))
    }

    /// Warns if the photos could not be opened after a loss of this machine.
    func lookAtOnlyKey() {
        guard store.keys.organizer != nil else { return }
        let state = replica.state
        guard state.shareTerms == nil else { return lookAtShares() }
        // The disk is queried last, and rarely.
        guard state.sealingKey != nil, !state.isRevealed, !isRevealKeyElsewhere(),
            (try? store.metadata(for: Self.noted)) == nil
        else { return solve(.onlyKey) }
        note(
            .onlyKey,
            "only this machine can open the photos of \(name): write its key down with `disposable event backup`, or "
                + "make a second organizer with `disposable role grant organizer NAME`")
    }

    private func isRevealKeyElsewhere() -> Bool {
        let membership = replica.state.membership
        return membership.devices.contains {
            $0 != replica.deviceID && !membership.sealedRevealKeys(for: $0).isEmpty
        }
    }
}
