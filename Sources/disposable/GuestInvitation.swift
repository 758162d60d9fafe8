// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableCrypto
import DisposableModel
import DisposableNode
import DisposablePortal
import DisposableWire

/// How guests without a node come in: what to show them.
struct GuestInvitation {
    let info: InvitationInfo
    /// By which people know that they look at the right event.
    let words: [String]

    init(_ info: InvitationInfo) throws {
        self.info = info
        words = try FingerprintWords.words(of: try Invitation(text: info.invitation).eventKey)
    }

    /// The link of the wall that belongs to the guests' link.
    static func wall(_ url: String) -> String { url.replacing("/#", with: "/wall#") }

    /// For the terminal of whoever hosts.
    func show() throws {
        guard let url = info.guestURL else {
            if let local = info.localURL { Console.say("This machine's browsers find the pages at\n\n  \(local)\n") }
            return
        }
        Console.say("Guests on this network scan this, or open the link:\n")
        if Console.isTerminal, let code = QRCode(url) { Console.say(code.terminalText + "\n") }
        Console.say("  \(url)")
        for other in info.otherGuestURLs { Console.say("  or \(other)") }
        Console.say("  code to type  \(info.guestCode)")
        Console.say("  projector     \(Self.wall(url))")
        Console.say("  look for      \(words.joined(separator: " "))\n")
    }
}
