// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire
internal import Synchronization

/// The data of an event that a node needs at once, without waiting for the event's actor: to recognize its connections,
/// to advertise it, to find it by its name. The event updates it; any thread may read it.
final class EventSummary: Sendable {
    struct Content: Sendable {
        let event: EventID
        var name: String
        var keyring: Keyring
        /// `nil` until a member has sent it.
        var charter: Charter?
        /// Addresses of members, met or from an invitation.
        var memberHosts: [String]
        /// Whether this node's device may serve the guests' pages.
        var mayServeGuests: Bool
        /// Whether this node only reads the event, because its gallery is joined with that of another.
        var isReader: Bool
    }

    private let content: Mutex<Content>

    init(_ content: Content) { self.content = Mutex(content) }

    var current: Content { content.withLock { $0 } }

    /// - Returns: whether the advertisement changes.
    func update(_ new: Content) -> Bool {
        content.withLock { old in
            defer { old = new }
            return old.charter != new.charter
        }
    }
}
