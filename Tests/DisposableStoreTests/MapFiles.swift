// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import Foundation
import GRDB

/// The bytes of tiles: readers look at their beginning only.
enum TestTile {
    static func png(_ number: UInt8) -> [UInt8] { [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, number] }
}

/// A PMTiles file, made number by number from the description of the format.
struct PMTilesMaker {
    struct Entry {
        var id: UInt64
        var runLength: UInt64 = 1
        var length: UInt64
        /// `nil` for right behind the entry before.
        var offset: UInt64?
    }

    var isCompressed = false
    var version: UInt8 = 3
    var internalCompression: UInt8?
    var tileCompression: UInt8 = 1
    var tileType: UInt8 = 2
    var zooms: (UInt8, UInt8) = (0, 12)
    /// Ten-millionths of degrees: west, south, east, north.
    var bounds: [Int32] = [60_000_000, 470_000_000, 60_100_000, 470_100_000]
    var metadata = #"{"attribution": "<a href=\"x\">&copy; Mapmakers</a>"}"#
    var contents: [UInt8] = []
    var root: [Entry] = []
    /// Each leaf's entries; the root's entries name their places.
    var leaves: [[Entry]] = []
    /// The bytes of the root instead of those of its entries.
    var rawRoot: [UInt8]?

    static func varint(_ value: UInt64) -> [UInt8] {
        var (left, bytes) = (value, [UInt8]())
        repeat {
            bytes.append(UInt8(left & 0x7F) | (left > 0x7F ? 0x80 : 0))
            left >>= 7
        } while left > 0
        return bytes
    }

    static func directory(_ entries: [Entry]) -> [UInt8] {
        var bytes = varint(UInt64(entries.count))
        var last: UInt64 = 0
        for entry in entries {
            bytes += varint(entry.id &- last)
            last = entry.id
        }
        bytes += entries.flatMap { varint($0.runLength) }
        bytes += entries.flatMap { varint($0.length) }
        bytes += entries.flatMap { varint($0.offset.map { $0 + 1 } ?? 0) }
        return bytes
    }

    private func packed(_ bytes: [UInt8]) -> [UInt8] { isCompressed ? Self.gzip(bytes) : bytes }

    /// The leaves one behind the other; `leafPlaces` are their places.
    var leafPlaces: [(offset: UInt64, length: UInt64)] {
        var offset: UInt64 = 0
        return leaves.map { entries in
            let length = UInt64(packed(Self.directory(entries)).count)
            defer { offset += length }
            return (offset, length)
        }
    }

    var bytes: [UInt8] {
        let root = rawRoot ?? packed(Self.directory(self.root))
        let metadata = packed(Array(self.metadata.utf8))
        let leafBytes = leaves.flatMap { packed(Self.directory($0)) }
        var header = Array("PMTiles".utf8) + [version]
        var offset: UInt64 = 127
        for length in [root.count, metadata.count, leafBytes.count, contents.count] {
            header += Self.little(offset) + Self.little(UInt64(length))
            offset += UInt64(length)
        }
        header += [UInt8](repeating: 0, count: 24)
        header += [1, internalCompression ?? (isCompressed ? 2 : 1), tileCompression, tileType, zooms.0, zooms.1]
        for number in bounds { header += Self.little(UInt64(UInt32(bitPattern: number))).prefix(4) }
        header += [UInt8](repeating: 0, count: 127 - header.count)
        return header + root + metadata + leafBytes + contents
    }

    static func little(_ value: UInt64) -> [UInt8] {
        (0..<8).map { place in UInt8(truncatingIfNeeded: value >> UInt64(place * 8)) }
    }

    /// One stored block of DEFLATE in gzip's frame (RFC 1951, RFC 1952).
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 1 ? checksum >> 1 ^ 0xEDB8_8320 : checksum >> 1 }
        }
        var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1]
        packed += little(UInt64(count)).prefix(2)
        packed += little(UInt64(~count)).prefix(2)
        packed += bytes
        packed += little(UInt64(~checksum)).prefix(4)
        packed += little(UInt64(count)).prefix(4)
        return packed
    }
}

/// An MBTiles file, made with SQLite.
enum MBTilesMaker {
    static let tables = """
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
        """
    static let split = """
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
        CREATE TABLE images (tile_id TEXT, tile_data BLOB);
        CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
        CREATE UNIQUE INDEX images_id ON images (tile_id);
        CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images
            ON images.tile_id = map.tile_id;
        """

    static func make(_ path: String, _ sql: String, _ fill: (Database) throws -> Void = { _ in }) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(sql: sql)
            try fill(db)
        }
        try queue.close()
    }

    /// The row is that of the file, counted from the south.
    static func insert(_ zoom: Int, _ column: Int, _ row: Int, _ bytes: [UInt8], _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)", arguments: [zoom, column, row, Data(bytes)])
    }

    static func describe(_ values: [String: String], _ db: Database) throws {
        for (name, value) in values {
            try db.execute(sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
        }
    }
}
