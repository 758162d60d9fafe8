// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposablePortal
import DisposableValues
import DisposableWire
import Foundation

extension Poster {
    /// - Parameters:
    ///   - pages: the address of the pages at the event.
    ///   - second: the same of another node, for when the first one does not answer.
    init(
        _ info: InvitationInfo, pages: PageAddress, second: PageAddress? = nil, wifi: WiFiNetwork?, language: Language
    ) throws {
        let texts = PrintTexts.of(language)
        let invitation = try Invitation(text: info.invitation)
        let link = GuestLink(event: EventID(key: invitation.eventKey), secret: invitation.secret)
        title = info.name
        let organizer = info.organizer ?? ""
        hostLine = organizer.isEmpty ? texts.noHost : texts.host(organizer)
        // For a start in the past, the hour is left out.
        dateLine = info.startsAt.map { start in
            let isPast = Double(start) <= Date.now.timeIntervalSince1970 * 1_000
            return language.text(isPast ? texts.date : texts.dateAndHour, milliseconds: start)
        }
        self.link = link.text(at: pages)
        address = pages.description
        code = link.spacedCode
        words = try FingerprintWords.words(of: invitation.eventKey)
        self.wifi = wifi
        self.texts = texts
        colors = ThemeColors(word: info.theme)
        cover = info.cover
        guard let second else { return }
        guard second != pages else {
            throw Failure(
                "the second address is the first one, \(pages)", hint: "name the address of another node's pages",
                reason: "same-address")
        }
        self.second = SecondNode(address: second.description, link: link.text(at: second))
    }

    /// Returns the address of the pages for guests: the requested, the present or the earlier planned one.
    static func pages(of info: InvitationInfo, wanted address: String?, in folder: DataFolder) throws -> PageAddress {
        let port = folder.rememberedPagePort ?? 8027
        if let address {
            // Over HTTPS the host may be a name.
            if let pages = PageAddress(url: address), pages.isSecure { return pages }
            let pages = PeerAddress(address) ?? PeerAddress(host: address, port: port)
            guard IPAddress.isNumeric(pages.host), !pages.host.contains("%") else {
                throw Failure(.invalidAddress(address))
            }
            return PageAddress(pages)
        }
        let now = info.guestURL.flatMap { PageAddress(url: $0) }
        guard let pages = now ?? folder.plannedPages.map({ PageAddress($0) }) else {
            guard info.localURL == nil else {
                throw Failure(
                    "this machine has no network yet, so its address at the event is not known",
                    hint: "name the address at the event with --address", reason: "no-network")
            }
            throw Failure(
                "no node is running here, so the address to print is unknown",
                hint: "start it with `disposable run`, or name the address at the event with --address")
        }
        return pages
    }
}
