// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// Photos of others in which a guest does not want to be (protocol/guest-api.md §14).
struct VeilRoutes: Sendable {
    func add(to group: RouterGroup) {
        group.put("api/photos/:id/veil") { _, context in try await set(true, context) }
        group.delete("api/photos/:id/veil") { _, context in try await set(false, context) }
    }

    private func set(_ isOn: Bool, _ context: PortalContext) async throws -> Response {
        let photo = try context.photo()
        let (session, guest) = try await context.requireActingGuest()
        try context.requireEvent().gate.admitRemark(by: guest)
        try await context.stating(by: guest) { try await session.gallery.setVeil(isOn, on: photo, by: guest) }
        return Response(status: .noContent)
    }
}
