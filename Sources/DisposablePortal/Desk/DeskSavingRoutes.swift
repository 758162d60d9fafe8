// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWeb
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore

/// A selection of the desk's photos as one file, with their captions; and the album of an event.
///
///     GET    e/ID/zip    ?which=all|shown|hidden|favourites|pending|veiled &by=AUTHOR: the originals that are here
///     GET    e/ID/album  {album: {name, isSealed, state, done, total, photoCount?, leftOutCount?, lacksSheet?,
///                        byteCount?, passphrase?}}; {} if there is none
///     POST   e/ID/album  {isSealed?, passphrase?, hasOriginals?, onlyFavourites?, language?}: begins to make one
///     DELETE e/ID/album  ends that, and removes the file
///     GET    e/ID/album/file   the finished album, or a range of it
struct DeskSavingRoutes: Sendable {
    let desk: any Desk
    let events: EventTable
    /// Answers a question that is permitted from where the request comes.
    let answer: @Sendable (DeskQuestion, PortalContext) async throws -> Response
    /// Performs a command that is permitted from where the request comes.
    let act: @Sendable (DeskAct, PortalContext) async throws -> Response
    /// Throws if albums are not permitted from where the request comes.
    let admit: @Sendable (PortalContext) throws -> Void
    let form: @Sendable (Request) async throws -> DeskForm
    private let places = DownloadPlaces(.init(byOwner: 2, byAddress: 4, inAll: 4), slowAfter: .seconds(15))
    private static let entriesMax = ZIPLimits().entries

    init(
        desk: any Desk, events: EventTable,
        answer: @escaping @Sendable (DeskQuestion, PortalContext) async throws -> Response,
        act: @escaping @Sendable (DeskAct, PortalContext) async throws -> Response,
        admit: @escaping @Sendable (PortalContext) throws -> Void,
        form: @escaping @Sendable (Request) async throws -> DeskForm
    ) {
        (self.desk, self.events) = (desk, events)
        (self.answer, self.act, self.admit, self.form) = (answer, act, admit, form)
    }

    func add(to group: RouterGroup) {
        group.get("e/:event/zip", use: archive)
        group.get("e/:event/album") { _, context in try await answer(.album(try visit(context).event), context) }
        group.post("e/:event/album") { request, context in
            try await act(.makeAlbum(try visit(context).event, try await form(request)), context)
        }
        group.delete("e/:event/album") { _, context in
            try await act(.removeAlbum(try visit(context).event), context)
        }
        group.get("e/:event/album/file", use: album)
    }

    private func visit(_ context: PortalContext) throws(PortalError) -> (event: DeskEvent, session: Bytes32) {
        guard let event = context.parameters.get("event").flatMap({ DeskEvent($0) }),
            let session = context.desk?.session
        else { throw .unknownEvent }
        return (event, session)
    }

    /// A client whose connection breaks asks for the rest of it.
    @Sendable private func album(_ request: Request, _ context: PortalContext) async throws -> Response {
        try admit(context)
        let (event, session) = try visit(context)
        let place = try places.place(for: session, context)
        let file = try await desk.albumFile(in: event)
        let tag = "\"\(file.tag)\""
        let headers: HTTPFields = [
            .contentType: "application/zip", .contentDisposition: SavedName.attachment(file.name), .eTag: tag,
            .acceptRanges: "bytes", .cacheControl: "private, no-cache", .contentSecurityPolicy: PhotoAnswer.policy,
            .xContentTypeOptions: "nosniff",
        ]
        return PhotoAnswer.answer(to: request, file.bytes, headers, tag: tag, holding: place)
    }

    @Sendable private func archive(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (event, session) = try visit(context)
        let query = request.uri.queryParameters
        guard let which = query["which"].flatMap({ DeskPhotos(rawValue: String($0)) }) else {
            throw PortalError.malformed("which is a selection of photos, as favourites")
        }
        let author = try query["by"].map { text in
            guard let author = AuthorID(hex: text) else { throw PortalError.malformed("by is an author's key") }
            return author
        }
        let place = try places.place(for: session, context)
        let photos = try await photos(which, by: author, in: event)
        let here = photos.compactMap { photo in ZIPArchive.Item(photo).map { (photo: photo, item: $0) } }
        guard !here.isEmpty, here.count <= Self.entriesMax else {
            throw here.isEmpty
                ? PortalError(.notFound, "not-here", "there are no photos to save here yet", hint: "Try again later.")
                : PortalError(
                    .contentTooLarge, "too-many-photos", "an archive has at most \(Self.entriesMax) photos",
                    hint: "Save a smaller selection, such as the photos of one person.")
        }
        let items = here.map(\.item)
        let desk = desk
        let archive = ZIPArchive(items, record: Self.captions(of: here.map(\.photo), ZIPArchive.names(of: items))) {
            try await desk.bytes(.original, of: $0, in: event)
        }
        let name = await events[event.text]?.gallery.charter()?.name
        return archive.response(named: name, skippedCount: photos.count - items.count, holding: place)
    }

    /// Returns the whole selection, oldest first.
    private func photos(_ which: DeskPhotos, by author: AuthorID?, in event: DeskEvent) async throws -> [AlbumPhoto] {
        var photos: [AlbumPhoto] = []
        var cursor: PhotoID?
        repeat {
            let page = try await desk.photos(
                which, by: author, before: cursor, limit: DeskQuestion.limitMax, in: event)
            photos += page.photos
            cursor = page.next
        } while cursor != nil && photos.count <= Self.entriesMax
        return which.isOldestFirst ? photos : photos.reversed()
    }

    /// Returns a text with a line for each photo that has a caption; `nil` without any.
    private static func captions(of photos: [AlbumPhoto], _ names: [String]) -> ZIPArchive.Record? {
        let lines = zip(photos, names).compactMap { photo, name in
            photo.caption.map { "\(name): \($0.replacing("\n", with: " "))\n" }
        }
        guard !lines.isEmpty, let latest = photos.last else { return nil }
        return ZIPArchive.Record(
            name: "captions.txt", bytes: Array(lines.joined().utf8),
            modified: DOSTime(milliseconds: latest.addedAtMilliseconds))
    }
}
