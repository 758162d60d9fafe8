// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableCrypto
import DisposableModel
import DisposableNode
import DisposablePortal
import DisposableWire

/// The invitation for guests without a node.
struct GuestInvitation {
    let info: InvitationInfo

    init(_ info: InvitationInfo) { self.info = info }

    /// The four words with which people recognize the right event. Computed only where they are shown: that takes 64 MiB
    /// (`FingerprintWords`), more than everything else in a node without pages.
    var words: [String] {
        get throws { try FingerprintWords.words(of: try Invitation(text: info.invitation).eventKey) }
    }

    /// Returns the link of the wall at the address of a guests' link.
    static func wall(_ url: String, of info: InvitationInfo) -> String {
        guard let token = info.wallToken, let place = url.firstRange(of: "/#")?.lowerBound else {
            return url.replacing("/#", with: "/wall#")
        }
        return "\(url[..<place])/wall#\(token)"
    }

    /// Shows the invitation on the host's terminal.
    func show() throws {
        guard let url = info.guestURL else {
            if let local = info.localURL { Console.say("This machine's browsers find the pages at\n\n  \(local)\n") }
            return
        }
        Console.say("Guests on this network scan this, or open the link:\n")
        if Console.isTerminal, let code = QRCode(url) { Console.say(code.terminalText + "\n") }
        Console.say("  \(url)")
        for other in info.otherGuestURLs { Console.say("  or \(other)") }
        if let secure = info.secureURL { Console.say("  over HTTPS    \(secure), behind a warning") }
        Console.say("  code to type  \(info.guestCode)")
        Console.say("  projector     \(Self.wall(url, of: info))")
        Console.say("  look for      \(try words.joined(separator: " "))\n")
    }
}
