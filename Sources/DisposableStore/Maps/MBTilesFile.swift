// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableModel
internal import Foundation
internal import GRDB

/// Tiles in an MBTiles file: an SQLite database, opened for reading. Only ordinary tables without computed columns are
/// read, by an index, and each query has a limit in time.
final class MBTilesFile: TileSource {
    static let patience = 3.0
    private static let metadataByteCountMax = 4_096

    let zooms: ClosedRange<Int>
    let area: MapArea?
    let attribution: String
    private let reader: MBTilesReader

    init(_ path: String) throws(TileFileError) {
        reader = try MBTilesReader(path)
        let tables = reader.tables
        (zooms, area, attribution) = try reader.read { db in
            // A virtual table, a view or a computed column could run code of the file's choice.
            for (table, columns) in tables.columns { try Self.check(table, columns, db) }
            try Self.checkIndex(tables, db)
            let zooms = try Self.zooms(tables, db)
            let metadata = try Self.metadata(db)
            let area = try Self.area(metadata["bounds"]) ?? Self.area(at: zooms.lowerBound, tables, db)
            let first = try Row.fetchOne(
                db, sql: "SELECT tile_column, tile_row FROM \(tables.index) WHERE zoom_level = ? LIMIT 1",
                arguments: [zooms.lowerBound])
            guard let place = first, let column = Self.integer(place, "tile_column"),
                let row = Self.integer(place, "tile_row")
            else { throw TileFileError.noTiles }
            guard let bytes = try tables.bytes(zooms.lowerBound, column, row, db), Tile(bytes) != nil else {
                throw TileFileError.noImages(format: metadata["format"] == "pbf" ? "vector tiles" : "of another format")
            }
            return (zooms, area, metadata["attribution"] ?? "")
        }
    }

    func bytes(of name: TileName) throws(TileFileError) -> [UInt8]? {
        // The rows of the format begin in the south.
        let row = Int64((UInt32(1) << UInt32(name.zoom)) - 1 - name.row)
        let tables = reader.tables
        return try reader.read { db in try tables.bytes(name.zoom, Int64(name.column), row, db) }
    }

    private static func check(_ table: String, _ columns: Set<String>, _ db: Database) throws {
        let isOrdinary = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM sqlite_schema WHERE name = ? AND type = 'table' AND rootpage > 0",
            arguments: [table])
        guard isOrdinary == 1 else { throw TileFileError.malformed("it has no table \(table)") }
        // Columns that are computed have another value in `hidden`.
        let plain = try String.fetchSet(
            db, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", arguments: [table])
        guard columns.isSubset(of: plain) else {
            throw TileFileError.malformed("its table \(table) lacks a column")
        }
    }

    private static func checkIndex(_ tables: MBTilesTables, _ db: Database) throws {
        let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(tables.query)", arguments: [0, 0, 0])
        for step in plan {
            let text: String = step["detail"]
            guard !text.contains("SCAN"), !text.contains("AUTOMATIC") else { throw TileFileError.noIndex }
        }
    }

    private static func zooms(_ tables: MBTilesTables, _ db: Database) throws -> ClosedRange<Int> {
        guard let least = try Int.fetchOne(db, sql: "SELECT min(zoom_level) FROM \(tables.index)"), least >= 0,
            let most = try Int.fetchOne(
                db, sql: "SELECT max(zoom_level) FROM \(tables.index) WHERE zoom_level <= ?",
                arguments: [TileName.zoomMax]), least <= most
        else { throw TileFileError.noTiles }
        return least...most
    }

    /// The values that are read of the metadata, by their names; none if there is no such table.
    private static func metadata(_ db: Database) throws -> [String: String] {
        do { try check("metadata", ["name", "value"], db) } catch is TileFileError { return [:] }
        var metadata: [String: String] = [:]
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT name, value FROM metadata WHERE name IN ('format', 'bounds', 'attribution') "
                + "AND length(value) <= ? LIMIT 16", arguments: [metadataByteCountMax])
        for row in rows {
            let (name, value): (DatabaseValue, DatabaseValue) = (row["name"], row["value"])
            if let name = String.fromDatabaseValue(name) { metadata[name] = String.fromDatabaseValue(value) }
        }
        return metadata
    }

    private static func area(_ text: String?) -> MapArea? {
        let numbers = text?.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) } ?? []
        guard numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
            let north = numbers[3]
        else { return nil }
        return MapArea(west: west, south: south, east: east, north: north)
    }

    /// The area of a file that names none: that of its tiles at the smallest zoom.
    private static func area(at zoom: Int, _ tables: MBTilesTables, _ db: Database) throws -> MapArea? {
        guard
            let row = try Row.fetchOne(
                db,
                sql: "SELECT min(tile_column) AS west, max(tile_column) AS east, min(tile_row) AS south, "
                    + "max(tile_row) AS north FROM \(tables.index) WHERE zoom_level = ?", arguments: [zoom]),
            let west = integer(row, "west"), let east = integer(row, "east"), let south = integer(row, "south"),
            let north = integer(row, "north")
        else { return nil }
        let last = (Int64(1) << Int64(zoom)) - 1
        guard (0...last).contains(north), (0...last).contains(south),
            let first = tile(zoom, west, last - north), let second = tile(zoom, east, last - south)
        else { return nil }
        let (from, to) = (first.corners[0].position, second.corners[1].position)
        return MapArea(
            west: Double(from.longitude) / 1e6, south: Double(to.latitude) / 1e6, east: Double(to.longitude) / 1e6,
            north: Double(from.latitude) / 1e6)
    }

    /// Returns `nil` for a value of another type: the columns of SQLite take any.
    private static func integer(_ row: Row, _ column: String) -> Int64? {
        let value: DatabaseValue = row[column]
        return Int64.fromDatabaseValue(value)
    }

    private static func tile(_ zoom: Int, _ column: Int64, _ row: Int64) -> TileName? {
        guard let column = UInt32(exactly: column), let row = UInt32(exactly: row) else { return nil }
        return TileName(zoom: zoom, column: column, row: row)
    }
}

/// The tables of an MBTiles file: one with all, or, where equal tiles are stored once, two of which `tiles` is a view.
struct MBTilesTables: Sendable {
    let isSplit: Bool

    /// The table with the places of the tiles.
    var index: String { isSplit ? "map" : "tiles" }

    var columns: [String: Set<String>] {
        isSplit
            ? ["map": ["zoom_level", "tile_column", "tile_row", "tile_id"], "images": ["tile_id", "tile_data"]]
            : ["tiles": ["zoom_level", "tile_column", "tile_row", "tile_data"]]
    }

    /// A tile's bytes by zoom, column and row; an integer if there are too many.
    var query: String {
        let data =
            "CASE WHEN length(tile_data) <= \(TileFile.tileByteCountMax) THEN tile_data ELSE 1 END AS tile_data"
        let from = isSplit ? "map JOIN images ON images.tile_id = map.tile_id" : "tiles"
        return "SELECT \(data) FROM \(from) WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1"
    }

    func bytes(_ zoom: Int, _ column: Int64, _ row: Int64, _ db: Database) throws -> [UInt8]? {
        let arguments: StatementArguments = [zoom, column, row]
        guard let found = try Row.fetchOne(db, sql: query, arguments: arguments) else { return nil }
        let value: DatabaseValue = found["tile_data"]
        switch value.storage {
        case .blob(let data): return [UInt8](data)
        case .int64: throw TileFileError.tileByteCount(limit: TileFile.tileByteCountMax)
        case .null: return nil
        default: throw TileFileError.malformed("a tile is no data")
        }
    }
}

/// The open database, with a limit in time for each use.
private final class MBTilesReader: Sendable {
    let tables: MBTilesTables
    private let queue: DatabaseQueue

    init(_ path: String) throws(TileFileError) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA trusted_schema = OFF;
                    PRAGMA cell_size_check = ON;
                    PRAGMA mmap_size = 0;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA cache_size = -4000;
                    """)
        }
        do { queue = try DatabaseQueue(path: path, configuration: configuration) } catch {
            throw Self.error(error)
        }
        let isView = try Self.read(queue) { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema WHERE name = 'tiles' AND type = 'view'")
        }
        tables = MBTilesTables(isSplit: (isView ?? 0) > 0)
    }

    func read<Result>(_ body: (Database) throws -> Result) throws(TileFileError) -> Result {
        try Self.read(queue, body)
    }

    private static func read<Result>(
        _ queue: DatabaseQueue, _ body: (Database) throws -> Result
    ) throws(TileFileError) -> Result {
        let watch = DispatchWorkItem { queue.interrupt() }
        DispatchQueue.global().asyncAfter(deadline: .now() + MBTilesFile.patience, execute: watch)
        defer { watch.cancel() }
        do { return try queue.read(body) } catch { throw Self.error(error) }
    }

    private static func error(_ error: any Error) -> TileFileError {
        switch error {
        case let error as TileFileError: error
        case let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT: .slow
        case let error as DatabaseError
        where [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode):
            .malformed(error.message ?? "no message")
        case is RowDecodingError: .malformed("a value has another type than its column")
        default: .storage("\(error)")
        }
    }
}
