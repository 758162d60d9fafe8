// SPDX-License-Identifier: Apache-2.0

// Values about the map that a node serves for the event's plan. They are in no operation: each node has its own map.

/// A place on the Earth that an organizer gives for a point of the plan: whole millionths of a degree of WGS 84, about
/// 0.1 m.
public struct MapPosition: Hashable, Sendable {
    /// Mercator's projection, as tiles use it, ends at this latitude.
    public static let latitudeMax: Int32 = 85_051_129
    public static let longitudeMax: Int32 = 180_000_000
    private static let degrees = DecimalDegrees(decimalCount: 6)

    /// Millionths of a degree, -`latitudeMax`...`latitudeMax`; north is positive.
    public let latitude: Int32
    /// Millionths of a degree, -`longitudeMax`...`longitudeMax`; east is positive.
    public let longitude: Int32

    /// Returns `nil` for a position that is not on the map of the Earth.
    public init?(latitude: Int32, longitude: Int32) {
        guard (-Self.latitudeMax...Self.latitudeMax).contains(latitude),
            (-Self.longitudeMax...Self.longitudeMax).contains(longitude)
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Reads degrees with a decimal point, the latitude first: `47.243012, 6.022114`. Further decimals are rounded.
    /// `nil` for any other text, and for a position that is not on the map of the Earth.
    public init?(written text: String) {
        guard let (latitude, longitude) = Self.degrees.pair(written: text) else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// Degrees with six decimals, the latitude first, as `init(written:)` reads them.
    public var written: String { Self.degrees.text(latitude: latitude, longitude: longitude) }
}

/// A point of the plan with its place on the Earth.
public struct MapPoint: Hashable, Sendable {
    public let spot: Spot
    public let position: MapPosition

    public init(spot: Spot, position: MapPosition) { (self.spot, self.position) = (spot, position) }
}

/// The name of a tile: at zoom 0 one tile shows the Earth, and each zoom doubles the columns and the rows.
public struct TileName: Hashable, Sendable {
    public static let zoomMax = 22

    /// 0...`zoomMax`.
    public let zoom: Int
    /// From the west, 0..<2^`zoom`.
    public let column: UInt32
    /// From the north, 0..<2^`zoom`.
    public let row: UInt32

    /// Returns `nil` for a name that no tile has.
    public init?(zoom: Int, column: UInt32, row: UInt32) {
        guard (0...Self.zoomMax).contains(zoom), column < UInt32(1) << UInt32(zoom), row < UInt32(1) << UInt32(zoom)
        else { return nil }
        (self.zoom, self.column, self.row) = (zoom, column, row)
    }
}

/// A tile's bytes, an image that browsers show.
public struct Tile: Equatable, Sendable {
    public let bytes: [UInt8]
    public let mediaType: MediaType

    /// Returns `nil` for bytes that do not begin as a PNG, JPEG or WebP does.
    public init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            mediaType = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            mediaType = .jpeg
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            mediaType = .webp
        } else {
            return nil
        }
        self.bytes = bytes
    }
}

/// The tiles of a map as pages know them.
public struct MapTiles: Equatable, Sendable {
    public let zooms: ClosedRange<Int>
    /// The source of the tiles, as their file names it; empty if it names none.
    public let attribution: String

    public init(zooms: ClosedRange<Int>, attribution: String) {
        (self.zooms, self.attribution) = (zooms, attribution)
    }
}

/// The map that a node serves for the event's plan.
public struct PlanMap: Equatable, Sendable {
    /// Another one after each change: 16 hexadecimal digits.
    public let id: String
    /// The plan to which the points belong.
    public let plan: PhotoID
    /// Two points of the plan, from which the places of all others follow.
    public let points: [MapPoint]
    /// `nil` for a plan with two points and without tiles.
    public let tiles: MapTiles?
    /// Whether the plan is itself a tile of the map, so that the other tiles cover it.
    public let isPlanTile: Bool

    public init(id: String, plan: PhotoID, points: [MapPoint], tiles: MapTiles?, isPlanTile: Bool) {
        self.id = id
        self.plan = plan
        self.points = points
        self.tiles = tiles
        self.isPlanTile = isPlanTile
    }
}
