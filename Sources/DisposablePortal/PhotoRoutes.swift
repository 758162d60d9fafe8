// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import Foundation
internal import Hummingbird

/// Photos, their bytes, and taking them back (protocol/guest-api.md §4).
struct PhotoRoutes: Sendable {
    let limits: PortalLimits

    func add(to group: RouterGroup<PortalContext>) {
        group.get("api/photos", use: list)
        group.get("api/photos/:id", use: show)
        group.delete("api/photos/:id", use: remove)
        group.post("api/photos/:id/keep", use: keep)
        for blobClass in BlobClass.allCases {
            group.get("photos/:id/\(blobClass.pathName)") { request, context in
                let (session, photo) = (try context.requireSession(), try Self.photo(context))
                return try await PhotoAnswer(request: request, session: session).bytes(blobClass, of: photo)
            }
        }
    }

    private struct ListMessage: Encodable {
        let photos: [PhotoMessage]
        let next: String?
        let count: Int

        enum CodingKeys: CodingKey { case photos, next, count }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(photos, forKey: .photos)
            try container.encode(next, forKey: .next)  // null on the last page
            try container.encode(count, forKey: .count)
        }
    }

    @Sendable private func list(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.requireSession()
        let query = request.uri.queryParameters
        let limit = try query["limit"].map { text in
            guard let limit = Int(text), (1...limits.photoPageCountMax).contains(limit) else {
                throw PortalError.malformed("limit is a number from 1 to \(limits.photoPageCountMax)")
            }
            return limit
        }
        let cursor = try query["before"].map { text in
            guard let id = PhotoID(hex: text) else { throw PortalError.malformed("before is a photo's id") }
            return PhotoCursor(id)
        }
        if query["mine"] == "1", session.guest == nil { return try .json(ListMessage(photos: [], next: nil, count: 0)) }
        let page = try await session.gallery.photos(
            before: cursor, limit: limit ?? limits.photoPageCount, by: query["mine"] == "1" ? session.guest : nil)
        return try .json(
            ListMessage(
                photos: page.photos.map { PhotoMessage($0, for: session.guest) },
                next: page.next?.photo.description, count: page.totalCount))
    }

    @Sendable private func show(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.requireSession()
        let photo = try await session.gallery.photo(try Self.photo(context), for: session.guest)
        return try .json(PhotoMessage(photo, for: session.guest))
    }

    private struct RemovalMessage: Encodable { let removedAt: UInt64 }

    @Sendable private func remove(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (session, guest) = try context.requireGuest()
        let id = try Self.photo(context)
        guard try await session.gallery.photo(id, for: guest).author == guest else { throw GalleryError.notYours }
        let removedAt = try await context.requireEvent().removals.add(id, by: guest)
        return try .json(RemovalMessage(removedAt: removedAt), status: .accepted)
    }

    @Sendable private func keep(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (_, guest) = try context.requireGuest()
        guard try await context.requireEvent().removals.keep(try Self.photo(context), by: guest) else {
            throw PortalError(.conflict, "too-late", "this photo is not being taken back, or it has gone already")
        }
        return Response(status: .noContent)
    }

    /// Ids are long random numbers; whatever else stands there names no photo.
    private static func photo(_ context: PortalContext) throws(PortalError) -> PhotoID {
        guard let id = context.parameters.get("id").flatMap({ PhotoID(hex: $0) }) else { throw .unknownPhoto }
        return id
    }
}
