// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// The setting that has guests' photos sealed by their pages (protocol/disposable-v1.md §9.26).
extension Replica {
    /// Signs that guests' pages seal photos, or takes back all known settings that say so. It has no effect where the
    /// event has no key to seal to. Throws `.nothingToDo`, `.rankTooLow`.
    func sign(pageSealing isOn: Bool, _ rank: Rank, with signer: inout ChainSigner) throws(Refusal) {
        guard rank >= .organizer else { throw .rankTooLow(needed: .organizer) }
        let settings = state.album.pageSealingSettings
        guard settings.isEmpty == isOn else { throw .nothingToDo }
        guard !isOn else {
            _ = try signer.sign(Draft(kind: .pageSealing))
            return
        }
        for setting in settings { _ = try signer.sign(Draft(kind: .erase, subject: setting)) }
    }
}
