// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire

/// Messages to the organizers: sealed for their nodes, and opened on these (protocol/disposable-v1.md §9.22).
extension EventNode {
    public struct OrganizerMessage: Sendable {
        public let id: OperationID
        public let author: AuthorID
        public let authorName: String?
        public let saidAtMilliseconds: UInt64
        /// The photo that it is about, if any.
        public let photo: PhotoID?
        /// `nil` if it is not sealed to this node, or its body is not here.
        public let text: String?
    }

    /// The number of messages that are listed.
    public static let messageCountMax = 1_000

    /// Sends the organizers a text. Durable when this returns. Throws `Refusal.malformedText`, `.tooManyMessages`,
    /// `.tooFast`.
    public func message(_ text: String, by guest: AuthorID) async throws -> OperationID {
        try check(remark: text)
        return try await say(.message(text, about: nil, Self.messageEntropy), by: guest)
    }

    /// Takes back a message of the guest's own. Throws `Refusal.unknownMessage` for any other id.
    public func removeMessage(_ id: OperationID, by guest: AuthorID) async throws {
        let album = replica.state.album
        guard album.isMessage(id), album.remark(id)?.author == guest else {
            throw NodeError.refused(.unknownMessage(id.short))
        }
        do { try await signRemoval(of: PhotoID(id), by: guest) } catch NodeError.refused(.alreadyRemoved) {
            throw NodeError.refused(.unknownMessage(id.short))
        }
    }

    static var messageEntropy: MessageEntropy {
        MessageEntropy(key: Entropy.secret(32, in: .ordinary), seed: Entropy.secret(32, in: .ordinary))
    }

    /// Whether this node is an organizer's.
    private var isOrganizers: Bool {
        store.keys.organizer != nil
            || (replica.state.membership.rank(of: replica.deviceID) ?? .participant) >= .organizer
    }

    /// The number of messages; `nil` on a node that is not an organizer's.
    public var messageCount: Int? { isOrganizers ? keptMessages().count : nil }

    /// Whether the operation is a known message.
    public func isMessage(_ id: OperationID) -> Bool { replica.state.album.isMessage(id) }

    /// Called when messages, or the members that wrote them, have changed.
    func messagesChanged() {
        reading.mailbox.list = nil
        guard !reading.mailbox.texts.isEmpty else { return }
        let album = replica.state.album
        let isOrganizers = isOrganizers
        reading.mailbox.texts = reading.mailbox.texts.filter { isOrganizers && album.withdrawal(of: $0.key) == nil }
    }

    /// Returns all messages that count, oldest first. A member can cause very many, so the list is kept.
    private func keptMessages() -> [Remarks.Remark] {
        if let list = reading.mailbox.list { return list }
        let list = replica.state.album.messages
        reading.mailbox.list = list
        return list
    }

    private func listed(of all: [Remarks.Remark]) -> [Remarks.Remark] {
        let membership = replica.state.membership
        return Mailbox.inTurns(all, countMax: Self.messageCountMax) { membership.author(of: $0.device) }
    }

    /// Returns the listed messages, newest first, and the number of all. Throws `Refusal.rankTooLow` on a node that is
    /// not an organizer's.
    public func messages() async throws -> (messages: [OrganizerMessage], totalCount: Int) {
        guard isOrganizers else { throw NodeError.refused(.rankTooLow(needed: .organizer)) }
        let asked = listed(of: keptMessages()).map(\.id)
        let opened = try await opened(asked.filter { reading.mailbox.texts[$0] == nil })
        // Meanwhile some may have been deleted, and others may have arrived, which are listed the next time.
        let all = keptMessages()
        let readable = Set(asked)
        let shown = listed(of: all).filter { readable.contains($0.id) }
        let listed = Set(shown.map(\.id))
        reading.mailbox.texts = reading.mailbox.texts.merging(opened) { $1 }.filter { listed.contains($0.key) }
        let state = replica.state
        let messages = shown.reversed().map { message in
            let author = state.membership.author(of: message.device)
            return OrganizerMessage(
                id: message.id, author: author, authorName: state.album.shownName(of: author),
                saidAtMilliseconds: message.timestamp.milliseconds, photo: state.album.remark(message.id)?.photo,
                text: reading.mailbox.texts[message.id] ?? nil)
        }
        return (messages, all.count)
    }

    /// Returns the texts of those messages whose bodies are here; `nil` for one that does not open.
    private func opened(_ messages: [OperationID]) async throws -> [OperationID: String?] {
        let keys = [store.keys.organizer, store.keys.device].compactMap(\.self)
        return try await readers.run { [store, event] in
            var texts: [OperationID: String?] = [:]
            for operation in try store.operations(messages) {
                guard case .message(let sealed)? = operation.content else { continue }
                let author = operation.header.device
                let text = keys.lazy.compactMap { sealed.opened(with: $0, by: author, event: event) }
                    .first(where: Remarks.isWellFormed)
                texts.updateValue(text, forKey: operation.id)
            }
            return texts
        }
    }

    /// Returns the same for the command line.
    func messageInfos() async throws -> [MessageInfo] {
        try await messages().messages.map { message in
            MessageInfo(
                id: message.id.description, author: message.authorName ?? message.author.short,
                saidAt: Timestamps.iso8601(message.saidAtMilliseconds), photo: message.photo?.description,
                text: message.text)
        }
    }
}

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
