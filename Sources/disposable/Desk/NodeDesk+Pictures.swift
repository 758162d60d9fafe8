// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposablePortal

/// Photos of the node's person, the event's pictures, and the map of this node's pages.
extension NodeDesk {
    func addPhoto(file: String, in event: DeskEvent) async throws -> DeskAdded {
        try await translated {
            let (photo, isNew) = try await node.event(named: event.text).addCleaned(fileAt: file)
            return DeskAdded(photo: photo.description, isNew: isNew)
        }
    }

    func setPicture(
        _ role: PictureRole, photo: String?, file: String?, in event: DeskEvent
    ) async throws -> DeskPicture {
        try await ask(.setPicture(event: event.text, role: role, photo: photo, file: file)) {
            if case .picture(_, let photo) = $0 { DeskPicture(photo: photo) } else { nil }
        }
    }

    /// Adds the image, or the first page of the PDF, for it.
    func addPicture(_ role: PictureRole, file: String, in event: DeskEvent) async throws -> DeskPicture {
        try await translated {
            try await PlanPage.withImage(of: file) { image in
                try await setPicture(role, photo: nil, file: image, in: event)
            }
        }
    }

    func map(_ request: MapRequest, in event: DeskEvent) async throws -> DeskMap {
        try await ask(.map(event: event.text, request)) {
            if case .map(let map) = $0 { DeskMap(map: map) } else { nil }
        }
    }
}

/// The answer to a file; `isNew`: whether the photo was not in the gallery before.
struct DeskAdded: Encodable {
    let photo: String
    let isNew: Bool
}

/// Two points of the plan, or the wish for the outline of the world, from the page.
struct DeskMapPoints: Decodable {
    private let points: [MapPointText]?
    private let isWorld: Bool?

    var request: MapRequest {
        isWorld == true ? .world(file: WorldImage.path) : .set(file: nil, points: points ?? [])
    }
}

/// The map of this node's pages; without a field if there is none.
struct DeskMap: Encodable { let map: MapInfo? }
