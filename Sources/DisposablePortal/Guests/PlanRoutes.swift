// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// The event's cover and plan, and the photos on the plan (protocol/guest-api.md §12).
struct PlanRoutes: Sendable {
    let limits: PortalLimits

    func add(to group: RouterGroup) {
        group.get("api/spots", use: list)
        group.put("api/photos/:id/spot", use: place)
        group.delete("api/photos/:id/spot", use: takeOff)
    }

    private struct SpotsMessage: Encodable {
        struct Pin: Encodable {
            let photo: String
            let author: String
            let authorName: OrNull<String>
            let x: UInt16
            let y: UInt16
            /// Degrees, clockwise.
            let turn: Int
        }
        /// Null if the event has no plan.
        let plan: OrNull<PictureMessage>
        let spots: [Pin]
        /// All of the part of the plan, listed or not.
        let count: Int
    }

    @Sendable private func list(_ request: Request, _ context: PortalContext) async throws -> Response {
        let gallery = try context.requireSession().gallery
        let query = request.uri.queryParameters
        let box = try query["box"].map(Self.box) ?? .all
        let author = try query["author"].map { text in
            guard let author = AuthorID(hex: text) else { throw PortalError.malformed("author is an author's key") }
            return author
        }
        let page = try await gallery.pins(
            in: box, by: author, added: try Self.times(query["from"], query["to"]), limit: limits.answers.pinCountMax)
        let turns = try await gallery.turns(of: page.pins.map(\.photo))
        return try .json(
            SpotsMessage(
                plan: OrNull(await gallery.pictures().plan.map(PictureMessage.init)),
                spots: page.pins.map {
                    .init(
                        photo: $0.photo.description, author: $0.author.description, authorName: OrNull($0.authorName),
                        x: $0.spot.x, y: $0.spot.y, turn: turns[$0.photo, default: .none].degrees)
                }, count: page.totalCount))
    }

    /// Left, top, right and bottom edge.
    private static func box(_ text: some StringProtocol) throws -> SpotBox {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let edges = parts.compactMap { UInt16($0) }
        guard parts.count == 4, edges.count == 4, edges[0] <= edges[2], edges[1] <= edges[3] else {
            throw PortalError.malformed("box is left,top,right,bottom, four numbers from 0 to 65535")
        }
        return SpotBox(from: Spot(x: edges[0], y: edges[1]), to: Spot(x: edges[2], y: edges[3]))
    }

    /// Both or neither, in milliseconds since 1970; the end is not included.
    private static func times(_ from: Substring?, _ to: Substring?) throws -> Range<UInt64>? {
        guard from != nil || to != nil else { return nil }
        guard let from = from.flatMap({ UInt64($0) }), let to = to.flatMap({ UInt64($0) }), from <= to else {
            throw PortalError.malformed("from and to are milliseconds since 1970, from not after to")
        }
        return from..<to
    }

    private struct PlaceMessage: Decodable {
        let x: UInt16
        let y: UInt16
        /// The plan that the guest saw.
        let plan: String
    }

    @Sendable private func place(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(PlaceMessage.self, limits: limits)
        guard let plan = PhotoID(hex: message.plan) else { throw PortalError.malformed("plan is a photo's id") }
        return try await set(Spot(x: message.x, y: message.y), on: plan, context)
    }

    @Sendable private func takeOff(_ request: Request, _ context: PortalContext) async throws -> Response {
        try await set(nil, on: nil, context)
    }

    private func set(_ spot: Spot?, on plan: PhotoID?, _ context: PortalContext) async throws -> Response {
        let photo = try context.photo()
        let (session, guest) = try await context.requireActingGuest()
        try context.requireEvent().gate.admitRemark(by: guest)
        try await context.stating(by: guest) {
            try await session.gallery.setSpot(spot, on: plan, of: photo, by: guest)
        }
        return Response(status: .noContent)
    }
}

/// A picture of the event in `api/me` and `api/spots`.
struct PictureMessage: Encodable, Sendable {
    let photo: String
    let width: UInt32
    let height: UInt32

    init(_ picture: ShownPicture) {
        (photo, width, height) = (picture.photo.description, picture.width, picture.height)
    }
}
