// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire

/// The event key on paper, and back from it (protocol/disposable-v1.md §4.3).
extension Node {
    private static let noted = "event key on paper"

    /// The numbers of the 24 words. From then on nothing is said of a key that only this machine has.
    func eventKeyWords(of event: EventID) throws -> [Int] {
        guard let session = sessions[event], let seed = session.store.keys.organizer?.seed else {
            throw NodeError.noEventKey
        }
        try session.store.setMetadata([1], for: Self.noted)
        solve(.onlyKey(event))
        return EventKeyWords.indexes(of: seed)
    }

    /// This node becomes an organizer's by the event key, and its device an organizer.
    func restore(_ words: [Int], to event: EventID) async throws {
        guard let session = sessions[event] else { throw NodeError.stopped }
        guard let seed = EventKeyWords.seed(words) else { throw NodeError.wrongWords }
        let key = SigningKey(seed: seed)
        guard key.verifyingKey == session.store.keys.eventKey else { throw NodeError.foreignEventKey }
        if session.store.keys.organizer == nil { try session.store.take(key) }
        try session.store.setMetadata([1], for: Self.noted)
        let device = session.replica.deviceID
        guard session.replica.state.membership.rank(of: device) ?? .participant < .organizer else { return }
        try await rule(.grant(.organizer, to: device.bytes32), in: event)
    }

    /// Warns where nobody could open the photos any more if this machine were lost.
    func lookAtOnlyKey(of event: EventID) {
        guard let session = sessions[event], session.store.keys.organizer != nil else { return }
        let state = session.replica.state
        // The disk is asked last, and seldom.
        guard state.sealingKey != nil, !state.isRevealed, !isRevealKeyElsewhere(session),
            (try? session.store.metadata(for: Self.noted)) == nil
        else { return solve(.onlyKey(event)) }
        note(
            .onlyKey(event),
            "only this machine can open the photos of \(session.name): write its key down with `disposable event backup`, or "
                + "make a second organizer with `disposable role grant organizer NAME`")
    }

    private func isRevealKeyElsewhere(_ session: EventSession) -> Bool {
        let membership = session.replica.state.membership
        return membership.devices.contains {
            $0 != session.replica.deviceID && !membership.sealedRevealKeys(for: $0).isEmpty
        }
    }
}
