// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync

/// Frames that guests give each other (protocol/disposable-v1.md §9.23).
extension EventNode {
    /// A person with a number of frames: received, given, or that the person can receive.
    public struct GiftPerson: Sendable, Equatable {
        public let author: AuthorID
        public let name: String?
        public let count: Int
    }

    public struct Gifts: Sendable, Equatable {
        /// The number of frames that the person can give away now.
        public let left: Int
        /// The givers, and the recipients; by name.
        public let received: [GiftPerson]
        public let given: [GiftPerson]
        /// The people with a name who can receive frames, by name; empty if there is none to give.
        public let people: [GiftPerson]
        /// The number of such people, listed or not.
        public let peopleCount: Int
    }

    /// Returns what the author has given and received, and the possible recipients.
    /// - Parameters:
    ///   - author: this node's person, or a guest of this node.
    ///   - limit: people at most, in each list.
    public func gifts(of author: AuthorID, limit: Int) -> Gifts {
        let state = replica.state
        func people(_ counts: [AuthorID: Int]) -> [GiftPerson] {
            counts.map { GiftPerson(author: $0.key, name: state.album.shownName(of: $0.key), count: $0.value) }
                .sorted { ($0.name ?? "~", $0.author) < ($1.name ?? "~", $1.author) }
        }
        let left = state.frames(givableBy: author).count
        let others = left == 0 ? [] : state.membership.authors.filter { other in
            other != author && state.album.name(of: other) != nil && state.membership.isPresent(other)
        }
        let rooms = others.map { ($0, Int(clamping: state.giftRoom(of: $0))) }.filter { $0.1 > 0 }
        let ready = people(Dictionary(uniqueKeysWithValues: rooms))
        return Gifts(
            left: left, received: Array(people(state.gifts(to: author)).prefix(limit)),
            given: Array(people(state.gifts(by: author)).prefix(limit)),
            people: Array(ready.prefix(limit)), peopleCount: ready.count)
    }

    /// Gives frames of the guest's own to somebody else, for good. Durable when this returns. Throws
    /// `Refusal.noGift`.
    /// - Parameters:
    ///   - count: 1...`EventState.giftMax`.
    ///   - recipient: somebody of the event.
    ///   - guest: a guest of this node.
    ///   - left: how many the guest was told that it can give: a repeated request is refused.
    public func give(_ count: Int, to recipient: AuthorID, by guest: AuthorID, left: Int) async throws {
        _ = try await author(.give(count, to: recipient, left: left), by: subKey(of: guest))
    }

    /// The same by this node's person. Without `isConfirmed` only reports the effect.
    func give(_ count: Int, to member: String, isConfirmed: Bool) async throws -> ControlReply {
        let recipient = AuthorID(try self.member(named: member))
        let (state, me) = (replica.state, replica.authorID)
        if let refusal = state.giftRefusal(count, to: recipient, by: me, left: nil) {
            throw NodeError.refused(.noGift(refusal))
        }
        if isConfirmed { _ = try await author(.give(count, to: recipient, left: nil)) }
        let left = replica.state.frames(givableBy: me).count
        return .gift(
            GivenFrames(
                member: recipient.description, name: state.album.shownName(of: recipient) ?? recipient.short,
                count: count, left: isConfirmed ? left : left - count, isGiven: isConfirmed))
    }
}
