// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Logging

/// The event's card for strangers. Only a node with the event key signs one: strangers know nothing of the event but
/// that key's hash, so they could not tell whether another organizer is still one.
extension EventNode {
    private static let cardKey = "card"

    /// Returns the event as the board of this node shows it and passes it on.
    func ownEvent() -> OwnEvent {
        let now = now.wallClockMilliseconds
        let isServed = servesPages && context.announcedPagePort != nil
        // Without a charter that it understands this node neither shows nor withdraws the event.
        guard !replica.state.needsNewerVersion, let charter = replica.state.charter else {
            return OwnEvent(eventKey: store.keys.eventKey, card: nil, signed: nil, isServed: isServed)
        }
        var card = charter.isDeleted ? nil : EventCard(charter, at: now)
        card?.activity = activity(at: now)
        return OwnEvent(
            eventKey: store.keys.eventKey, card: card, signed: signed(card, at: now), isServed: isServed)
    }

    /// Returns the activity of the hour before the latest end of an interval. It is counted once: so a card changes
    /// for it once in an interval at most, and late operations change nothing in between.
    private func activity(at now: UInt64) -> RecentActivity {
        let end = intervalEnd(before: now)
        if let known = reading.activity, known.before == end { return known.counted }
        let counted = replica.state.activity(before: end)
        reading.activity = (end, counted)
        return counted
    }

    private func intervalEnd(before milliseconds: UInt64) -> UInt64 {
        milliseconds - milliseconds % configuration.activityIntervalMilliseconds
    }

    /// Whether the card states an activity that others will soon take for an old one.
    private func isStale(_ card: EventCard, at now: UInt64) -> Bool {
        card.activity != .none
            && intervalEnd(before: now)
                >= intervalEnd(before: card.revisedAtMilliseconds) + RecentActivity.spanMilliseconds / 2
    }

    /// Signs a card with other content than the last one, and keeps it: a restart gives it no other revision.
    private func signed(_ card: EventCard?, at now: UInt64) -> SignedCard? {
        guard let key = store.keys.organizer else { return nil }
        let kept = reading.card ?? readCard()
        reading.card = kept
        guard var next = card ?? kept.map({ $0.card.isWithdrawn ? $0.card : $0.card.withdrawn(at: now) }),
            next.expiresAtMilliseconds > now
        else { return nil }
        if let kept, kept.card.saysTheSame(as: next), !isStale(kept.card, at: now) { return kept }
        next.revisedAtMilliseconds = now
        // Others have not taken a card that is far ahead: this machine's clock was wrong.
        if let last = kept?.card.revisedAtMilliseconds, last < now + EventCard.revisionAheadMax {
            next.revisedAtMilliseconds = max(now, last + 1)
        }
        let signed = SignedCard(next, by: key)
        reading.card = signed
        do { try store.setMetadata(CardList([.init(signed)]).bytes, for: Self.cardKey) } catch {
            logger.warning("the card of the event is not kept", metadata: ["reason": "\(error)"])
        }
        return signed
    }

    private func readCard() -> SignedCard? {
        guard let bytes = try? store.metadata(for: Self.cardKey) else { return nil }
        return CardList(bytes)?.entries.first?.signed
    }
}
