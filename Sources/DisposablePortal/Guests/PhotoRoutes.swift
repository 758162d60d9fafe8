// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore

/// Photos, their bytes, and deleting them (protocol/guest-api.md §4).
struct PhotoRoutes: Sendable {
    let limits: PortalLimits

    func add(to group: RouterGroup) {
        group.get("api/photos", use: list)
        group.get("api/people", use: people)
        group.get("api/times", use: times)
        group.get("api/photos/:id", use: show)
        group.delete("api/photos/:id", use: remove)
        group.post("api/photos/:id/keep", use: keep)
        for blobClass in BlobClass.allCases {
            group.get("photos/:id/\(blobClass.pathName)") { request, context in
                let (session, photo) = (try context.requireSession(), try context.photo())
                return try await PhotoAnswer(request: request, session: session).bytes(blobClass, of: photo)
            }
        }
    }

    private struct ListMessage: Encodable {
        let photos: [PhotoMessage]
        /// Null on the last page.
        let next: OrNull<String>
        let count: Int
        /// When the first of all pages' photos was added.
        let earliest: OrNull<UInt64>
    }

    @Sendable private func list(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.requireSession()
        let query = request.uri.queryParameters
        let limit = try query["limit"].map { text in
            guard let limit = Int(text), (1...limits.answers.photoCountMax).contains(limit) else {
                throw PortalError.malformed("limit is a number from 1 to \(limits.answers.photoCountMax)")
            }
            return limit
        }
        let cursor = try query["before"].map { text in
            guard let id = PhotoID(hex: text) else { throw PortalError.malformed("before is a photo's id") }
            return id
        }
        let author = try Self.author(request)
        let group = try Self.group(request)
        let isMine = query["mine"] == "1"
        let excludesOthers =
            switch group {
            case .highlights, .mission, .zone: true
            case .all, .moment: false
            }
        guard [isMine, author != nil, excludesOthers].count(where: { $0 }) <= 1 else {
            throw PortalError.malformed("one of mine, author, highlights, mission and zone")
        }
        if isMine, session.guest == nil {
            return try .json(ListMessage(photos: [], next: OrNull(nil), count: 0, earliest: OrNull(nil)))
        }
        let (pageLimit, photos) = (limit ?? limits.answers.photoCount, session.gallery)
        let isWhole = !isMine && group == .all
        let page =
            isWhole && query["veiled"] == "1"
            ? try await photos.photosWithVeiled(before: cursor, limit: pageLimit, by: author)
            : try await photos.photos(
                before: cursor, limit: pageLimit, by: isMine ? session.guest : author, among: group,
                for: isMine ? session.guest : nil)
        let origins = isWhole && author == nil ? await photos.origins(of: page.photos.map(\.id)) : [:]
        return try .json(
            ListMessage(
                photos: page.photos.map { PhotoMessage($0, for: session.guest, event: origins[$0.id]) },
                next: OrNull(page.next?.description), count: page.totalCount,
                earliest: OrNull(page.earliestMilliseconds)))
    }

    /// Returns the part of the photos that the query names.
    private static func group(_ request: Request) throws -> PhotoGroup {
        let query = request.uri.queryParameters
        var groups: [PhotoGroup] = []
        if query["highlights"] == "1" { groups.append(.highlights) }
        if let text = query["moment"] {
            guard let day = UInt32(text), day > 0 else { throw PortalError.malformed("moment is the number of a day") }
            groups.append(.moment(day))
        }
        if let text = query["mission"] {
            guard let id = UInt32(text), id > 0 else { throw PortalError.malformed("mission is the id of a mission") }
            groups.append(.mission(id))
        }
        if let name = query["zone"] {
            guard Label.isAcceptable(String(name)) else { throw PortalError.malformed("zone is the name of a place") }
            groups.append(.zone(String(name)))
        }
        guard groups.count <= 1 else { throw PortalError.malformed("one of highlights, moment, mission and zone") }
        return groups.first ?? .all
    }

    private static func author(_ request: Request) throws -> AuthorID? {
        try request.uri.queryParameters["author"].map { text in
            guard let author = AuthorID(hex: text) else { throw PortalError.malformed("author is an author's key") }
            return author
        }
    }

    private struct PeopleMessage: Encodable {
        struct Person: Encodable {
            let id: String
            let name: OrNull<String>
            let count: Int
        }
        struct Zone: Encodable {
            let name: String
            let count: Int
        }
        let people: [Person]
        /// The number of all people, listed or not.
        let count: Int
        let zones: [Zone]
    }

    @Sendable private func people(_ request: Request, _ context: PortalContext) async throws -> Response {
        let gallery = try context.requireSession().gallery
        let page = try await gallery.photographers(limit: limits.answers.photographerCountMax)
        let people = page.photographers.map {
            PeopleMessage.Person(id: $0.author.description, name: OrNull($0.name), count: $0.photoCount)
        }
        let zones = try await gallery.zoneCounts().map { PeopleMessage.Zone(name: $0.name, count: $0.photoCount) }
        return try .json(PeopleMessage(people: people, count: page.totalCount, zones: zones))
    }

    private struct TimesMessage: Encodable {
        struct Time: Encodable {
            let from: UInt64
            let count: Int
            /// The newest one with a thumbnail.
            let photo: OrNull<String>
        }
        let times: [Time]
        let turned: TurnedMessage
    }

    @Sendable private func times(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.requireSession()
        let author = try Self.author(request)
        let isMine = request.uri.queryParameters["mine"] == "1"
        guard !isMine || author == nil else { throw PortalError.malformed("one of mine and author") }
        let isNobodys = isMine && session.guest == nil
        let quarters = isNobodys ? [] : try await session.gallery.photoQuarters(
            limit: limits.answers.quarterCountMax, by: isMine ? session.guest : author,
            for: isMine ? session.guest : nil)
        return try .json(
            TimesMessage(
                times: quarters.map {
                    .init(from: $0.number * 900_000, count: $0.count, photo: OrNull($0.example?.description))
                }, turned: try await TurnedMessage(quarters.compactMap(\.example), in: session.gallery)))
    }

    @Sendable private func show(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.requireSession()
        let id = try context.photo()
        if request.uri.queryParameters["veiled"] == "1", let veiled = await session.gallery.veiledPhoto(id),
            veiled.author != session.guest
        {
            return try .json(PhotoMessage(veiled, for: session.guest))
        }
        let photo = try await session.gallery.photo(id, for: session.guest)
        let origin = await session.gallery.origins(of: [id])[id]
        return try .json(PhotoMessage(photo, for: session.guest, event: origin))
    }

    private struct RemovalMessage: Encodable { let removedAt: UInt64 }

    @Sendable private func remove(_ request: Request, _ context: PortalContext) async throws -> Response {
        try .json(RemovalMessage(removedAt: try await Self.remove(context)), status: .accepted)
    }

    @Sendable private func keep(_ request: Request, _ context: PortalContext) async throws -> Response {
        try await Self.keep(context)
        return Response(status: .noContent)
    }

    /// Starts the deletion of the path's photo; returns the time when it takes effect, in milliseconds since 1970.
    static func remove(_ context: PortalContext) async throws -> UInt64 {
        let photo = try context.photo()
        let (session, guest) = try await context.requireActingGuest()
        return try await session.gallery.remove(photo, by: guest).dueAtMilliseconds
    }

    /// Throws 409 when it is too late.
    static func keep(_ context: PortalContext) async throws {
        let (session, guest) = try context.requireGuest()
        guard try await session.gallery.undoRemoval(of: try context.photo(), by: guest) else {
            throw PortalError(.conflict, "too-late", "the deletion of this photo is not pending")
        }
    }
}
