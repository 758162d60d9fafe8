// SPDX-License-Identifier: Apache-2.0

/// A command about the map of this node's pages.
public enum MapRequest: Codable, Sendable, Equatable {
    case show
    /// Sets the map. `file`: the path of an MBTiles or PMTiles file. `points`: two, or none: then those of before stay,
    /// and without earlier ones a tile of the file is added as a photo and becomes the plan.
    case set(file: String?, points: [MapPointText])
    /// Makes an image of the whole Earth the plan: the square of the tile of zoom 0. `file`: its path.
    case world(file: String)
    case remove
}

/// A point of the plan and its place on the Earth, as a person gives them.
public struct MapPointText: Codable, Sendable, Equatable {
    /// Pixels of the plan's original from its left and its top edge.
    public var x: UInt32
    public var y: UInt32
    /// Degrees with a decimal point, the latitude first: `47.243012, 6.022114`.
    public var position: String

    public init(x: UInt32, y: UInt32, position: String) {
        self.x = x
        self.y = y
        self.position = position
    }
}

/// The map of this node's pages.
public struct MapInfo: Codable, Sendable, Equatable {
    /// The photo that is the plan.
    public var plan: String
    /// Whether it is the event's plan at present: only then pages show the map.
    public var isShown: Bool
    /// The places of two points of the plan, as `MapPointText.position`.
    public var positions: [String]
    /// The smallest and the largest zoom of the tiles; absent without tiles.
    public var zooms: [Int]?
    /// The source of the tiles, as their file names it.
    public var attribution: String?
}

/// The reason why a command about the map is refused.
public enum MapProblem: Equatable, Sendable {
    case file(path: String, MapFileProblem)
    case noPlan
    case pointCount(Int)
    case malformedPosition(String)
    /// A point outside of the plan, whose size is in pixels.
    case outside(x: UInt32, y: UInt32, width: UInt32, height: UInt32)
    /// Two points so near each other that nothing follows from them.
    case samePoint
    /// No tile of the file shows all of its area.
    case noCoveringTile(path: String)
}

/// The reason why a file is no map.
public struct MapFileProblem: Equatable, Sendable {
    /// A word for programs, such as `map-format`.
    public let code: String
    public let reason: String
    public let hint: String?
}

extension MapProblem {
    /// A word for programs.
    public var code: String {
        switch self {
        case .file(_, let problem): problem.code
        case .noPlan: "map-no-plan"
        case .pointCount, .malformedPosition, .outside: "map-points"
        case .samePoint: "map-same-point"
        case .noCoveringTile: "map-no-covering-tile"
        }
    }

    var message: String {
        switch self {
        case .file(let path, let problem): "\(path) cannot be the map: \(problem.reason)"
        case .noPlan: "the event has no plan, to which the points could belong"
        case .pointCount(let count): "a map needs two points of the plan; there are \(count)"
        case .malformedPosition(let text): "\"\(text)\" is not a latitude and a longitude on the map of the Earth"
        case .outside(let x, let y, let width, let height):
            "the point \(x),\(y) is outside of the plan, which has \(width) x \(height) pixels"
        case .samePoint: "both points are the same"
        case .noCoveringTile(let path): "no tile of \(path) shows all of its area"
        }
    }

    var hint: String? {
        switch self {
        case .file(_, let problem): problem.hint
        case .noPlan: "add one: `disposable event picture plan FILE`"
        case .pointCount: "--at X,Y=LATITUDE,LONGITUDE twice, X and Y in pixels of the plan"
        case .malformedPosition: "write degrees with a decimal point, as in 47.243012, 6.022114"
        case .outside: "count the pixels from the left and from the top edge of the plan's file"
        case .samePoint: "choose two points far apart, near opposite corners"
        case .noCoveringTile:
            "export it with smaller zooms, too; or add a plan, and name two of its points with --at"
        }
    }

    var exitCode: Int32 {
        switch self {
        case .noPlan: 3
        case .pointCount, .malformedPosition, .outside, .samePoint: 2
        case .file, .noCoveringTile: 1
        }
    }
}
