// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import DisposablePortal

/// The event key as words.
private struct DeskKey: Encodable, Sendable { let words: [String] }

extension NodeDesk {
    /// Returns the words of the event key. Throws `DeskError` on a node without that key.
    func backUpKey(of event: DeskEvent) async throws -> any Encodable & Sendable {
        try await ask(.backup(event: event.text)) { reply -> DeskKey? in
            if case .words(let indexes) = reply { DeskKey(words: WordList.words(at: indexes)) } else { nil }
        }
    }
}
