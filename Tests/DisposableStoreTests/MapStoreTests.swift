// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import Foundation
import Testing

@Suite("The map of an event on a node") struct MapStoreTests {
    private let data: TemporaryFolder
    private let keys: EventKeys
    private let plan = PhotoID(Bytes32(words: 1, 2, 3, 4))

    init() throws {
        data = try TemporaryFolder()
        keys = EventKeys.makeEvent()
        try EventStore.create(in: data.path, keys: keys).close()
    }

    private func open() throws -> EventStore { try EventStore.open(EventFolder(data: data.path, event: keys.event)) }

    private var points: [MapPoint] {
        get throws {
            [
                MapPoint(spot: Spot(x: 0, y: 9), position: try #require(MapPosition(written: "47.25, 6.02"))),
                MapPoint(spot: Spot(x: .max, y: 0), position: try #require(MapPosition(written: "47.240001, -6.03"))),
            ]
        }
    }

    private func tiles(_ number: UInt8, _ name: String = "town.mbtiles") throws -> String {
        let path = "\(data.path)/\(name)"
        try? FileManager.default.removeItem(atPath: path)
        try MBTilesMaker.make(path, MBTilesMaker.tables) { db in
            try MBTilesMaker.insert(0, 0, 0, TestTile.png(number), db)
        }
        return path
    }

    private func files(_ store: EventStore) -> [String] { data.files(in: store.folder.path + "/map") }

    @Test("it is kept over a restart, and replaced or removed with its file; the file that was added stays")
    func kept() throws {
        let tile = try #require(TileName(zoom: 0, column: 0, row: 0))
        let path = try tiles(1)
        let store = try open()
        #expect(store.maps.map == nil)
        #expect(try store.maps.tile(tile) == nil)
        try store.maps.set(
            plan: plan, points: points, isPlanTile: false, tiles: store.maps.candidate(from: path), keepsTiles: false)
        let map = try #require(store.maps.map)
        #expect(map.plan == plan)
        #expect(try map.points == points)
        #expect(map.tiles?.zooms == 0...0 && !map.isPlanTile)
        try store.close()

        let again = try open()
        #expect(again.maps.map == map)
        #expect(try again.maps.tile(tile)?.bytes == TestTile.png(1))
        // Other points keep the tiles, other tiles replace them.
        try again.maps.set(plan: plan, points: points, isPlanTile: false, tiles: nil, keepsTiles: true)
        #expect(again.maps.map?.id != map.id)
        #expect(try again.maps.tile(tile)?.bytes == TestTile.png(1))
        try again.maps.set(
            plan: plan, points: points, isPlanTile: true, tiles: again.maps.candidate(from: tiles(2)),
            keepsTiles: false)
        #expect(try again.maps.tile(tile)?.bytes == TestTile.png(2))
        #expect(files(again).count == 2, "\(files(again))")
        try again.maps.remove()
        #expect(again.maps.map == nil)
        #expect(try again.maps.tile(tile) == nil)
        #expect(files(again).isEmpty && FileManager.default.fileExists(atPath: path))
        try again.maps.remove()
        try again.close()
    }

    @Test("a file that is no map leaves nothing behind, and a map as it was")
    func refused() throws {
        let store = try open()
        try store.maps.set(plan: plan, points: points, isPlanTile: false, tiles: nil, keepsTiles: false)
        let text = data.path + "/text"
        try Data("no map".utf8).write(to: URL(fileURLWithPath: text))
        #expect(throws: TileFileError.unknownFormat) { try store.maps.candidate(from: text) }
        do { _ = try store.maps.candidate(from: tiles(3)) }
        #expect(data.files(in: store.folder.incomingPath).isEmpty)
        #expect(store.maps.map?.tiles == nil && store.maps.map != nil)
        try store.close()
    }

    @Test("a record or a file that is damaged is no map, and the event opens")
    func damaged() throws {
        let store = try open()
        try store.maps.set(
            plan: plan, points: points, isPlanTile: false, tiles: store.maps.candidate(from: tiles(1)),
            keepsTiles: false)
        let names = files(store)
        try store.close()
        let file = try #require(names.first { $0.hasSuffix(".tiles") })
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: file))
        let second = try open()
        #expect(second.maps.map?.plan == plan && second.maps.map?.tiles == nil)
        try second.close()
        let record = try #require(names.first { $0.hasSuffix("map.json") })
        let outside = #"{"id": "../../keys", "plan": "00", "points": [], "isPlanTile": false, "file": "../x"}"#
        for text in ["", "{", outside] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: record))
            let third = try open()
            #expect(third.maps.map == nil, "\(text)")
            try third.close()
        }
    }
}
