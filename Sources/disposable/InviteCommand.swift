// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposablePortal
import DisposableSystem
import DisposableWire
import Foundation
import Synchronization

struct InviteShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the guests' link, print it, write it for a tag, or show the nodes' invitation.",
        discussion: """
            The link opens the pages of a running node in any browser on the network. The nodes' invitation admits a \
            machine that runs disposable: give it to people, not to the network.

              disposable invite --qr svg > party.svg
              disposable invite --poster party.pdf --wifi "Party" --wifi-password "correct horse"
              disposable invite --card party.png
              disposable invite --tag party.ndef
              disposable invite --tickets 150 --cards tickets.pdf

            A poster can be printed days before: choose the address that this machine will have at the event, in your \
            own router or hotspot, with --address. The node compares it at the start, and shows how to add the \
            address.
            """)

    @Flag(help: "The nodes' invitation instead of the guests' link.")
    var node = false

    @Flag(help: "The link of the wall, for a projector: live photos, with the code to join.")
    var wall = false

    @Option(help: "As a QR code: terminal, svg or png; pictures go to standard output.")
    var qr: CodeFormat?

    @Option(
        help: ArgumentHelp(
            "Make a poster, four cards and a tent for tables: a PDF of three A4 pages.", valueName: "file.pdf"))
    var poster: String?

    @Option(help: ArgumentHelp("Make one card to send, as PNG or PDF.", valueName: "file"))
    var card: String?

    @Option(help: ArgumentHelp("Write the link for an NFC tag, as an NDEF message.", valueName: "file"))
    var tag: String?

    @Option(
        help: ArgumentHelp(
            "Make so many tickets, each for one person: one link a line, or cards with --cards.", valueName: "count"))
    var tickets: Int?

    @OptionGroup var printing: TicketPrinting

    @Option(help: ArgumentHelp("The name of the Wi-Fi, to print a code that joins it.", valueName: "name"))
    var wifi: String?

    @Option(help: ArgumentHelp("The password of the Wi-Fi; it is printed.", valueName: "password"))
    var wifiPassword: String?

    @Flag(help: "The Wi-Fi hides its name.")
    var wifiHidden = false

    @Option(
        help: ArgumentHelp(
            "The address of the pages at the event (default: the present one), or https://NAME[:PORT].",
            valueName: "ip[:port]"))
    var address: String?

    @Option(
        help: ArgumentHelp(
            "The address of another node's pages, which posters and cards have as well, for when the first one does not "
                + "answer.", valueName: "ip[:port]"))
    var secondAddress: String?

    @Option(help: "The language of posters and cards: en or fr (default: that of $LC_ALL or $LANG).")
    var language: Language?

    enum CodeFormat: String, ExpressibleByArgument, CaseIterable {
        case terminal, svg, png
    }

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        let isPrinting = poster != nil || card != nil || printing.cards != nil
        guard tickets.map({ (1...EventState.ticketsMax).contains($0) }) ?? (printing.cards == nil) else {
            throw ValidationError("write a number of tickets, as --tickets 150: 1 to \(EventState.ticketsMax)")
        }
        guard tickets == nil || (poster == nil && card == nil && tag == nil) else {
            throw ValidationError("--tickets makes cards of its own: write --cards FILE.pdf, without --poster, --card and --tag")
        }
        let isPlain = wifi == nil && wifiPassword == nil && !wifiHidden && language == nil && printing.template.isEmpty
        guard isPrinting || isPlain else {
            throw ValidationError(
                "--wifi, --wifi-password, --wifi-hidden, --language and --template need --poster, --card or --cards")
        }
        guard isPlanned || address == nil else {
            throw ValidationError("--address needs --poster, --card, --tag or --tickets")
        }
        guard secondAddress == nil || poster != nil || card != nil else {
            throw ValidationError("--second-address needs --poster or --card")
        }
        guard wifi != nil || (wifiPassword == nil && !wifiHidden) else {
            throw ValidationError("--wifi-password and --wifi-hidden need the name: --wifi NAME")
        }
        guard !(wall && node) else {
            throw ValidationError("--wall is for a projector, --node for other nodes: choose one")
        }
        guard !isPlanned || (qr == nil && !node && !wall) else {
            throw ValidationError("--poster, --card and --tag are for guests: they exclude --qr, --node and --wall")
        }
        if let poster, !poster.lowercased().hasSuffix(".pdf") {
            throw ValidationError("a poster is a PDF: name a file that ends in .pdf")
        }
        if let card, !card.lowercased().hasSuffix(".pdf"), !card.lowercased().hasSuffix(".png") {
            throw ValidationError("a card is a PNG or a PDF: name a file that ends in .png or .pdf")
        }
    }

    /// Whether the link is for the time of the event, and is kept on paper or a tag.
    private var isPlanned: Bool { poster != nil || card != nil || tag != nil || tickets != nil }

    func run() async throws {
        if let tickets {
            let network = try wifi.map { try WiFiNetwork(name: $0, password: wifiPassword, isHidden: wifiHidden) }
            let paper = TicketPrinting.Paper(address: address, wifi: network, language: language)
            guard let plan = try await printing.plan(event, common, paper: paper) else { return }
            let made = try await askForTickets(.create(tickets), in: event, common)
            return try await printing.print(made, by: plan, common)
        }
        let answer = Mutex<InvitationInfo?>(nil)
        try await ask(.invite(event: event.event, isPrinted: isPlanned), common) { reply in
            if case .invitation(let info) = reply { answer.withLock { $0 = info } }
        }
        guard let info = answer.withLock(\.self) else { return }
        if isPlanned { return try await printed(info) }
        let pages = info.guestURL ?? info.localURL
        let shown = wall ? pages.map { GuestInvitation.wall($0, of: info) } : pages
        guard let text = node ? info.invitation : shown else {
            throw Failure(
                "no node is running here, so there are no pages to link to",
                hint: "start it with `disposable run`, or show the nodes' invitation with --node", exitCode: 3)
        }
        if let qr {
            guard let code = QRCode(text) else {
                throw Failure("a text of \(text.count) characters does not fit into a QR code")
            }
            switch qr {
            case .terminal: Console.line(code.terminalText)
            case .svg: Console.line(code.svg)
            case .png: Console.write(code.png())
            }
            return
        }
        common.console.json("invitation", info)
        common.console.result(text)
        if node, info.addresses.isEmpty {
            Console.say("disposable: hint: no node is running here, so the invitation has no address")
        }
        if !node { Console.say("code to type: \(info.guestCode)") }
    }

    // Paper and tags

    private struct Printed: Encodable {
        let file: String
        let pages: Int
        let address: String
    }

    private struct WrittenTag: Encodable {
        let file: String
        let byteCount: Int
        let link: String
    }

    private func write(_ link: String, to file: String) throws {
        guard let content = NFCTag(link: link) else {
            throw Failure("the link does not fit on a tag: \(link)")
        }
        do {
            try Data(content.bytes).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw Failure("cannot write \(file): \(error.localizedDescription)")
        }
        common.console.json("tag", WrittenTag(file: file, byteCount: content.bytes.count, link: link))
        common.console.result("\(file): \(content.bytes.count) bytes for any tag that takes NDEF messages: \(link)")
    }

    private func printed(_ info: InvitationInfo) async throws {
        let network = try wifi.map { try WiFiNetwork(name: $0, password: wifiPassword, isHidden: wifiHidden) }
        let pages = try Poster.pages(of: info, wanted: address, in: common.folder)
        let second = try secondAddress.map { try Poster.pages(of: info, wanted: $0, in: common.folder) }
        let content = try Poster(
            info, pages: pages, second: second, wifi: network, language: language ?? .ofTerminal,
            templates: printing.template)
        let files = try [poster.map { ($0, try content.sheets()) }, card.map { ($0, [try content.card()]) }]
        for (file, sheets) in files.compactMap(\.self) {
            try await Printer.print(sheets, to: file)
            common.console.json("printed", Printed(file: file, pages: sheets.count, address: pages.description))
            common.console.result(
                "\(file): \(sheets.count == 1 ? "1 page" : "\(sheets.count) pages"), every code verified")
        }
        if let tag { try write(content.link, to: tag) }
        // A name is looked up when the node starts.
        guard !pages.isSecure else { return }
        try common.folder.plan(pages: pages.address)
        if let command = AddressPlan.commandToTake(pages.address.host) {
            Console.say(
                "disposable: note: this machine does not have \(pages.address.host) now; at the event, before the node starts: \(command)"
            )
        }
    }
}

/// Comparison of the printed address with this machine's addresses.
enum AddressPlan {
    /// Returns the command that sets the address; `nil` if the machine has it, or the system does not list addresses.
    static func commandToTake(_ host: String) -> String? {
        guard let addresses = InterfaceAddress.all(), !addresses.contains(where: { $0.host == host }) else {
            return nil
        }
        let isIPv6 = host.contains(":")
        let likely = addresses.filter { !$0.isLoopback && $0.isRunning }.min { ($0.rank, $0.name) < ($1.rank, $1.name) }
        return "sudo ip address add \(host)/\(isIPv6 ? 64 : 24) dev \(likely?.name ?? "wlan0")"
    }

    /// Returns the warning for a node that starts, if posters would lead guests to another address.
    static func warning(planned: PeerAddress?, portal: PeerAddress?) -> (message: String, hint: String)? {
        guard let planned else { return nil }
        if let command = commandToTake(planned.host) {
            return ("the printed posters say \(planned.host), which this machine does not have now", command)
        }
        guard let portal, portal.port != planned.port else { return nil }
        return (
            "the printed posters say port \(planned.port), and the pages are on port \(portal.port)",
            "stop the program on port \(planned.port), and start with --portal 0.0.0.0:\(planned.port)"
        )
    }
}
