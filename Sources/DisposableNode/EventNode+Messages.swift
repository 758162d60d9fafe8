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

    /// Messages that are listed: the newest.
    public static let messageCountMax = 1_000

    /// Sends the organizers a text. Durable when this returns. Throws `NodeError.unacceptable`, `.tooManyRemarks`,
    /// `.tooFast`.
    public func message(_ text: String, by guest: AuthorID) async throws -> OperationID {
        try check(remark: text)
        return try await say(.message(text, about: nil, Self.messageEntropy), by: guest)
    }

    /// Takes back a message of the guest's own. Throws `NodeError.unknownRemark` for any other id.
    public func removeMessage(_ id: OperationID, by guest: AuthorID) async throws {
        let album = replica.state.album
        guard album.isMessage(id), album.remark(id)?.author == guest else { throw NodeError.unknownRemark(id.short) }
        try await remove(PhotoID(id), by: guest)
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
    public var messageCount: Int? { isOrganizers ? replica.state.album.messages.count : nil }

    /// Returns the newest messages, newest first, and the number of all. Throws `NodeError.rankTooLow` on a node that is
    /// not an organizer's.
    public func messages() async throws -> (messages: [OrganizerMessage], totalCount: Int) {
        guard isOrganizers else { throw NodeError.rankTooLow(needed: .organizer) }
        let state = replica.state
        let all = state.album.messages
        let shown = Array(all.suffix(Self.messageCountMax).reversed())
        let known = reading.messages
        let unopened = shown.map(\.id).filter { known[$0] == nil }
        let keys = [store.keys.organizer, store.keys.device].compactMap(\.self)
        let opened = try await readers.run { [store, event] in
            var texts: [OperationID: String] = [:]
            for operation in try store.operations(unopened) {
                guard case .message(let sealed)? = operation.content else { continue }
                let author = operation.header.device
                texts[operation.id] = keys.lazy.compactMap { sealed.opened(with: $0, by: author, event: event) }
                    .first(where: Remarks.isWellFormed)
            }
            return texts
        }
        let texts = known.merging(opened) { $1 }
        // Withdrawn messages, and those that newer ones have replaced in the list, are forgotten.
        let listed = Set(shown.map(\.id))
        reading.messages = texts.filter { listed.contains($0.key) }
        let messages = shown.map { message in
            let author = state.membership.author(of: message.device)
            return OrganizerMessage(
                id: message.id, author: author, authorName: state.album.shownName(of: author),
                saidAtMilliseconds: message.timestamp.milliseconds, photo: state.album.remark(message.id)?.photo,
                text: texts[message.id])
        }
        return (messages, all.count)
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
