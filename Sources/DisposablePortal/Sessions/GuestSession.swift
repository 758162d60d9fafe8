// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel

/// The rights of a browser that has shown the event's token or code, until it leaves (protocol/guest-api.md §2).
package struct GuestSession: Sendable {
    package let gallery: any Gallery
    /// The hash of the session's 32 bytes, which identifies it.
    package let id: Bytes32
    /// Derived from the session's bytes, which the node does not keep: encrypts what is stored for it. 32 bytes.
    package let storageKey: SecretBytes
    /// The author of its photos; `nil` until the browser has proved a guest's key.
    package let guest: AuthorID?
    /// The delegation with which the guest's sub-key joins the event, once the guest signs something; `nil` afterwards.
    let delegation: Delegation?
    /// The key that opened it.
    let opening: SessionOpening

    package init(
        gallery: any Gallery, id: Bytes32, storageKey: SecretBytes, guest: AuthorID?, delegation: Delegation? = nil,
        opening: SessionOpening = SessionOpening()
    ) {
        self.gallery = gallery
        self.id = id
        self.storageKey = storageKey
        self.guest = guest
        self.delegation = delegation
        self.opening = opening
    }

    /// The owner for limits: the guest, in all of its sessions, or the session without a guest.
    package var owner: Bytes32 { guest?.bytes32 ?? id }
}

/// The key that has opened a session; a part of its record.
package struct SessionOpening: Codable, Equatable, Sendable {
    package enum Key: String, Codable, Sendable {
        /// The guests' link or code.
        case link
        /// A one-time code of a guest.
        case handover
        /// The code that the wall shows, typed or scanned.
        case wallCode
        /// The wall's own link.
        case wall
    }

    package var key = Key.link
    /// The guest whose one-time code it was: 64 hexadecimal digits.
    package var guest: String?
    /// The mark of the wall's link: once the event secret is replaced, the session is told no more codes.
    package var mark: String?
    /// In milliseconds since 1970 UTC; 0 for other keys.
    package var openedAt: UInt64 = 0
    /// Whether another phone of that guest has ended the session. Its browser learns so, and forgets the guest.
    package var isEnded = false

    package init() {}

    init(_ key: Key, mark: String? = nil) { (self.key, self.mark) = (key, mark) }

    /// Whether it is enough where the wall shows a code of its own.
    var isAtWall: Bool { key == .wallCode || key == .wall }

    /// Whether it is the wall's own link with the present secret.
    func shows(_ wall: WallCode) -> Bool { key == .wall && mark == wall.mark }

    /// The opening with the one-time code of a guest.
    static func handover(by guest: AuthorID, at milliseconds: UInt64) -> Self {
        var opening = Self()
        (opening.key, opening.guest, opening.openedAt) = (.handover, guest.description, milliseconds)
        return opening
    }
}
