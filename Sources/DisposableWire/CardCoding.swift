// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableValues
internal import Foundation

/// The reason for which a card is refused.
public enum CardError: Error, Equatable, Sendable {
    /// No JSON of this shape, or a part that is not in its range.
    case malformed
    case tooLong
    case wrongSignature
}

extension SignedCard {
    /// Writes and signs a card.
    public init(_ card: EventCard, by eventKey: SigningKey) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Numbers and texts always have a form in JSON.
        let text = (try? encoder.encode(CardMessage(card))).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        let key = eventKey.verifyingKey
        self.init(
            eventKey: key, text: text, signature: eventKey.signature(for: Self.signedBytes(text, of: key)), card: card)
    }

    /// Reads a card of a stranger and checks it. The signature is compared before anything is decoded.
    public init(eventKey: VerifyingKey, text: String, signature: Signature) throws(CardError) {
        guard text.utf8.count <= EventCard.byteCountMax else { throw .tooLong }
        guard eventKey.isValid(signature, for: Self.signedBytes(text, of: eventKey)) else { throw .wrongSignature }
        guard let message = try? JSONDecoder().decode(CardMessage.self, from: Data(JSONNesting.checked(text.utf8))),
            message.version == 1,
            let card = EventCard(message), card.isWellFormed
        else { throw .malformed }
        self.init(eventKey: eventKey, text: text, signature: signature, card: card)
    }

    private static func signedBytes(_ text: String, of eventKey: VerifyingKey) -> [UInt8] {
        Domain.eventCard + EventID(key: eventKey).bytes + Array(text.utf8)
    }
}

/// The text of a card. Absent parts are empty.
private struct CardMessage: Codable {
    struct PriceMessage: Codable {
        let cents: UInt32
        let currency: String
    }
    struct LinkMessage: Codable {
        let kind: String
        let address: String
    }
    struct PositionMessage: Codable {
        let latitude: Int32
        let longitude: Int32
    }
    let version: Int
    let revisedAt: UInt64
    let startsAt: UInt64
    let endsAt: UInt64
    let expiresAt: UInt64
    let withdrawn: Bool?
    let name: String?
    let category: String?
    let place: String?
    let position: PositionMessage?
    let price: PriceMessage?
    let links: [LinkMessage]?
    let details: String?
    let organizer: String?
    let contact: String?
    let registration: String?
    let recentPhotos: UInt32?
    let recentPeople: UInt32?

    init(_ card: EventCard) {
        func orNil(_ text: String) -> String? { text.isEmpty ? nil : text }
        version = 1
        revisedAt = card.revisedAtMilliseconds
        startsAt = card.startsAtMilliseconds
        endsAt = card.endsAtMilliseconds
        expiresAt = card.expiresAtMilliseconds
        withdrawn = card.isWithdrawn ? true : nil
        name = orNil(card.name)
        category = orNil(card.category)
        place = orNil(card.place)
        position = card.position.map { PositionMessage(latitude: $0.latitude, longitude: $0.longitude) }
        price = card.price.map { PriceMessage(cents: $0.cents, currency: $0.currency) }
        links = card.links.isEmpty ? nil : card.links.map { LinkMessage(kind: "\($0.kind)", address: $0.address) }
        details = orNil(card.details)
        organizer = orNil(card.organizer)
        contact = orNil(card.contact)
        registration = orNil(card.registration)
        recentPhotos = card.activity.photoCount == 0 ? nil : card.activity.photoCount
        recentPeople = card.activity.personCount == 0 ? nil : card.activity.personCount
    }
}

extension EventCard {
    fileprivate init?(_ message: CardMessage) {
        self.init(
            name: message.name ?? "", startsAtMilliseconds: message.startsAt, endsAtMilliseconds: message.endsAt,
            expiresAtMilliseconds: message.expiresAt, revisedAtMilliseconds: message.revisedAt)
        isWithdrawn = message.withdrawn ?? false
        category = message.category ?? ""
        place = message.place ?? ""
        position = message.position.map { EventPosition(latitude: $0.latitude, longitude: $0.longitude) }
        price = message.price.map { Price(cents: $0.cents, currency: $0.currency) }
        links = (message.links ?? []).map { link in
            EventLink(kind: EventLink.Kind.allCases.first { "\($0)" == link.kind } ?? .other, address: link.address)
        }
        details = message.details ?? ""
        organizer = message.organizer ?? ""
        contact = message.contact ?? ""
        registration = message.registration ?? ""
        activity = RecentActivity(photoCount: message.recentPhotos ?? 0, personCount: message.recentPeople ?? 0)
    }
}

/// Several cards: the answer to `GET /api/cards`, and the file in which a node keeps those of other nodes.
public struct CardList: Sendable {
    /// The limit on the answer.
    public static let byteCountMax = 4 << 20

    public struct Entry: Sendable, Equatable {
        public let signed: SignedCard
        /// In a file: the node that has brought it, and when it was seen.
        public var source: String?
        public var seenAtMilliseconds: UInt64?

        public init(_ signed: SignedCard, source: String? = nil, seenAt: UInt64? = nil) {
            self.signed = signed
            self.source = source
            seenAtMilliseconds = seenAt
        }
    }

    private struct ListMessage: Codable {
        struct EntryMessage: Codable {
            let key: String
            let card: String
            let signature: String
            let source: String?
            let seenAt: UInt64?
        }
        let cards: [EntryMessage]
        let here: [String]?
    }

    public let entries: [Entry]
    /// The events that have their pages at the address that was asked.
    public let here: Set<EventID>
    /// The cards that were left out because something is wrong with them.
    public private(set) var refusedCount = 0

    public init(_ entries: [Entry], here: Set<EventID> = []) {
        self.entries = entries
        self.here = here
    }

    /// Reads a list; the valid ones of the first 600 cards. `nil` if it is no list.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.byteCountMax,
            let message = try? JSONDecoder().decode(ListMessage.self, from: Data(JSONNesting.checked(bytes)))
        else { return nil }
        entries = message.cards.prefix(2 * Board.cardCountMax).compactMap { entry in
            guard let key = Bytes32(hex: entry.key), let bytes = [UInt8](hex: entry.signature),
                let signature = Signature(bytes),
                let signed = try? SignedCard(
                    eventKey: VerifyingKey(key), text: entry.card, signature: signature)
            else { return nil }
            return Entry(signed, source: entry.source, seenAt: entry.seenAt)
        }
        here = Set((message.here ?? []).prefix(Board.cardCountMax).compactMap { EventID(hex: $0) })
        refusedCount = message.cards.count - entries.count
    }

    public var bytes: [UInt8] {
        let message = ListMessage(
            cards: entries.map { entry in
                ListMessage.EntryMessage(
                    key: entry.signed.eventKey.description, card: entry.signed.text,
                    signature: entry.signed.signature.bytes.hex, source: entry.source,
                    seenAt: entry.seenAtMilliseconds)
            }, here: here.isEmpty ? nil : here.sorted().map(\.description))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8]((try? encoder.encode(message)) ?? Data())
    }
}
