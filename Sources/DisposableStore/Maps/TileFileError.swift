// SPDX-License-Identifier: Apache-2.0

/// The reason why a file is no map whose tiles pages can show, or why a tile of it cannot be read.
public enum TileFileError: Error, Equatable, Sendable {
    /// Neither an MBTiles nor a PMTiles file.
    case unknownFormat
    case byteCount(UInt64, limit: UInt64)
    /// A PMTiles file of another version than 3.
    case otherVersion(Int)
    /// The tiles are no PNG, JPEG or WebP; the format as the file names it.
    case noImages(format: String)
    /// The compression of a PMTiles file, by its number there.
    case compression(Int)
    /// The file breaks a rule of its format.
    case malformed(String)
    case noTiles
    /// A tile is longer than the limit.
    case tileByteCount(limit: Int)
    /// An MBTiles file without an index, in which every tile would cost a search through all of them.
    case noIndex
    /// An MBTiles file with a write-ahead log, which is not in the file.
    case openLog
    /// Reading took longer than the limit.
    case slow
    /// The disk or SQLite failed.
    case storage(String)
}

extension TileFileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownFormat: "the file is neither an MBTiles nor a PMTiles file"
        case .byteCount(let byteCount, let limit):
            "the file has \(byteCount >> 20) MiB; a map has at most \(limit >> 20) MiB"
        case .otherVersion(let version): "the file is PMTiles of version \(version) instead of 3"
        case .noImages(let format): "the tiles of the file are \(format), not PNG, JPEG or WebP images"
        case .compression(let number): "the file uses the compression number \(number) of PMTiles"
        case .malformed(let reason): "the file is damaged: \(reason)"
        case .noTiles: "the file has no tiles"
        case .tileByteCount(let limit): "a tile of the file has more than \(limit >> 10) KiB"
        case .noIndex: "the file has no index of its tiles"
        case .openLog: "the file has a write-ahead log beside it"
        case .slow: "a search in the file takes too long"
        case .storage(let reason): reason
        }
    }

    public var hint: String? {
        switch self {
        case .unknownFormat: "export the map as raster tiles in one MBTiles or PMTiles file"
        case .byteCount: "export a smaller area, or fewer zooms"
        case .otherVersion: "convert it with `pmtiles convert`"
        case .noImages: "export the map as raster tiles: vector tiles need a style"
        case .compression: "write it with gzip, or without compression"
        case .noIndex: "run `sqlite3 FILE 'CREATE UNIQUE INDEX t ON tiles (zoom_level, tile_column, tile_row)'`"
        case .openLog: "run `sqlite3 FILE 'PRAGMA journal_mode = DELETE'`"
        case .malformed, .noTiles, .tileByteCount, .slow, .storage: nil
        }
    }

    /// A word for the desk's page, which has its own sentences.
    public var code: String {
        switch self {
        case .unknownFormat, .otherVersion, .compression: "map-format"
        case .byteCount: "map-too-large"
        case .noImages: "map-no-images"
        case .malformed, .noTiles, .tileByteCount, .slow: "map-damaged"
        case .noIndex: "map-no-index"
        case .openLog: "map-open-log"
        case .storage: "map-storage"
        }
    }

    init(_ error: StoreError) { self = .storage("\(error)") }
}
