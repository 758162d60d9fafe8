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

extension PortalError {
    init(_ refusal: VeilRefusal) {
        switch refusal {
        case .off: self.init(.conflict, "veils-off", "the host has not switched on that guests have photos veiled")
        case .own: self.init(.conflict, "own-photo", "this is your own photo", hint: "Delete it instead.")
        case .lifted:
            self.init(
                .conflict, "veil-lifted", "the host has looked at this photo and decided to show it",
                hint: "Talk to the host if you do not agree.")
        case .usedUp:
            self.init(
                .conflict, "too-many-veils", "you have asked for \(Veils.perAuthorMax) photos, and none of them has been taken away",
                hint: "Show this photo to the host.")
        case .full:
            self.init(
                .conflict, "too-many-veils", "the host has many photos to look at already", hint: "Show this photo to the host.")
        }
    }
}
