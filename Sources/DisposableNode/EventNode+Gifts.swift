// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync

/// Frames that guests give each other (protocol/disposable-v1.md §9.23).
extension EventNode {
    /// Returns what the author has given and received, and the possible recipients.
    /// - Parameters:
    ///   - author: this node's person, or a guest of this node.
    ///   - limit: people at most, in each list.
    public func gifts(of author: AuthorID, limit: Int) -> GuestGifts {
        let state = replica.state
        func people(_ counts: [AuthorID: Int]) -> [GuestGifts.Person] {
            // A member can give in the names of many: those with the most frames are listed.
            let first = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit)
            return inOrder(
                first.map {
                    GuestGifts.Person(author: $0.key, name: state.album.shownName(of: $0.key), count: $0.value)
                })
        }
        let left = state.frames(givableBy: author).count
        // Somebody who has only opened the page is told no names.
        let mayGive = left > 0 && state.membership.isAuthor(author)
        let others = mayGive ? recipients().filter { $0.author != author && $0.count > 0 } : []
        return GuestGifts(
            left: left, received: people(state.gifts(to: author)), given: people(state.gifts(by: author)),
            people: inOrder(others.prefix(limit)), peopleCount: others.count)
    }

    private func inOrder(_ people: some Sequence<GuestGifts.Person>) -> [GuestGifts.Person] {
        people.sorted { ($0.name ?? "~", $0.author) < ($1.name ?? "~", $1.author) }
    }

    /// Returns the people with a name who can receive frames, those with most photos first: names are free, so that a
    /// member could otherwise hide all others. Looks at everybody, once a second at most.
    private func recipients() -> [GuestGifts.Person] {
        if let kept = reading.recipients, clock.now < kept.until { return kept.people }
        let state = replica.state
        var photoCounts: [AuthorID: Int] = [:]
        for photo in visiblePhotos() { photoCounts[photo.author, default: 0] += 1 }
        let people = state.membership.authors.compactMap { author -> GuestGifts.Person? in
            guard state.membership.isPresent(author), let name = state.album.name(of: author) else { return nil }
            let room = Int(clamping: state.giftRoom(of: author))
            return room > 0 ? GuestGifts.Person(author: author, name: name, count: room) : nil
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
