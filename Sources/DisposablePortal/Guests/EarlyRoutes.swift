// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// Previews of photos whose originals are still on their way: sent by the author's page, shown on this node's pages
/// (protocol/guest-api.md §5).
struct EarlyRoutes: Sendable {
    let limits: PortalLimits

    func add(to group: RouterGroup) {
        group.put("uploads/:upload/preview", use: put)
        group.get("api/early", use: list)
        group.get("early/:id/thumbnail") { request, context in
            try await bytes(request, context, \.thumbnail)
        }
        group.get("early/:id/preview") { request, context in
            try await bytes(request, context, \.preview)
        }
    }

    @Sendable private func put(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (session, guest) = try context.requireGuest()
        let event = try context.requireEvent()
        let store = event.uploads
        guard request.headers[.contentType] == "image/jpeg" else {
            throw PortalError(.unsupportedMediaType, "wrong-content-type", "a preview is image/jpeg")
        }
        guard let id = context.parameters.get("upload").flatMap({ UploadID(hex: $0) }),
            await store.isUnfinished(id, of: session)
        else { throw PortalError.unknownUpload }
        let body = try await request.body(upTo: limits.bodies.earlyPreviewByteCountMax)
        let jpeg = Array(body.readableBytesView)
        guard jpeg.starts(with: [0xFF, 0xD8, 0xFF]) else {
            throw PortalError(Refusal.refusedFile(reason: "a preview is a JPEG"))
        }
        guard try await session.gallery.showsAtOnce(photosBy: guest) else {
            throw PortalError(Refusal.notShownYet)
        }
        let status = try await session.gallery.guest(guest)
        if let limit = status.frameLimit,
            UInt64(status.usedFrameCount + store.previews.count(of: guest)) >= limit
        {
            throw PortalError(try await session.gallery.fullRefusal(of: guest, limit: limit))
        }
        try event.gate.admitEarlyPreview(by: guest)
        let pictures = try await store.rendering.withPlace(for: guest, at: context.addressKey) {
            try await session.gallery.smallPictures(of: jpeg)
        }
        let preview = EarlyPreview(author: guest, addedAtMilliseconds: Milliseconds.now, pictures: pictures)
        guard await store.show(preview, of: id, in: session) else { throw PortalError.unknownUpload }
        return Response(status: .noContent)
    }

    private struct ListMessage: Encodable { let photos: [EarlyMessage] }

    @Sendable private func list(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (event, session) = (try context.requireEvent(), try context.requireSession())
        var photos: [EarlyMessage] = []
        for preview in event.uploads.previews.all {
            if let message = await EarlyMessage(preview, for: session.guest, in: session.gallery) {
                photos.append(message)
            }
        }
        return try .json(ListMessage(photos: photos))
    }

    private func bytes(
        _ request: Request, _ context: PortalContext, _ part: KeyPath<SmallPictures, [UInt8]>
    ) async throws -> Response {
        let (event, session) = (try context.requireEvent(), try context.requireSession())
        guard let id = context.parameters.get("id").flatMap({ UploadID(hex: $0) }),
            let preview = event.uploads.previews[id],
            await EarlyMessage(preview, for: session.guest, in: session.gallery) != nil
        else { throw Refusal.unknownPhoto(context.parameters.get("id") ?? "") }
        let bytes = preview.pictures[keyPath: part]
        return Response(
            status: .ok,
            headers: [
                .contentType: MediaType.jpeg.rawValue, .cacheControl: "private, max-age=600",
                .contentSecurityPolicy: PhotoAnswer.policy,
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// An early preview with the eyes of one guest.
struct EarlyMessage: Encodable, Sendable {
    let id: String
    let author: String
    let authorName: OrNull<String>
    let isMine: Bool
    let addedAt: UInt64
    let width: UInt32
    let height: UInt32

    /// Returns `nil` if photos by this author are no longer shown at once.
    init?(_ preview: EarlyPreview, for viewer: AuthorID?, in gallery: any Gallery) async {
        guard (try? await gallery.showsAtOnce(photosBy: preview.author)) == true,
            let author = try? await gallery.guest(preview.author)
        else { return nil }
        id = preview.id.description
        self.author = preview.author.description
        authorName = OrNull(author.name)
        isMine = preview.author == viewer
        addedAt = preview.addedAtMilliseconds
        (width, height) = (preview.pictures.width, preview.pictures.height)
    }
}
