// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import Foundation
import Testing

/// The map of a node's pages: two points of the plan, or the tiles of a file.
@Suite(.timeLimit(.minutes(60))) struct MapTests {
    private let folder: TestFolder
    init() throws { folder = try TestFolder() }

    private func charter() -> Charter { Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000) }

    /// Returns the map, or the error.
    private func map(_ node: Node, _ request: MapRequest) async -> (map: MapInfo?, failure: String?) {
        let replies = await ask(node, .map(event: nil, request))
        for reply in replies {
            switch reply {
            case .map(let map): return (map, nil)
            case .failed(let message, _, _): return (nil, message)
            default: break
            }
        }
        return (nil, nil)
    }

    /// A PMTiles file with the one tile of zoom 0.
    private func pmtiles(_ image: String) throws -> String {
        func little(_ value: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        func varint(_ value: Int) -> [UInt8] {
            var (left, bytes) = (value, [UInt8]())
            while left > 0x7F {
                bytes.append(UInt8(left & 0x7F) | 0x80)
                left >>= 7
            }
            return bytes + [UInt8(left)]
        }
        let tile = [UInt8](try Data(contentsOf: URL(fileURLWithPath: image)))
        let root = [1, 0, 1] + varint(tile.count) + [1]
        var file = Array("PMTiles".utf8) + [3]
        for (offset, length) in [(127, root.count), (127 + root.count, 0), (127 + root.count, 0)] {
            file += little(offset) + little(length)
        }
        file += little(127 + root.count) + little(tile.count) + [UInt8](repeating: 0, count: 24)
        file += [1, 1, 1, 3, 0, 0] + [UInt8](repeating: 0, count: 25)
        let path = folder.path("town.pmtiles")
        try Data(file + root + tile).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("two points of the plan have places on the Earth until the plan is another one")
    func points() async throws {
        let two = [
            MapPointText(x: 0, y: 0, position: "47.25, 6.02"), MapPointText(x: 639, y: 479, position: "47.24, 6.03"),
        ]
        try await folder.node("host").runOffline { node in
            let event = try await node.host(charter(), organizerName: nil)
            #expect(await map(node, .show) == (nil, nil))
            #expect(await map(node, .set(file: nil, points: two)).failure?.contains("no plan") == true)
            _ = await ask(node, .setPicture(event: nil, role: .plan, photo: nil, file: try await folder.picture(1)))
            for (points, part) in [
                (Array(two.prefix(1)), "two points"), ([two[0], two[0]], "the same"),
                ([two[0], MapPointText(x: 640, y: 0, position: "1, 2")], "outside"),
                ([two[0], MapPointText(x: 9, y: 9, position: "north")], "latitude"),
                ([two[0], MapPointText(x: 9, y: 9, position: "86.0, 0")], "latitude"),
            ] {
                #expect(await map(node, .set(file: nil, points: points)).failure?.contains(part) == true, "\(part)")
            }
            let set = try #require(await map(node, .set(file: nil, points: two)).map)
            #expect(set.positions == ["47.250000, 6.020000", "47.240000, 6.030000"])
            #expect(set.isShown && set.zooms == nil)
            let served = try await node.event(event)
            let shown = try #require(try await served.map())
            #expect(shown.points.map(\.spot) == [Spot(x: 0, y: 0), Spot(x: 65_433, y: 65_398)])
            _ = await ask(node, .setPicture(event: nil, role: .plan, photo: nil, file: try await folder.picture(2)))
            #expect(try await served.map() == nil)
            #expect(await map(node, .show).map?.isShown == false)
            #expect(await map(node, .remove) == (nil, nil))
        }
    }

    @Test("the tile that shows all of a file becomes the plan, and the file's tiles are served")
    func tiles() async throws {
        let tile = try #require(TileName(zoom: 0, column: 0, row: 0))
        try await folder.node("host").runOffline { node in
            let event = try await node.host(charter(), organizerName: nil)
            let image = try await folder.picture(1)
            let file = try pmtiles(image)
            let text = folder.path("text")
            try Data("no map".utf8).write(to: URL(fileURLWithPath: text))
            #expect(await map(node, .set(file: text, points: [])).failure?.contains("neither an MBTiles") == true)
            for _ in 0..<2 {
                let set = try #require(await map(node, .set(file: file, points: [])).map)
                #expect(set.isShown && set.zooms == [0, 0])
                #expect(set.positions == ["85.051129, -180.000000", "-85.051129, 180.000000"])
            }
            let served = try await node.event(event)
            let plan = try #require(try await served.picture(.plan))
            #expect(plan.width == 640)
            #expect(try await served.map()?.isPlanTile == true)
            let bytes = try #require(try await served.tile(tile)).bytes
            let expected = [UInt8](try Data(contentsOf: URL(fileURLWithPath: image)))
            #expect(bytes == expected)
            _ = await ask(node, .setPicture(event: nil, role: .plan, photo: nil, file: nil))
            #expect(try await served.tile(tile) == nil, "without its plan the map is not shown")
        }
    }

    @Test("an image of the world becomes the plan, with the places of its corners")
    func world() async throws {
        try await folder.node("host").runOffline { node in
            let event = try await node.host(charter(), organizerName: nil)
            let image = try await folder.picture(1)
            for _ in 0..<2 {
                let set = try #require(await map(node, .world(file: image)).map)
                #expect(set.isShown && set.zooms == nil)
                #expect(set.positions == ["85.051129, -180.000000", "-85.051129, 180.000000"])
            }
            #expect(try await node.event(event).map()?.points.last?.spot == Spot(x: .max, y: .max))
        }
    }

    @Test("tiles lie behind a plan whose points have their places")
    func both() async throws {
        try await folder.node("host").runOffline { node in
            let event = try await node.host(charter(), organizerName: nil)
            _ = await ask(node, .setPicture(event: nil, role: .plan, photo: nil, file: try await folder.picture(2)))
            let served = try await node.event(event)
            let plan = try #require(try await served.picture(.plan))
            let two = [
                MapPointText(x: 0, y: 0, position: "47.25, 6.02"),
                MapPointText(x: 600, y: 400, position: "47.24, 6.03"),
            ]
            _ = await map(node, .set(file: nil, points: two))
            let file = try pmtiles(try await folder.picture(1))
            _ = try #require(await map(node, .set(file: file, points: [])).map)
            let shown = try #require(try await served.map())
            #expect(shown.plan == plan.photo && !shown.isPlanTile && shown.tiles?.zooms == 0...0)
        }
    }
}
