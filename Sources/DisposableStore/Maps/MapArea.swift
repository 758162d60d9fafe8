// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import Foundation

/// A part of the Earth in Mercator's projection. Degrees; a file's values are limited to the Earth.
struct MapArea: Equatable, Sendable {
    let west: Double
    let south: Double
    let east: Double
    let north: Double

    /// Returns `nil` for numbers that are no area.
    init?(west: Double, south: Double, east: Double, north: Double) {
        let (latitudes, longitudes) = (-85.051_128...85.051_128, -180.0...180.0)
        func limited(_ value: Double, _ range: ClosedRange<Double>) -> Double {
            min(max(value, range.lowerBound), range.upperBound)
        }
        guard [west, south, east, north].allSatisfy(\.isFinite), west <= east, south <= north else { return nil }
        self.west = limited(west, longitudes)
        self.south = limited(south, latitudes)
        self.east = limited(east, longitudes)
        self.north = limited(north, latitudes)
    }

    /// Returns the one tile of the zoom that shows the whole area, `nil` if it takes several.
    func tile(at zoom: Int) -> TileName? {
        guard let column = Self.column(of: west, east, at: zoom), let row = Self.row(of: north, south, at: zoom) else {
            return nil
        }
        return TileName(zoom: zoom, column: column, row: row)
    }

    private static func column(of west: Double, _ east: Double, at zoom: Int) -> UInt32? {
        same((west + 180) / 360, (east + 180) / 360, at: zoom)
    }

    private static func row(of north: Double, _ south: Double, at zoom: Int) -> UInt32? {
        func part(_ latitude: Double) -> Double {
            (1 - asinh(tan(latitude * .pi / 180)) / .pi) / 2
        }
        return same(part(north), part(south), at: zoom)
    }

    /// The tile of two places between 0 and 1. An area that ends exactly at an edge does not reach the next tile.
    private static func same(_ from: Double, _ to: Double, at zoom: Int) -> UInt32? {
        let count = Double(UInt32(1) << UInt32(zoom))
        let edge = 1e-7
        let (first, last) = ((from + edge) * count, (to - edge) * count)
        let tile = min(max(first.rounded(.down), 0), count - 1)
        guard last < tile + 1 else { return nil }
        return UInt32(tile)
    }
}

extension TileName {
    /// The places of the tile's corners: north-west and south-east.
    public var corners: [MapPoint] {
        let count = Double(UInt32(1) << UInt32(zoom))
        func position(_ column: UInt32, _ row: UInt32) -> MapPosition {
            let latitude = atan(sinh(.pi * (1 - 2 * Double(row) / count))) * 180 / .pi
            let longitude = Double(column) / count * 360 - 180
            let (down, across) = (Int32((latitude * 1e6).rounded()), Int32((longitude * 1e6).rounded()))
            return MapPosition(latitude: down, longitude: across)!  // the corners of a tile are on the map
        }
        return [
            MapPoint(spot: Spot(x: 0, y: 0), position: position(column, row)),
            MapPoint(spot: Spot(x: .max, y: .max), position: position(column + 1, row + 1)),
        ]
    }
}
