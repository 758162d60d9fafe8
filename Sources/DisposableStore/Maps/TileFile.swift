// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSystem
internal import Glibc

/// A format of map files. Every call blocks on the disk.
protocol TileSource: Sendable {
    var zooms: ClosedRange<Int> { get }
    /// `nil` if the file does not say which part of the Earth it shows.
    var area: MapArea? { get }
    /// The source of the map as the file names it, in HTML mostly.
    var attribution: String { get }
    /// Returns `nil` if the file has no such tile. At most `TileFile.tileByteCountMax` bytes.
    func bytes(of name: TileName) throws(TileFileError) -> [UInt8]?
}

/// Raster tiles of a map in one file, MBTiles or PMTiles 3, that an organizer has added. Nobody vouches for the file:
/// each read has a limit in bytes, and in time where SQLite reads. Thread-safe; calls block on the disk.
public final class TileFile: Sendable {
    public static let byteCountMax: UInt64 = 2 << 30
    public static let tileByteCountMax = 1 << 20
    static let attributionCharactersMax = 200

    public let tiles: MapTiles
    private let source: any TileSource

    public init(_ path: String) throws(TileFileError) {
        let source: any TileSource
        let file: StoreFile
        let byteCount: UInt64
        let start: [UInt8]
        do throws(StoreError) {
            file = try StoreFile(path, flags: O_RDONLY | O_NONBLOCK)  // a pipe is refused, not waited for
            byteCount = try file.regularByteCount()
            start = try file.read(20, at: 0)
        } catch {
            throw TileFileError(error)
        }
        guard byteCount <= Self.byteCountMax else { throw .byteCount(byteCount, limit: Self.byteCountMax) }
        if start.starts(with: "PMTiles".utf8) {
            source = try PMTilesFile(file, byteCount: byteCount)
        } else if start.starts(with: "SQLite format 3\0".utf8), start.count == 20 {
            // The versions for writing and reading are 2 where there is a log.
            guard start[18] == 1, start[19] == 1 else { throw .openLog }
            source = try MBTilesFile(path)
        } else {
            throw .unknownFormat
        }
        self.source = source
        tiles = MapTiles(zooms: source.zooms, attribution: Self.plain(source.attribution))
    }

    /// Returns `nil` if the file has no such tile. Throws also for a tile that is no image of a known kind.
    public func tile(_ name: TileName) throws(TileFileError) -> Tile? {
        guard tiles.zooms.contains(name.zoom), let bytes = try source.bytes(of: name) else { return nil }
        guard let tile = Tile(bytes) else { throw .noImages(format: "something else") }
        return tile
    }

    /// Returns the nearest tile that shows all of the map; `nil` if the file has none.
    public func coveringTile() throws(TileFileError) -> (name: TileName, tile: Tile)? {
        guard let area = source.area else { return nil }
        for zoom in tiles.zooms.reversed() {
            guard let name = area.tile(at: zoom), let tile = try tile(name) else { continue }
            return (name, tile)
        }
        return nil
    }

    /// The text without its tags and control characters, and not longer than a line.
    static func plain(_ text: String) -> String {
        var plain = ""
        var isTag = false
        for character in text.prefix(4_096) {
            switch character {
            case "<": isTag = true
            case ">": isTag = false
            case _ where isTag: break
            case _ where character.isNewline || character.isWhitespace: plain.append(" ")
            case _ where character.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }):
                plain.append(character)
            default: break
            }
            if plain.count >= attributionCharactersMax { break }
        }
        for (entity, letter) in [("&copy;", "©"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
            plain = plain.split(separator: entity, omittingEmptySubsequences: false).joined(separator: letter)
        }
        return plain
    }
}
