// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWeb
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The board of listed events: for everybody, without a session (protocol/guest-api.md §11).
struct BoardRoutes: Sendable {
    let board: any BoardSource
    let words: BoardWords

    func add(to router: RouterGroup) {
        router.get("api/cards", use: cards)
        router.get("api/board", use: list)
        router.get("api/board/:event") { _, context in
            let name = context.parameters.get("event") ?? ""
            guard name.hasSuffix(".ics") else { return try await details(of: name) }
            return try await calendarFile(of: String(name.dropLast(4)))
        }
    }

    private struct ListMessage: Encodable {
        let events: [RowMessage]
        /// All events of the board, found or not, by category.
        let categories: [String: Int]
        let count: Int
    }

    /// An event in the list.
    struct RowMessage: Encodable {
        struct Recent: Encodable {
            let photos: UInt32
            let people: UInt32
        }
        /// Thousandths of a degree.
        struct Position: Encodable {
            let latitude: Int32
            let longitude: Int32
        }

        let id: String
        let name: String
        /// A word of `EventCategory`.
        let category: OrNull<String>
        /// The organizer's own word for a category that is none of these.
        let label: OrNull<String>
        let place: OrNull<String>
        let position: OrNull<Position>
        let organizer: OrNull<String>
        let startsAt: UInt64
        let endsAt: UInt64
        let phase: String
        let isReachable: Bool
        let isOwn: Bool
        /// Whether another event has the same name.
        let isAmbiguous: Bool
        /// Rounded numbers of the last hour.
        let recent: OrNull<Recent>
        /// Null until they are computed.
        let words: OrNull<[String]>

        init(_ row: BoardRow, isAmbiguous: Bool, words: [String]?) {
            func text(_ value: String) -> OrNull<String> { OrNull(value.isEmpty ? nil : value) }
            id = row.event.description
            name = row.card.name
            category = OrNull(row.category?.rawValue)
            label = OrNull(row.category == .other && row.card.category.lowercased() != "other" ? row.card.category : nil)
            place = text(row.card.place)
            position = OrNull(row.card.position.map { Position(latitude: $0.latitude, longitude: $0.longitude) })
            organizer = text(row.card.organizer)
            (startsAt, endsAt) = (row.card.startsAtMilliseconds, row.card.endsAtMilliseconds)
            phase = "\(row.phase)"
            (isReachable, isOwn, self.isAmbiguous) = (row.isReachable, row.isOwn, isAmbiguous)
            let activity = row.activity
            recent = OrNull(
                activity == .none ? nil : Recent(photos: activity.photoCount, people: activity.personCount))
            self.words = OrNull(words)
        }
    }

    private struct DetailsMessage: Encodable {
        struct Link: Encodable {
            let kind: String
            let address: String
        }
        let event: RowMessage
        let details: OrNull<String>
        let contact: OrNull<String>
        let registration: OrNull<String>
        let price: OrNull<AboutMessage.Price>
        let links: [Link]
        /// Addresses of the event's pages: the path on this node, or addresses of others.
        let pages: [String]
        /// When it was last seen here.
        let seenAt: UInt64
        let revisedAt: UInt64
    }

    @Sendable private func list(_ request: Request, _ context: PortalContext) async throws -> Response {
        let query = request.uri.queryParameters
        let search = query["q"].map(String.init) ?? ""
        guard search.utf8.count <= [BoardRow].searchByteCountMax else {
            throw PortalError.malformed("q has at most \([BoardRow].searchByteCountMax) bytes")
        }
        let category = try query["category"].map { text in
            guard let category = EventCategory(rawValue: String(text)) else {
                throw PortalError.malformed(
                    "category is one of \(EventCategory.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return category
        }
        let order = try query["sort"].map { text in
            guard let order = BoardOrder(rawValue: String(text)) else {
                throw PortalError.malformed(
                    "sort is one of \(BoardOrder.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return order
        }
        let all = await board.rows()
        let (ambiguous, words) = (all.ambiguous, await words.known(of: all.map(\.eventKey)))
        let found = all.matching(search, category: category).sorted(order ?? .near).prefix(Board.cardCountMax)
        return try .json(
            ListMessage(
                events: found.map { row in
                    RowMessage(row, isAmbiguous: ambiguous.contains(row.event), words: words[row.eventKey])
                },
                categories: Dictionary(grouping: all.compactMap(\.category), by: \.rawValue).mapValues(\.count),
                count: all.count))
    }

    private func details(of name: String) async throws -> Response {
        let (row, isAmbiguous) = try await row(of: name)
        let card = row.card
        func text(_ value: String) -> OrNull<String> { OrNull(value.isEmpty ? nil : value) }
        var pages: [String] = []
        if row.isOwn, row.isReachable { pages.append("/e/\(row.event.short)/") }
        pages += row.pages.map { "http://\($0)/e/\(row.event.short)/" }
        return try .json(
            DetailsMessage(
                event: RowMessage(row, isAmbiguous: isAmbiguous, words: await words.words(of: row.eventKey)),
                details: text(card.details), contact: text(card.contact), registration: text(card.registration),
                price: OrNull(card.price.map { .init(cents: $0.cents, currency: $0.currency) }),
                links: card.links.map { .init(kind: "\($0.kind)", address: $0.address) }, pages: pages,
                seenAt: row.seenAtMilliseconds, revisedAt: card.revisedAtMilliseconds))
    }

    private func calendarFile(of name: String) async throws -> Response {
        let (row, _) = try await row(of: name)
        let file = CalendarFile(event: row.event, card: row.card)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/calendar; charset=utf-8", .cacheControl: "no-cache",
                .contentDisposition: "attachment; filename=\"\(row.event.short).ics\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: file.text)))
    }

    private func row(of name: String) async throws -> (row: BoardRow, isAmbiguous: Bool) {
        guard let event = EventID(hex: name) else { throw PortalError.unknownEvent }
        let all = await board.rows()
        guard let row = all.first(where: { $0.event == event }) else { throw PortalError.unknownEvent }
        return (row, all.ambiguous.contains(event))
    }

    /// For other nodes, which ask once a minute.
    @Sendable private func cards(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (bytes, tag) = await board.cards()
        let headers: HTTPFields = [.eTag: tag, .cacheControl: "no-cache"]
        guard !EntityTag.matches(request.headers[.ifNoneMatch], tag) else {
            return Response(status: .notModified, headers: headers)
        }
        var response = Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        response.headers[.contentType] = "application/json"
        return response
    }
}
