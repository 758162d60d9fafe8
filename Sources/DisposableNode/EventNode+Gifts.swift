// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync

/// Frames that guests give each other (protocol/disposable-v1.md §9.23).
extension EventNode {
    /// A person with a number of frames: received, given, or that the person can receive.
    public struct GiftPerson: Sendable, Equatable {
        public let author: AuthorID
        public let name: String?
        public fileprivate(set) var count: Int
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
            // A member can give in the names of many: those with the most frames are listed.
            let first = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit)
            return inOrder(
                first.map { GiftPerson(author: $0.key, name: state.album.shownName(of: $0.key), count: $0.value) })
        }
        let left = state.frames(givableBy: author).count
        // Somebody who has only opened the page is told no names.
        let mayGive = left > 0 && state.membership.isAuthor(author)
        let others = mayGive ? recipients().filter { $0.author != author && $0.count > 0 } : []
        return Gifts(
            left: left, received: people(state.gifts(to: author)), given: people(state.gifts(by: author)),
            people: inOrder(others.prefix(limit)), peopleCount: others.count)
    }

    private func inOrder(_ people: some Sequence<GiftPerson>) -> [GiftPerson] {
        people.sorted { ($0.name ?? "~", $0.author) < ($1.name ?? "~", $1.author) }
    }

    /// Returns the people with a name who can receive frames, those with most photos first: names are free, so that a
    /// member could otherwise hide all others. Looks at everybody, once a second at most.
    private func recipients() -> [GiftPerson] {
        if let kept = reading.recipients, clock.now < kept.until { return kept.people }
        let state = replica.state
        var photoCounts: [AuthorID: Int] = [:]
        for photo in visiblePhotos() { photoCounts[photo.author, default: 0] += 1 }
        let people = state.membership.authors.compactMap { author -> GiftPerson? in
            guard state.membership.isPresent(author), let name = state.album.name(of: author) else { return nil }
            let room = Int(clamping: state.giftRoom(of: author))
            return room > 0 ? GiftPerson(author: author, name: name, count: room) : nil
        }.sorted { left, right in
            (photoCounts[right.author] ?? 0, left.author) < (photoCounts[left.author] ?? 0, right.author)
        }
        reading.recipients = (people, clock.now + .seconds(1))
        return people
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
        // The page lists the recipients again at once.
        if let place = reading.recipients?.people.firstIndex(where: { $0.author == recipient }) {
            reading.recipients?.people[place].count -= count
        }
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
