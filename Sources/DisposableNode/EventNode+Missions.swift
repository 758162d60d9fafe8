// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire

/// The photos that organizers ask for, and the answers to them (protocol/disposable-v1.md §9.18).
extension EventNode {
    /// Returns the missions in the organizers' order.
    public func missions(for viewer: AuthorID?) -> [AnsweredMission] {
        let state = replica.state
        guard let missions = state.charter?.missions, !missions.isEmpty else { return [] }
        let photos = missionPhotos()
        let own = viewer.map { viewer in
            state.album.photos(by: viewer).filter { !state.album.isWithdrawn($0, by: viewer) }
                .compactMap { state.mission(of: $0)?.id }
        }
        return missions.map { mission in
            let shown = photos[mission.id] ?? []
            let examples = shown.reversed().lazy.filter {
                self.mayBeSeen($0, by: viewer) && self.replica.isComplete(.thumbnail, of: $0.id)
            }
            return AnsweredMission(
                mission: mission, photoCount: shown.count, isAnswered: own?.contains(mission.id) == true,
                examples: examples.prefix(AnsweredMission.exampleCountMax).map(\.id))
        }
    }

    /// Returns the photos that are shown to all by the id of their mission, oldest first; cached until a change.
    func missionPhotos() -> [UInt32: [Photo]] {
        if let kept = reading.missions { return kept }
        let state = replica.state
        var groups: [UInt32: [Photo]] = [:]
        for photo in visiblePhotos() {
            if let mission = state.mission(of: photo.id) { groups[mission.id, default: []].append(photo) }
        }
        reading.missions = groups
        return groups
    }

    /// Sets the mission that the guest's own photo answers; `nil` for none. No operation if there is no change. Throws
    /// `Refusal.unknownPhoto`, `.notYours`, `.unknownMission`, `.tooFast`.
    public func setMission(_ id: UInt32?, of photo: PhotoID, by guest: AuthorID) async throws {
        guard try self.photo(photo, seenBy: guest).author == guest else { throw NodeError.refused(.notYours(photo)) }
        do {
            let salt = Entropy.bytes(OperationBody.saltByteCount)
            _ = try await author(.say(.answer(photo, id), salt: salt), by: subKey(of: guest))
        } catch NodeError.refused(.nothingToDo) {}
    }

    /// Returns the id of the mission with this number in the list, from 1. Throws `NodeError.noMission`.
    func mission(numbered number: Int) throws -> UInt32 {
        let missions = replica.state.charter?.missions ?? []
        guard missions.indices.contains(number - 1) else { throw NodeError.noMission(number, count: missions.count) }
        return missions[number - 1].id
    }
}

extension EventParameters.Mission {
    /// Returns the missions with ids: the given ones, those of missions with the same text, or new ones.
    static func list(_ given: [Self], before: [DisposableModel.Mission]) -> [DisposableModel.Mission] {
        var taken = Set(given.compactMap(\.id))
        return given.map { mission in
            if let id = mission.id { return .init(id: id, text: mission.text) }
            let same = before.first { $0.text == mission.text && !taken.contains($0.id) }?.id
            var id = same ?? .random(in: 1 ... .max)
            while same == nil, taken.contains(id) || before.contains(where: { $0.id == id }) {
                id = .random(in: 1 ... .max)
            }
            taken.insert(id)
            return .init(id: id, text: mission.text)
        }
    }
}
