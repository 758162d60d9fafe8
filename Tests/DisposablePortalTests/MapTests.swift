// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

/// The map of the plan over HTTP: for guests of the event only, with its tiles; and at the desk.
@Suite struct MapTests {
    private let photo: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
    private let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 7]

    private func map(of plan: PhotoID, id: String, tiles: MapTiles?) throws -> PlanMap {
        PlanMap(
            id: id, plan: plan,
            points: [
                MapPoint(spot: Spot(x: 0, y: 0), position: try #require(MapPosition(written: "47.25, 6.02"))),
                MapPoint(spot: Spot(x: .max, y: .max), position: try #require(MapPosition(written: "47.24, 6.03"))),
            ], tiles: tiles, isPlanTile: false)
    }

    @Test("guests of the event are told of the map and get its tiles, which their browsers keep; strangers are not")
    func tiles() async throws {
        let (gallery, other) = (try TestGallery(), try TestGallery(2))
        let plan = gallery.put(photo, by: .stranger(9))
        let here = try #require(TileName(zoom: 3, column: 4, row: 2))
        let path = gallery.path + "map/tiles/"
        try await withPortal([gallery, other]) { _, client in
            let guest = try await client.opening(gallery)
            #expect(try await guest.get(gallery.path + "api/map").text == #"{"map":null}"#)
            #expect(try await guest.get(path + "3/4/2").errorCode == "not-found")
            let map = try map(
                of: plan.id, id: "00112233445566ff", tiles: MapTiles(zooms: 1...3, attribution: "© Mapmakers"))
            let tile = try #require(Tile(png))
            gallery.with {
                $0.map = map
                $0.tiles = [here: tile]
            }
            let told = try #require(try await guest.get(gallery.path + "api/map").object["map"] as? [String: Any])
            #expect(told["id"] as? String == map.id)
            #expect((told["tiles"] as? [String: Any])?["zoomMax"] as? Int == 3)
            #expect((told["points"] as? [[String: Any]])?.last?["latitude"] as? Double == 47.24)

            let reply = try await guest.get(path + "3/4/2?map=\(map.id)")
            #expect((reply.status, reply["content-type"], reply.body) == (200, "image/png", png))
            #expect(reply["cache-control"] == "private, max-age=86400")
            #expect(reply["content-security-policy"]?.contains("sandbox") == true)
            let tag = try #require(reply["etag"])
            let known = try await guest.send("GET", path + "3/4/2", headers: ["If-None-Match": tag])
            #expect(known.status == 304)
            #expect(try await guest.get(path + "3/4/2?map=other")["cache-control"] == "no-cache")
            let nothing = try await guest.get(path + "3/4/3?map=\(map.id)")
            #expect((nothing.status, nothing.body) == (204, []))
            for name in ["3/8/0", "3/0/8", "23/0/0", "-1/0/0", "3/x/0", "4294967299/0/0"] {
                #expect(try await guest.get(path + name).errorCode == "not-found", "\(name)")
            }

            #expect(try await client.get(path + "3/4/2").status == 401)
            #expect(try await client.get(gallery.path + "api/map").status == 401)
            let stranger = try await client.opening(other)
            #expect(try await stranger.get(path + "3/4/2").status == 401)
        }
    }

    @Test("an address that asks for tiles without end has to wait")
    func rate() async throws {
        let gallery = try TestGallery()
        let plan = gallery.put(photo, by: .stranger(9))
        let map = try map(of: plan.id, id: "00112233445566ff", tiles: MapTiles(zooms: 0...0, attribution: ""))
        gallery.with { $0.map = map }
        var limits = PortalLimits()
        limits.rates.tiles = Rate(burst: 3, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            let guest = try await client.opening(gallery)
            for _ in 0..<3 { #expect(try await guest.get(gallery.path + "map/tiles/0/0/0").status == 204) }
            #expect(try await guest.get(gallery.path + "map/tiles/0/0/0").status == 429)
        }
    }

    // At the desk

    @Test("an organizer adds a map at the desk, gives the plan its places, and removes both")
    func desk() async throws {
        let desk = TestDesk()
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.bodies.mapByteCountMax = 1_000
        let path = "/desk/api/e/\(gallery.event.short)/map"
        try await withDesk(desk, gallery, limits: limits) { client, key in
            let client = try await client.sitting(with: try key())
            let bytes = [UInt8](repeating: 7, count: 1_000)
            #expect(try await client.send("PUT", path + "/file", body: bytes).status == 200)
            guard case .addMap(_, let file)? = desk.acts.last else {
                Issue.record("no command: \(desk.acts)")
                return
            }
            #expect(!FileManager.default.fileExists(atPath: file))
            let large = try await client.send("PUT", path + "/file", body: bytes + [7])
            #expect((large.status, large.errorCode) == (413, "too-long"))
            #expect(try await client.post(path, ["points": [Int]()]).status == 200)
            guard case .setMap? = desk.acts.last else {
                Issue.record("no command: \(desk.acts)")
                return
            }
            #expect(try await client.send("DELETE", path).status == 200)
            guard case .removeMap? = desk.acts.last else {
                Issue.record("no command: \(desk.acts)")
                return
            }
            #expect(try await client.get(path).status == 200)
            guard case .map? = desk.questions.last else {
                Issue.record("no question: \(desk.questions)")
                return
            }
        }
    }

    @Test("from another device the map is shown, and nobody changes it")
    func elsewhere() async throws {
        let desk = TestDesk()
        let gallery = try TestGallery()
        let path = "/desk/api/e/\(gallery.event.short)/map"
        try await withDesk(desk, gallery, isFromHere: false) { client, key in
            let client = try await client.sitting(with: try key())
            #expect(try await client.send("PUT", path + "/file", body: [1, 2, 3]).errorCode == "not-here")
            #expect(try await client.post(path, ["points": [Int]()]).errorCode == "not-here")
            #expect(try await client.send("DELETE", path).errorCode == "not-here")
            #expect(try await client.get(path).status == 200)
        }
        #expect(desk.acts.isEmpty)
    }
}
