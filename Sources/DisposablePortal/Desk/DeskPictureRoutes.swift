// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HummingbirdCore

/// The event's cover and plan at the desk.
///
///     POST   e/ID/pictures/ROLE        {photo}: cover or plan; null takes the picture off; {photo}
///     PUT    e/ID/pictures/ROLE/file   the bytes of an image, which is added as a photo; {photo}
struct DeskPictureRoutes: Sendable {
    let events: EventTable
    let limits: PortalLimits
    /// Performs a command that is permitted from where the request comes.
    let act: @Sendable (DeskAct, PortalContext) async throws -> Response
    /// Throws if the command is not permitted from where the request comes.
    let admit: @Sendable (PortalContext) throws -> Void

    func add(to group: RouterGroup) {
        group.post("e/:event/pictures/:role", use: set)
        group.put("e/:event/pictures/:role/file", use: upload)
    }

    private struct PictureMessage: Decodable { let photo: String? }

    @Sendable private func set(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(PictureMessage.self, limits: limits)
        let photo = try message.photo.map { text in
            guard let photo = PhotoID(hex: text) else { throw Refusal.unknownPhoto(text) }
            return photo
        }
        return try await act(.setPicture(try event(context), try role(context), photo), context)
    }

    /// The file is kept only until the photo is added.
    @Sendable private func upload(_ request: Request, _ context: PortalContext) async throws -> Response {
        try admit(context)
        let (event, role) = (try event(context), try role(context))
        let upload = DeskUpload(
            events: events, byteCountMax: limits.bodies.pictureByteCountMax, hint: "Save it smaller, and add it again.")
        return try await upload.receiving(request, for: event) { path in
            try await act(.addPicture(event, role, path: path), context)
        }
    }

    private func event(_ context: PortalContext) throws(PortalError) -> DeskEvent {
        guard let event = context.parameters.get("event").flatMap({ DeskEvent($0) }) else { throw .unknownEvent }
        return event
    }

    private func role(_ context: PortalContext) throws(PortalError) -> PictureRole {
        guard let role = PictureRole.allCases.first(where: { "\($0)" == context.parameters.get("role") }) else {
            throw .notFound
        }
        return role
    }
}
