// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation

extension EventNode {
    /// The nodes' invitation, with the addresses at which this node can be reached from elsewhere.
    public var invitation: InvitationInfo {
        let addresses = context.reachableAddresses
        let link = links.current
        let guestURLs = guestLinks
        let invitation = Invitation(
            eventKey: store.keys.eventKey, secret: replica.keyring.current.secret, name: name, addresses: addresses)
        return InvitationInfo(
            event: event.description, name: name, organizer: replica.state.charter?.organizer.name,
            startsAt: replica.state.charter.flatMap { $0.isUndatedDraft ? nil : $0.schedule.startsAtMilliseconds },
            invitation: invitation.text,
            addresses: addresses.map(\.description), guestURL: guestURLs.first,
            otherGuestURLs: Array(guestURLs.dropFirst()), guestCode: link.spacedCode,
            localURL: context.reach.portal.map {
                link.text(at: PageAddress(PeerAddress(host: "127.0.0.1", port: $0.port)))
            },
            theme: replica.state.charter?.options.theme.word, secureURL: warnedLink,
            wallToken: links.wall.tokenText)
    }

    /// Returns the same with the event's cover, for print.
    func printedInvitation() async throws -> InvitationInfo {
        var info = invitation
        guard let cover = try await picture(.cover),
            let preview = try await reader(.preview, of: cover.photo, for: nil)
        else { return info }
        info.cover = try await readers.run { Data(try preview.read(0..<preview.byteCount)).base64EncodedString() }
        return info
    }
}
