// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableStore
import Foundation
import GRDB
import Testing

@Suite("The tiles of a map's file") struct TileFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/map" }

    init() throws { folder = try TemporaryFolder() }

    private func file(_ maker: PMTilesMaker) throws -> TileFile {
        try Data(maker.bytes).write(to: URL(fileURLWithPath: path))
        return try TileFile(path)
    }

    private func file(_ sql: String, _ fill: (Database) throws -> Void = { _ in }) throws -> TileFile {
        try? FileManager.default.removeItem(atPath: path)
        try MBTilesMaker.make(path, sql, fill)
        return try TileFile(path)
    }

    private func name(_ zoom: Int, _ column: UInt32, _ row: UInt32) throws -> TileName {
        try #require(TileName(zoom: zoom, column: column, row: row))
    }

    private func error(_ body: () throws -> Void) -> TileFileError? {
        do { try body() } catch {
            let typed = error as? TileFileError
            if typed == nil { Issue.record("an error of another type: \(error)") }
            return typed
        }
        return nil
    }

    // PMTiles

    /// The tiles 0/0/0, 1/0/0 to 1/1/0 with equal bytes, and 12/3423/1763, which the description of the format numbers.
    private func pmtiles(isCompressed: Bool = false, hasLeaf: Bool = false) -> PMTilesMaker {
        var maker = PMTilesMaker(isCompressed: isCompressed)
        maker.contents = TestTile.png(0) + TestTile.png(1) + TestTile.png(2)
        let entries: [PMTilesMaker.Entry] = [
            .init(id: 0, length: 9, offset: 0), .init(id: 1, runLength: 4, length: 9),
            .init(id: 19_078_479, length: 9, offset: 18),
        ]
        if hasLeaf {
            maker.leaves = [entries]
            maker.root = [.init(id: 0, runLength: 0, length: maker.leafPlaces[0].length, offset: 0)]
        } else {
            maker.root = entries
        }
        return maker
    }

    @Test(
        "PMTiles: a tile is found by its place, also through a leaf and with gzip, and none where there is none",
        arguments: [(false, false), (false, true), (true, false), (true, true)])
    func pmtilesFound(isCompressed: Bool, hasLeaf: Bool) throws {
        let file = try file(pmtiles(isCompressed: isCompressed, hasLeaf: hasLeaf))
        #expect(try file.tile(name(0, 0, 0))?.bytes == TestTile.png(0))
        for place: (UInt32, UInt32) in [(0, 0), (0, 1), (1, 1), (1, 0)] {
            #expect(try file.tile(name(1, place.0, place.1))?.bytes == TestTile.png(1))
        }
        #expect(try file.tile(name(12, 3_423, 1_763))?.bytes == TestTile.png(2))
        #expect(try file.tile(name(12, 3_423, 1_764)) == nil)
        #expect(try file.tile(name(2, 0, 0)) == nil)
        #expect(try file.tile(name(13, 0, 0)) == nil, "beyond the zooms of the file")
        #expect(file.tiles == MapTiles(zooms: 0...12, attribution: "© Mapmakers"))
    }

    @Test("the nearest tile that shows all of the area covers it")
    func covering() throws {
        var maker = pmtiles()
        // A hundredth of a degree from 6 degrees east, 47 north: one tile at zoom 1, (1, 0).
        #expect(try file(maker).coveringTile()?.name == name(1, 1, 0))
        // On both sides of Greenwich only the tile of the whole Earth.
        maker.bounds = [-1_000_000, 470_000_000, 1_000_000, 470_100_000]
        #expect(try file(maker).coveringTile()?.name == name(0, 0, 0))
        maker.zooms = (1, 12)
        #expect(try file(maker).coveringTile() == nil)
    }

    @Test("PMTiles: a malformed file has a typed error")
    func pmtilesMalformed() throws {
        func opening(_ change: (inout PMTilesMaker) -> Void) -> TileFileError? {
            var maker = pmtiles()
            change(&maker)
            return error { _ = try file(maker) }
        }
        func reading(_ change: (inout PMTilesMaker) -> Void) -> TileFileError? {
            var maker = pmtiles()
            change(&maker)
            return error { _ = try file(maker).tile(name(0, 0, 0)) }
        }
        func isMalformed(_ error: TileFileError?) -> Bool { if case .malformed = error { true } else { false } }

        #expect(opening { $0.version = 2 } == .otherVersion(2))
        #expect(opening { $0.internalCompression = 3 } == .compression(3))
        #expect(opening { $0.tileCompression = 2 } == .compression(2))
        #expect(opening { $0.tileType = 1 } == .noImages(format: "vector tiles"))
        #expect(opening { $0.zooms = (5, 4) } == .noTiles)
        #expect(opening { $0.root = [] } == .noTiles)
        // A number of entries beyond the bytes, a number of ten bytes or more, an end in the middle.
        #expect(isMalformed(opening { $0.rawRoot = PMTilesMaker.varint(60_000) + [1, 1, 1, 1] }))
        #expect(isMalformed(opening { $0.rawRoot = PMTilesMaker.varint(.max) }))
        #expect(isMalformed(opening { $0.rawRoot = [UInt8](repeating: 0xFF, count: 40) }))
        #expect(isMalformed(opening { $0.rawRoot = [1, 0, 1] }))
        #expect(isMalformed(opening { $0.root[0].offset = nil }))
        #expect(isMalformed(opening { $0.root[1].id = 0 }), "two entries for one tile")
        #expect(isMalformed(opening { $0.root[0].length = 0 }))
        #expect(isMalformed(opening { $0.internalCompression = 2 }), "no gzip")
        #expect(isMalformed(reading { $0.root[0].offset = 30 }), "a tile beyond the file")
        #expect(isMalformed(reading { $0.root[0].offset = .max - 1 }), "an end that overflows")
        #expect(reading { $0.root[0].length = 2 << 20 } == .tileByteCount(limit: TileFile.tileByteCountMax))
        #expect(
            isMalformed(
                reading {
                    // A leaf that names itself.
                    let entry = PMTilesMaker.Entry(id: 0, runLength: 0, length: 5, offset: 0)
                    ($0.leaves, $0.root) = ([[entry]], [entry])
                }))
        #expect(
            reading { $0.contents = [UInt8](repeating: 7, count: 27) } == .noImages(format: "something else"))
        try Data(pmtiles().bytes.prefix(100)).write(to: URL(fileURLWithPath: path))
        #expect(isMalformed(error { _ = try TileFile(path) }))
    }

    @Test("PMTiles: a directory that is small until it is decompressed is refused")
    func bomb() throws {
        let zeros = folder.path + "/zeros"
        try Data(count: 64 << 20).write(to: URL(fileURLWithPath: zeros))
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
        gzip.arguments = ["-9", zeros]
        try gzip.run()
        gzip.waitUntilExit()
        var maker = pmtiles()
        maker.rawRoot = try folder.bytes(at: zeros + ".gz")
        maker.internalCompression = 2
        #expect(error { _ = try file(maker) } == .malformed("a directory or its metadata cannot be decompressed"))
    }

    // MBTiles

    private func fill(_ db: Database) throws {
        try MBTilesMaker.insert(1, 1, 1, TestTile.png(0), db)
        try MBTilesMaker.insert(3, 4, 5, TestTile.png(1), db)
        try MBTilesMaker.describe(
            ["format": "png", "bounds": "6.0,47.0,6.01,47.01", "attribution": "Town\n of <b>Besançon</b>"], db)
    }

    @Test("MBTiles: a tile is found by its place, whose rows the file counts from the south")
    func mbtiles() throws {
        let file = try file(MBTilesMaker.tables, fill)
        #expect(try file.tile(name(1, 1, 0))?.bytes == TestTile.png(0))
        #expect(try file.tile(name(3, 4, 2))?.bytes == TestTile.png(1))
        #expect(try file.tile(name(3, 4, 5)) == nil)
        #expect(try file.tile(name(2, 0, 0)) == nil)
        #expect(try file.tile(name(0, 0, 0)) == nil)
        #expect(file.tiles == MapTiles(zooms: 1...3, attribution: "Town  of Besançon"))
        #expect(try file.coveringTile()?.name == name(3, 4, 2))
        #expect(try file.coveringTile()?.tile.mediaType == .png)
    }

    @Test("MBTiles: a file without its bounds covers the tiles of its smallest zoom")
    func withoutBounds() throws {
        let file = try file(MBTilesMaker.tables) { db in
            try MBTilesMaker.insert(2, 1, 2, TestTile.png(0), db)
            try MBTilesMaker.insert(3, 2, 4, TestTile.png(1), db)
        }
        #expect(try file.coveringTile()?.name == name(2, 1, 1))
    }

    @Test("MBTiles: equal tiles that are stored once are found")
    func split() throws {
        let file = try file(MBTilesMaker.split) { db in
            try db.execute(sql: "INSERT INTO images VALUES ('sea', ?)", arguments: [Data(TestTile.png(9))])
            try db.execute(sql: "INSERT INTO map VALUES (2, 0, 3, 'sea'), (2, 1, 3, 'sea'), (2, 2, 3, 'none')")
        }
        #expect(try file.tile(name(2, 0, 0))?.bytes == TestTile.png(9))
        #expect(try file.tile(name(2, 1, 0))?.bytes == TestTile.png(9))
        #expect(try file.tile(name(2, 2, 0)) == nil)
    }

    @Test("MBTiles: a file that would run code, search for long or show no images has a typed error")
    func mbtilesRefused() throws {
        func opening(_ sql: String, _ fill: (Database) throws -> Void = { _ in }) -> TileFileError? {
            error { _ = try file(sql, fill) }
        }
        func isMalformed(_ error: TileFileError?) -> Bool { if case .malformed = error { true } else { false } }
        let columns = "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER"

        #expect(isMalformed(opening("CREATE TABLE others (x)")))
        #expect(
            isMalformed(
                opening(
                    """
                    CREATE VIEW tiles AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
                        SELECT x AS zoom_level, x AS tile_column, x AS tile_row, x AS tile_data FROM n
                    """)), "a view without end")
        #expect(
            isMalformed(
                opening("CREATE TABLE tiles (\(columns), tile_data BLOB GENERATED ALWAYS AS (zeroblob(900000000)))")),
            "a computed column")
        #expect(opening("CREATE TABLE tiles (\(columns), tile_data BLOB)") == .noIndex)
        #expect(opening(MBTilesMaker.tables) == .noTiles)
        #expect(
            opening(MBTilesMaker.tables) { db in try MBTilesMaker.insert(-1, 0, 0, TestTile.png(0), db) } == .noTiles)
        #expect(
            opening(MBTilesMaker.tables) { db in
                try MBTilesMaker.insert(0, 0, 0, [0x1F, 0x8B, 8], db)
                try MBTilesMaker.describe(["format": "pbf"], db)
            } == .noImages(format: "vector tiles"))
        #expect(
            opening(MBTilesMaker.tables) { db in
                try MBTilesMaker.insert(0, 0, 0, TestTile.png(0) + [UInt8](repeating: 0, count: 1 << 20), db)
            } == .tileByteCount(limit: TileFile.tileByteCountMax))
        #expect(
            opening(MBTilesMaker.tables) { db in
                try db.execute(sql: "INSERT INTO tiles VALUES ('x', 'y', 'z', 'text')")
            } != nil, "other types than the columns'")
        try? FileManager.default.removeItem(atPath: path)
        try MBTilesMaker.make(path, MBTilesMaker.tables, fill)
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        #expect(error { _ = try TileFile(path) } == .openLog)
    }

    // Any file

    @Test("another file, an empty one, a folder and none at all have typed errors")
    func others() throws {
        for bytes in [[], Array("no map".utf8), Array("SQLite format 3\0".utf8)] {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect(error { _ = try TileFile(path) } == .unknownFormat)
        }
        for missing in [folder.path, folder.path + "/missing"] {
            guard case .storage? = error({ _ = try TileFile(missing) }) else {
                Issue.record("\(missing)")
                continue
            }
        }
    }

    @Test("a file with changed bytes or a missing end is read or refused, and never more", arguments: [true, false])
    func damaged(isPMTiles: Bool) throws {
        var random = SplitMix64(seed: 20)
        if isPMTiles {
            try Data(pmtiles(hasLeaf: true).bytes).write(to: URL(fileURLWithPath: path))
        } else {
            try MBTilesMaker.make(path, MBTilesMaker.tables, fill)
        }
        let whole = try folder.bytes(at: path)
        for round in 0..<400 {
            var bytes = whole
            for _ in 0...round % 3 {
                bytes[Int.random(in: 20..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if round % 4 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count - 20, using: &random)) }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            _ = error {
                let file = try TileFile(path)
                _ = try file.coveringTile()
                for place in [try name(0, 0, 0), try name(1, 1, 0), try name(3, 4, 2), try name(12, 3_423, 1_763)] {
                    _ = try file.tile(place)
                }
            }
        }
    }
}
