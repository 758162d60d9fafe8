// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSystem
internal import Foundation
internal import Glibc
internal import Synchronization

/// The map of one event on one node: two points of its plan, and a private copy of the file with the tiles.
///
/// ```
/// map/map.json       the plan and its points
/// map/<id>.tiles     the file, if there is one
/// ```
/// Thread-safe; calls block on the disk.
public final class MapStore: Sendable {
    /// A copy of a file that can be a map. It is removed unless the map is set to it.
    public final class Candidate: Sendable {
        public let file: TileFile
        fileprivate let path: String

        fileprivate init(path: String) throws(TileFileError) {
            self.path = path
            do throws(TileFileError) { file = try TileFile(path) } catch {
                unlink(path)
                throw error
            }
        }

        deinit { unlink(path) }
    }

    private struct Held {
        let map: PlanMap
        let file: TileFile?
        let name: String?
    }

    private enum State {
        case unread
        case read(Held?)
    }

    private static let recordByteCountMax = 4_096
    private static let partByteCount = 1 << 20

    private let folder: EventFolder
    private let state = Mutex<State>(.unread)

    init(_ folder: EventFolder) { self.folder = folder }

    /// Returns the event's map; `nil` if there is none, or its record cannot be read.
    public var map: PlanMap? { held?.map }

    /// Returns `nil` if the map has no such tile.
    public func tile(_ name: TileName) throws(TileFileError) -> Tile? { try held?.file?.tile(name) }

    /// Copies a file, and examines the copy.
    public func candidate(from path: String) throws(TileFileError) -> Candidate {
        let copy = "\(folder.incomingPath)/\(Self.newID()).map"
        do throws(StoreError) {
            let file = try StoreFile(path, flags: O_RDONLY | O_NONBLOCK)
            let byteCount = try file.regularByteCount()
            guard byteCount <= TileFile.byteCountMax else {
                throw StoreError.blobByteCount(byteCount, limit: TileFile.byteCountMax)
            }
            try DiskRoom(at: folder.incomingPath).check(for: byteCount)
            let target = try StoreFile(copy, .creating)
            var offset: UInt64 = 0
            while offset < byteCount {
                let bytes = try file.read(Self.partByteCount, at: offset)
                guard !bytes.isEmpty else { throw StoreError.changedWhileReading(path: path) }
                try target.write(bytes, at: offset)
                offset += UInt64(bytes.count)
            }
            try target.synchronize()
        } catch {
            unlink(copy)
            if case .blobByteCount(let byteCount, let limit) = error {
                throw TileFileError.byteCount(byteCount, limit: limit)
            }
            throw TileFileError(error)
        }
        return try Candidate(path: copy)
    }

    /// Sets the map; durable when this returns.
    /// - Parameters:
    ///   - points: two points of the plan.
    ///   - candidate: the new tiles; `nil` keeps those of now if `keepsTiles`, and has none otherwise.
    public func set(
        plan: PhotoID, points: [MapPoint], isPlanTile: Bool, tiles candidate: Candidate?, keepsTiles: Bool
    ) throws(StoreError) {
        let before = held
        let id = Self.newID()
        if try StoreFileSystem.makeFolder(folder.mapPath) { try StoreFileSystem.synchronizeFolder(folder.path) }
        var (file, name) = keepsTiles ? (before?.file, before?.name) : (nil, nil)
        if let candidate {
            (file, name) = (candidate.file, "\(id).tiles")
            try StoreFileSystem.rename(candidate.path, to: "\(folder.mapPath)/\(id).tiles")
        }
        let record = MapRecord(
            id: id, plan: plan.description, points: points.map { MapRecord.Point($0) }, isPlanTile: isPlanTile,
            file: name)
        let bytes = [UInt8]((try? JSONEncoder().encode(record)) ?? Data())
        try StoreFileSystem.replaceFile("\(folder.mapPath)/map.json", with: bytes.span)
        try StoreFileSystem.synchronizeFolder(folder.mapPath)
        let map = PlanMap(id: id, plan: plan, points: points, tiles: file?.tiles, isPlanTile: isPlanTile)
        state.withLock { $0 = .read(Held(map: map, file: file, name: name)) }
        try removeFiles(except: name)
    }

    /// Removes the map and its file; a missing one is no error.
    public func remove() throws(StoreError) {
        try StoreFileSystem.remove("\(folder.mapPath)/map.json")
        state.withLock { $0 = .read(nil) }
        try removeFiles(except: nil)
    }

    private func removeFiles(except kept: String?) throws(StoreError) {
        for name in try StoreFileSystem.names(in: folder.mapPath) where name.hasSuffix(".tiles") && name != kept {
            try StoreFileSystem.remove("\(folder.mapPath)/\(name)")
        }
    }

    // Reading

    private var held: Held? {
        state.withLock { state in
            if case .read(let held) = state { return held }
            let held = read()
            state = .read(held)
            return held
        }
    }

    /// A record or a file that cannot be read is as none: the organizer adds it again.
    private func read() -> Held? {
        guard let file = try? StoreFile("\(folder.mapPath)/map.json", .reading),
            let bytes = try? file.read(Self.recordByteCountMax, at: 0),
            let record = try? JSONDecoder().decode(MapRecord.self, from: Data(bytes)),
            let plan = PhotoID(hex: record.plan)
        else { return nil }
        let points = record.points.compactMap(\.point)
        guard points.count == 2, Self.isID(record.id) else { return nil }
        let name = record.file.flatMap { $0.hasSuffix(".tiles") && Self.isID(String($0.dropLast(6))) ? $0 : nil }
        let tiles = name.flatMap { try? TileFile("\(folder.mapPath)/\($0)") }
        return Held(
            map: PlanMap(
                id: record.id, plan: plan, points: points, tiles: tiles?.tiles, isPlanTile: record.isPlanTile),
            file: tiles, name: name)
    }

    private static func newID() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 16 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}

private struct MapRecord: Codable {
    struct Point: Codable {
        let x: UInt16
        let y: UInt16
        /// Millionths of degrees.
        let latitude: Int32
        let longitude: Int32

        init(_ point: MapPoint) {
            (x, y) = (point.spot.x, point.spot.y)
            (latitude, longitude) = (point.position.latitude, point.position.longitude)
        }

        var point: MapPoint? {
            MapPosition(latitude: latitude, longitude: longitude).map { MapPoint(spot: Spot(x: x, y: y), position: $0) }
        }
    }

    let id: String
    let plan: String
    let points: [Point]
    let isPlanTile: Bool
    let file: String?
}
