// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire
import Foundation
import Testing

@Suite struct CardCodingTests {
    private func key(_ byte: UInt8) -> SigningKey {
        var seed = [UInt8](repeating: byte, count: 32)
        return SigningKey(seed: SecretBytes(consuming: &seed))
    }

    private var card: EventCard {
        var card = EventCard(
            name: "Fête \"d’été\" / \\", startsAtMilliseconds: 1_800_000_000_000,
            endsAtMilliseconds: 1_800_014_400_000, expiresAtMilliseconds: 1_800_700_000_000,
            revisedAtMilliseconds: 1_799_000_000_000)
        card.details = "Line one\nLine two"
        (card.place, card.category, card.organizer, card.contact) = ("Lyon", "party", "Anna", "anna@example.org")
        card.links = [EventLink(kind: .instagram, address: "https://example.org/a")]
        card.price = Price(cents: 1_250, currency: "EUR")
        card.registration = "732829320"
        card.activity = RecentActivity(photoCount: 50, personCount: 10)
        card.position = EventPosition(latitude: -33_869, longitude: 151_209)
        return card
    }

    private func read(_ text: String, signedBy key: SigningKey) throws(CardError) -> SignedCard {
        let bytes = Domain.eventCard + EventID(key: key.verifyingKey).bytes + Array(text.utf8)
        return try SignedCard(eventKey: key.verifyingKey, text: text, signature: key.signature(for: bytes))
    }

    @Test("a card reads as it was written, also in a list, with the pages that are here")
    func roundTrip() throws {
        let signed = SignedCard(card, by: key(1))
        #expect(
            try SignedCard(eventKey: signed.eventKey, text: signed.text, signature: signed.signature) == signed)
        let list = try #require(CardList(CardList([.init(signed)], here: [signed.event]).bytes))
        #expect(list.entries.map(\.signed) == [signed] && list.here == [signed.event] && list.refusedCount == 0)
        let withdrawn = SignedCard(card.withdrawn(at: 1_799_000_000_001), by: key(1))
        #expect(try read(withdrawn.text, signedBy: key(1)).card == withdrawn.card)
    }

    @Test("the largest card of a charter is within the limit")
    func largest() {
        var card = card
        let line = String(repeating: "\u{1F389}", count: 80)
        (card.name, card.place, card.category, card.organizer, card.contact) = (line, line, line, line, line)
        card.details = String(repeating: "\n", count: EventCard.detailsByteCountMax)
        card.links = (0..<8).map { _ in
            EventLink(kind: .instagram, address: "https://" + String(repeating: "a", count: 192))
        }
        card.position = EventPosition(latitude: -EventPosition.latitudeMax, longitude: -EventPosition.longitudeMax)
        card.activity = RecentActivity(photoCount: .max, personCount: 1)
        #expect(!card.isWellFormed)
        card.activity = RecentActivity(photos: .max, people: .max)
        #expect(card.isWellFormed)
        #expect(SignedCard(card, by: key(1)).text.utf8.count <= EventCard.byteCountMax)
    }

    @Test("a changed text, another key and a signature of another event's key are forged")
    func forged() {
        let signed = SignedCard(card, by: key(1))
        #expect(throws: CardError.wrongSignature) {
            try SignedCard(
                eventKey: signed.eventKey, text: signed.text.replacing("Lyon", with: "Nice"), signature: signed.signature)
        }
        #expect(throws: CardError.wrongSignature) {
            try SignedCard(eventKey: key(2).verifyingKey, text: signed.text, signature: signed.signature)
        }
        let theirs = SignedCard(card, by: key(2))
        #expect(throws: CardError.wrongSignature) {
            try SignedCard(eventKey: signed.eventKey, text: signed.text, signature: theirs.signature)
        }
    }

    @Test("a text that is too long is refused before its signature is checked")
    func oversized() {
        let text = "{" + String(repeating: " ", count: EventCard.byteCountMax) + "}"
        #expect(throws: CardError.tooLong) { try read(text, signedBy: key(1)) }
    }

    @Test(
        "a signed text that is no card is malformed",
        arguments: [
            "", "[]", "{}", "{\"version\":1}",
            #"{"version":2,"name":"A","revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"","revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A\u001b[2J","revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","revisedAt":1,"startsAt":2,"endsAt":1,"expiresAt":3}"#,
            #"{"version":1,"name":"A","revisedAt":1,"startsAt":1,"endsAt":9999999999,"expiresAt":3}"#,
            #"{"version":1,"name":"A","revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":99999999999999}"#,
            #"{"version":1,"name":"A","revisedAt":-1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","revisedAt":1.5,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","links":[{"kind":"x","address":"javascript:alert(1)"}],"revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","registration":"123456789","revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","price":{"cents":1,"currency":"euro"},"revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","position":{"latitude":90001,"longitude":0},"revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","position":{"latitude":1},"revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","position":[1,1],"revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","position":{"latitude":99999999999,"longitude":0},"revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"withdrawn":true,"position":{"latitude":1,"longitude":1},"revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","withdrawn":true,"revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","recentPhotos":100001,"revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","recentPeople":100001,"revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","recentPeople":99999999999,"revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"name":"A","recentPhotos":"5","revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
            #"{"version":1,"withdrawn":true,"recentPeople":1,"revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#,
        ])
    func malformed(_ text: String) {
        #expect(throws: CardError.malformed) { try read(text, signedBy: key(1)) }
    }

    @Test("parts of a later version are ignored, and a later kind of link is another link")
    func later() throws {
        let text =
            #"{"version":1,"name":"A","mood":"good","links":[{"kind":"holo","address":"https://a.b"}],"revisedAt":1,"startsAt":1,"endsAt":1,"expiresAt":1}"#
        #expect(try read(text, signedBy: key(1)).card.links.map(\.kind) == [.other])
    }

    @Test("a list keeps its valid cards and counts the others; no list is none")
    func lists() throws {
        let signed = SignedCard(card, by: key(1))
        let text = String(decoding: CardList([.init(signed)]).bytes, as: UTF8.self)
        let entry = String(text.dropFirst(#"{"cards":["#.count).dropLast(2))
        let list = try #require(
            CardList(Array(#"{"cards":[\#(entry),\#(entry.replacing("Lyon", with: "Nice"))]}"#.utf8)))
        #expect(list.entries.map(\.signed) == [signed] && list.refusedCount == 1)
        for bytes in ["", "null", "[]", "{\"cards\":{}}", "<html>"] { #expect(CardList(Array(bytes.utf8)) == nil) }
        #expect(CardList([UInt8](repeating: 0x20, count: CardList.byteCountMax + 1)) == nil)
    }
}
