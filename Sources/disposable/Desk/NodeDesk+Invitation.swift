// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import DisposablePortal

/// The event key as words.
private struct DeskKey: Encodable, Sendable { let words: [String] }

/// Papers that an organizer hands on or keeps: the invitation, and the event key.
extension NodeDesk {
    /// - Parameter isPrinted: whether it is for print; then it has the event's cover.
    func invitation(_ event: DeskEvent, isPrinted: Bool = false) async throws -> InvitationInfo {
        try await ask(.invite(event: event.text, isPrinted: isPrinted)) {
            if case .invitation(let info) = $0 { info } else { nil }
        }
    }

    /// Returns the words of the event key. Throws `DeskError` on a node without that key.
    func backUpKey(of event: DeskEvent) async throws -> any Encodable & Sendable {
        try await ask(.backup(event: event.text)) { reply -> DeskKey? in
            if case .words(let indexes) = reply { DeskKey(words: WordList.words(at: indexes)) } else { nil }
        }
    }
}
