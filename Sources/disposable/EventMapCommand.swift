// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import DisposablePortal
import Foundation

extension MapPointText {
    /// Reads `X,Y=LATITUDE,LONGITUDE`; the node checks the numbers.
    init?(argument: String) {
        let halves = argument.split(separator: "=", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let pixels = halves[0].split(separator: ",", omittingEmptySubsequences: false)
            .map { UInt32($0.trimmingCharacters(in: .whitespaces)) }
        guard pixels.count == 2, let x = pixels[0], let y = pixels[1] else { return nil }
        self.init(x: x, y: y, position: String(halves[1]))
    }
}

struct EventMapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Show a map behind the event's plan on this node's pages.",
        discussion: """
            The file has raster tiles in MBTiles or PMTiles. With --at twice, the event's plan stays as it is, and its \
            points lie at these places; without a file, the pages show distances and positions only. If no points were \
            given, a tile that shows all of the file's area becomes the plan. No other node gets the map: give each \
            node with pages the same file and the same points. `world` makes an outline of the world the plan; `none` \
            removes the map.
            """)

    @Argument(
        help: ArgumentHelp(
            "An MBTiles or PMTiles file, world, or none; without it the map is shown.", valueName: "file|world|none"))
    var file: String?

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "A point of the plan in pixels from its left and top edge, and its latitude and longitude; twice.",
            valueName: "x,y=lat,lon"))
    var points: [String] = []

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        try await ask(.map(event: event.event, try request()), common) { reply in
            guard case .map(let shown) = reply else { return }
            guard let map = shown else { return console.result("this node's pages show no map") }
            console.json("map", map)
            console.result(Self.text(of: map))
        }
    }

    private func request() throws -> MapRequest {
        let places = try points.map { text in
            guard let point = MapPointText(argument: text) else {
                throw ValidationError("\(text) is not X,Y=LATITUDE,LONGITUDE, as in 120,80=47.243012,6.022114")
            }
            return point
        }
        switch file {
        case let word? where ["none", "world"].contains(word):
            guard places.isEmpty else { throw ValidationError("\(word) and --at exclude each other") }
            return word == "none" ? .remove : .world(file: WorldImage.path)
        case let file?: return .set(file: URL(fileURLWithPath: file).standardizedFileURL.path, points: places)
        case nil: return places.isEmpty ? .show : .set(file: nil, points: places)
        }
    }

    private static func text(of map: MapInfo) -> String {
        let span = map.positions.joined(separator: " to ")
        var lines = ["the map belongs to the plan \(map.plan.prefix(8)), from \(span)"]
        if let zooms = map.zooms, zooms.count == 2 { lines.append("tiles of the zooms \(zooms[0]) to \(zooms[1])") }
        if let attribution = map.attribution, !attribution.isEmpty { lines.append("source: \(attribution)") }
        if !map.isShown { lines.append("pages do not show it: the event has another plan now, or none") }
        return lines.joined(separator: "\n")
    }
}
