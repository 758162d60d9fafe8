// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The map of the plan that this node serves (protocol/guest-api.md §12).
struct MapRoutes: Sendable {
    func add(to group: RouterGroup) {
        group.get("api/map", use: show)
        group.get("map/tiles/:zoom/:column/:row", use: tile)
    }

    private struct Message: Encodable {
        /// Null if this node serves no map of the present plan.
        let map: OrNull<MapMessage>
    }

    @Sendable private func show(_ request: Request, _ context: PortalContext) async throws -> Response {
        let gallery = try context.requireSession().gallery
        let map = await gallery.planMap()
        return try .json(Message(map: OrNull(map.map(MapMessage.init))))
    }

    @Sendable private func tile(_ request: Request, _ context: PortalContext) async throws -> Response {
        let gallery = try context.requireSession().gallery
        try context.requireEvent().gate.admitTile(from: context.addressKey)
        func number(_ name: String) -> UInt32? { context.parameters.get(name).flatMap { UInt32($0) } }
        guard let zoom = number("zoom"), let column = number("column"), let row = number("row"),
            let name = TileName(zoom: Int(zoom), column: column, row: row), let map = await gallery.planMap(),
            map.tiles != nil
        else { throw PortalError.notFound }
        let tag = "\"\(map.id)-\(zoom)-\(column)-\(row)\""
        // A page names the map that it knows, so that a browser keeps no tile of an earlier one.
        let isCurrent = request.uri.queryParameters["map"].map { String($0) } == map.id
        var headers: HTTPFields = [
            .eTag: tag, .cacheControl: isCurrent ? "private, max-age=86400" : "no-cache",
            .contentSecurityPolicy: PhotoAnswer.policy,
        ]
        if EntityTag.matches(request.headers[.ifNoneMatch], tag) {
            return Response(status: .notModified, headers: headers)
        }
        // Many places of a map have no tile. That is no error, and browsers report none.
        guard let tile = try await gallery.tile(name) else { return Response(status: .noContent, headers: headers) }
        headers[.contentType] = tile.mediaType.rawValue
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: tile.bytes)))
    }
}

/// The map as pages know it.
private struct MapMessage: Encodable {
    struct Point: Encodable {
        let x: UInt16
        let y: UInt16
        /// Degrees.
        let latitude: Double
        let longitude: Double
    }
    struct Tiles: Encodable {
        let zoomMin: Int
        let zoomMax: Int
        let attribution: String
    }
    let id: String
    let isPlanTile: Bool
    /// Two points of the plan.
    let points: [Point]
    let tiles: OrNull<Tiles>

    init(_ map: PlanMap) {
        id = map.id
        isPlanTile = map.isPlanTile
        points = map.points.map { point in
            Point(
                x: point.spot.x, y: point.spot.y, latitude: Double(point.position.latitude) / 1e6,
                longitude: Double(point.position.longitude) / 1e6)
        }
        tiles = OrNull(
            map.tiles.map {
                Tiles(zoomMin: $0.zooms.lowerBound, zoomMax: $0.zooms.upperBound, attribution: $0.attribution)
            })
    }
}
