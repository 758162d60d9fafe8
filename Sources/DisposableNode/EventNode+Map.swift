// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore

/// The map of this node's pages: the places of the plan on the Earth, and tiles (protocol/guest-api.md §12). No
/// operation describes it, so each node has its own.
extension EventNode {
    /// Returns the map if the plan to which it belongs is shown to all; `nil` otherwise.
    public func map() async throws -> PlanMap? {
        guard let map = try await storedMap(), shownPicture(.plan)?.id == map.plan else { return nil }
        return map
    }

    /// Returns a tile of the map that is shown; `nil` if it has no such tile.
    public func tile(_ name: TileName) async throws -> Tile? {
        guard try await map() != nil else { return nil }
        do { return try await readers.run { [store] in try store.maps.tile(name) } } catch let error as TileFileError {
            throw NodeError.storage("\(error)")
        }
    }

    private func storedMap() async throws -> PlanMap? { try await readers.run { [store] in store.maps.map } }

    /// Sets, removes or shows the map. Throws `NodeError.map`, and the errors of `setPicture`.
    func perform(_ request: MapRequest) async throws -> MapInfo? {
        switch request {
        case .show: break
        case .set(let file, let points): try await setMap(file, points)
        case .world(let file):
            guard let tile = TileName(zoom: 0, column: 0, row: 0) else { break }
            let plan = try await makePlan(of: file)
            try await changingMaps { maps throws(StoreError) in
                try maps.set(plan: plan, points: tile.corners, isPlanTile: true, tiles: nil, keepsTiles: false)
            }
        case .remove: try await changingMaps { maps throws(StoreError) in try maps.remove() }
        }
        if request != .show { watchers.tell(.event) }
        guard let map = try await storedMap() else { return nil }
        return MapInfo(
            plan: map.plan.description, isShown: shownPicture(.plan)?.id == map.plan,
            positions: map.points.map(\.position.written),
            zooms: map.tiles.map { [$0.zooms.lowerBound, $0.zooms.upperBound] },
            attribution: map.tiles.map(\.attribution))
    }

    private func setMap(_ path: String?, _ texts: [MapPointText]) async throws {
        var candidate: MapStore.Candidate?
        if let path {
            do {
                candidate = try await readers.run { [store] in try store.maps.candidate(from: path) }
            } catch let error as TileFileError {
                throw Self.refusal(of: path, error)
            }
        }
        let points: [MapPoint]
        let plan: PhotoID
        if let candidate, let path, texts.isEmpty {
            // Points that the organizer has given before stay.
            guard let map = try await map(), !map.isPlanTile else {
                return try await setTilePlan(candidate, path: path)
            }
            (points, plan) = (map.points, map.plan)
        } else {
            guard texts.count == 2 else { throw NodeError.map(.pointCount(texts.count)) }
            guard let shown = try await picture(.plan) else { throw NodeError.map(.noPlan) }
            (points, plan) = (try texts.map { try Self.point($0, on: shown) }, shown.photo)
        }
        guard points[0].spot != points[1].spot, points[0].position != points[1].position else {
            throw NodeError.map(.samePoint)
        }
        try await changingMaps { [candidate] maps throws(StoreError) in
            try maps.set(
                plan: plan, points: points, isPlanTile: false, tiles: candidate, keepsTiles: candidate == nil)
        }
    }

    /// Adds the tile that shows all of the file's area as a photo, and makes it the plan: spots on it are places on the
    /// Earth on every node, also where the tiles are not.
    private func setTilePlan(_ candidate: MapStore.Candidate, path: String) async throws {
        let covering: (name: TileName, tile: Tile)?
        do { covering = try await readers.run { try candidate.file.coveringTile() } } catch let error as TileFileError {
            throw Self.refusal(of: path, error)
        }
        guard let found = covering else { throw NodeError.map(.noCoveringTile(path: path)) }
        let suffix = found.tile.mediaType.pathExtension
        let file = "\(store.folder.incomingPath)/\(Entropy.bytes(12).hex).\(suffix)"
        let folder = store.folder
        try await readers.run { try folder.writeIncoming(found.tile.bytes, to: file) }
        let plan: PhotoID
        do { plan = try await makePlan(of: file) } catch {
            try? await readers.run { try folder.eraseIncoming(file) }
            throw error
        }
        try? await readers.run { try folder.eraseIncoming(file) }
        try await changingMaps { maps throws(StoreError) in
            try maps.set(
                plan: plan, points: found.name.corners, isPlanTile: true, tiles: candidate, keepsTiles: false)
        }
    }

    /// Adds an image as a photo, and makes it the plan. The same image again is the same photo.
    private func makePlan(of file: String) async throws -> PhotoID {
        let name = try await addPhoto(at: file)
        if shownPicture(.plan)?.id.description != name { _ = try await setPicture(.plan, to: name) }
        guard let plan = PhotoID(hex: name) else { throw NodeError.map(.noPlan) }
        return plan
    }

    private func changingMaps(_ change: @escaping @Sendable (MapStore) throws(StoreError) -> Void) async throws {
        do { try await readers.run { [store] in try change(store.maps) } } catch let error as StoreError {
            throw NodeError.storage("\(error)")
        }
    }

    private static func refusal(of path: String, _ error: TileFileError) -> NodeError {
        .map(.file(path: path, MapFileProblem(code: error.code, reason: "\(error)", hint: error.hint)))
    }

    private static func point(_ text: MapPointText, on plan: ShownPicture) throws -> MapPoint {
        guard let position = MapPosition(written: text.position) else {
            throw NodeError.map(.malformedPosition(text.position))
        }
        guard text.x < plan.width, text.y < plan.height else {
            throw NodeError.map(.outside(x: text.x, y: text.y, width: plan.width, height: plan.height))
        }
        func part(_ pixel: UInt32, of count: UInt32) -> UInt16 {
            UInt16((UInt64(pixel) * 65_535 + UInt64(count) / 2) / UInt64(count))
        }
        let spot = Spot(x: part(text.x, of: plan.width), y: part(text.y, of: plan.height))
        return MapPoint(spot: spot, position: position)
    }
}
