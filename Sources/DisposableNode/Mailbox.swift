// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel

/// Messages to the organizers as this node has read them.
package struct Mailbox {
    /// All that count, oldest first; `nil` after a change.
    var list: [Remarks.Remark]?
    /// The texts of those that are listed; `nil` for one that this node cannot open.
    var texts: [OperationID: String?] = [:]

    /// Returns at most `countMax` messages: the newest of each author, then the second of each, and so on, so that an
    /// author of very many hides no other.
    /// - Parameters:
    ///   - messages: oldest first, as the result.
    ///   - countMax: the number of messages to return.
    ///   - author: returns the author of a message.
    package static func inTurns<Message, Author: Hashable>(
        _ messages: [Message], countMax: Int, author: (Message) -> Author
    ) -> [Message] {
        guard messages.count > countMax else { return messages }
        var counts: [Author: Int] = [:]
        let turns = messages.indices.reversed().map { index in
            let author = author(messages[index])
            counts[author, default: 0] += 1
            return (turn: counts[author] ?? 0, index: index)
        }
        let first = turns.sorted { ($0.turn, $1.index) < ($1.turn, $0.index) }.prefix(countMax)
        return first.map(\.index).sorted().map { messages[$0] }
    }
}
