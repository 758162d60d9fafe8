// SPDX-License-Identifier: Apache-2.0
internal import DisposableWeb
internal import HummingbirdCore

/// Files that the organizer adds at the desk as photos of the node's person.
///
///     PUT    e/ID/files   the bytes of a photo or a video; {photo, isNew}
struct DeskAddingRoutes: Sendable {
    let events: EventTable
    let limits: PortalLimits
    /// Performs a command that is permitted from where the request comes.
    let act: @Sendable (DeskAct, PortalContext) async throws -> Response
    /// Throws if the command is not permitted from where the request comes.
    let admit: @Sendable (PortalContext) throws -> Void

    func add(to group: RouterGroup) {
        group.put("e/:event/files", use: add)
    }

    /// The file is kept only until the photo is added.
    @Sendable private func add(_ request: Request, _ context: PortalContext) async throws -> Response {
        try admit(context)
        guard let event = context.parameters.get("event").flatMap({ DeskEvent($0) }) else {
            throw PortalError.unknownEvent
        }
        let upload = DeskUpload(
            events: events, byteCountMax: limits.uploads.byteCount, hint: "Save it smaller, and add it again.")
        return try await upload.receiving(request, for: event) { path in
            try await act(.addPhoto(event, path: path), context)
        }
    }
}
