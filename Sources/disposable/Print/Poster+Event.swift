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
    ///   - templates: files of drawings in place of the program's own.
    init(
        _ info: InvitationInfo, pages: PageAddress, second: PageAddress? = nil, wifi: WiFiNetwork?, language: Language,
        templates: [String] = []
    ) throws {
        guard second != pages else {
            throw Failure(
                "the second address is the first one, \(pages)", hint: "name the address of another node's pages",
                reason: "same-address")
        }
        let texts = PrintTexts.of(language)
        let invitation = try Invitation(text: info.invitation)
        let guestLink = GuestLink(event: EventID(key: invitation.eventKey), secret: invitation.secret)
        let organizer = info.organizer ?? ""
        // For a start in the past, the hour is left out.
        let date = info.startsAt.map { start in
            let isPast = Double(start) <= Date.now.timeIntervalSince1970 * 1_000
            return language.text(isPast ? texts.date : texts.dateAndHour, milliseconds: start)
        }
        link = guestLink.text(at: pages)
        self.texts = texts
        colors = ThemeColors(word: info.theme)
        self.templates = try (PrintTemplates.paths + templates).map(PrintTemplate.init)
        contents = [
            "title": info.name, "host": organizer.isEmpty ? texts.noHost : texts.host(organizer), "date": date,
            "cover": info.cover, "gallery-code": link, "wifi-code": wifi?.text,
            "second-code": second.map(guestLink.text), "join": texts.joinWiFi, "scan": texts.scan,
            "on-wifi": texts.onWiFi, "wifi-label": texts.wifi, "wifi-name": wifi?.name, "password": wifi?.password,
            "password-label": wifi?.password == nil ? texts.noPassword : texts.password,
            "address-label": texts.typeAddress, "address": pages.description,
            "code-label": texts.typeCode, "code": guestLink.spacedCode, "ticket-label": nil, "ticket": nil,
            "second-heading": texts.otherwise, "second-address": second.map { "\(texts.otherwise) \($0)" },
            "stay-connected": texts.stayConnected, "words-label": texts.wordsFollow,
            "words": try FingerprintWords.words(of: invitation.eventKey).joined(separator: "  ·  "),
            // Drawn for the designer alone.
            "sample": nil,
        ]
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
