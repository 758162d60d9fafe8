// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire
import Testing

@Suite struct InvitationTests {
    private func invitation(name: String = "Anna & Ben 🎉", addresses: [PeerAddress] = []) -> Invitation {
        Invitation(eventKey: eventKey.verifyingKey, secret: secret(0x5A), name: name, addresses: addresses)
    }

    private let addresses = [
        PeerAddress(host: "10.0.0.7", port: 8_028), PeerAddress(host: "2001:db8::7", port: 65_535),
        PeerAddress(host: "169.254.7.7", port: 1),
    ]

    @Test("what is written is read back: names, no address, IPv4 and IPv6 addresses, as many as there may be")
    func roundTrip() throws {
        let eight = (1...8).map { PeerAddress(host: "10.0.0.\($0)", port: 8_028) }
        for invitation in [
            invitation(), invitation(addresses: addresses), invitation(addresses: eight), invitation(name: "👩‍👩‍👧‍👦"),
            invitation(name: String(repeating: "x", count: 80)),
            invitation(name: String(repeating: "🎉", count: 80), addresses: eight),
        ] {
            #expect(try Invitation(text: invitation.text) == invitation)
            #expect(invitation.text.hasPrefix("DISPOSABLE1:"))
            // What a QR code's alphanumeric mode holds.
            #expect(invitation.text.utf8.allSatisfy { (0x30...0x3A).contains($0) || (0x41...0x5A).contains($0) })
        }
    }

    @Test("case, spaces and line breaks do not matter")
    func tolerance() throws {
        let invitation = invitation(addresses: addresses)
        let text = invitation.text
        var broken = ""
        for (index, character) in text.enumerated() {
            broken.append(character)
            if index % 7 == 0 { broken += ["\n", " ", "\r\n", "\t", "\u{A0}"][index / 7 % 5] }
        }
        for variant in [text.lowercased(), " \(text)\n", broken, broken.lowercased()] {
            #expect(try Invitation(text: variant) == invitation)
        }
    }

    @Test("any one character changed is found, and the error says what kind of mistake it is")
    func singleChanges() throws {
        let text = Array(invitation(addresses: addresses).text)
        for index in text.indices {
            for replacement in "A7Q2:0!é" where replacement != text[index] {
                var changed = text
                changed[index] = replacement
                let expected: InvitationError
                switch index {
                case 0..<10: expected = .notAnInvitation
                case 10:
                    expected = replacement == ":" ? .unsupportedVersion("") : .unsupportedVersion(String(replacement))
                case 11: expected = .notAnInvitation
                default:
                    expected =
                        "A7Q2".contains(replacement) ? .damaged : .invalidCharacter(replacement, position: index + 1)
                }
                #expect(throws: expected, "\(String(changed))") { _ = try Invitation(text: String(changed)) }
            }
        }
    }

    @Test("the last character is checked in full, also where it holds bits of no byte")
    func lastCharacter() throws {
        for count in 1...5 {
            let text = invitation(name: String(repeating: "x", count: count)).text
            for digit in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" where digit != text.last {
                #expect(throws: InvitationError.damaged) { _ = try Invitation(text: text.dropLast() + String(digit)) }
            }
        }
    }

    @Test("a text cut off anywhere is found, and so is one with a character too many or two exchanged")
    func truncations() {
        let text = invitation().text
        for count in 0..<text.count {
            let part = String(text.prefix(count))
            #expect(throws: count < 12 ? InvitationError.notAnInvitation : .damaged) { _ = try Invitation(text: part) }
        }
        for extra in ["A", "AA", "AAAAAAAA"] {
            #expect(throws: InvitationError.damaged) { _ = try Invitation(text: text + extra) }
        }
        var characters = Array(text)
        for index in 12..<characters.count - 1 where characters[index] != characters[index + 1] {
            characters.swapAt(index, index + 1)
            #expect(throws: InvitationError.damaged) { _ = try Invitation(text: String(characters)) }
            characters.swapAt(index, index + 1)
        }
    }

    @Test("the position of a wrong character counts the text as it was given, white space included")
    func positions() {
        let text = Array(invitation().text)
        let spaced = "  " + String(text[..<20]) + "\n " + "1" + String(text[21...])
        #expect(throws: InvitationError.invalidCharacter("1", position: 25)) { _ = try Invitation(text: spaced) }
    }

    @Test("other texts are told apart: a guests' link, a later version, anything else")
    func otherTexts() {
        for link in ["http://10.0.0.7:8027/g/abc", "https://10.0.0.7/", " HTTP://10.0.0.7", "ht\ntp://10.0.0.7"] {
            #expect(throws: InvitationError.guestLink) { _ = try Invitation(text: link) }
        }
        for (text, version) in [
            ("DISPOSABLE7:ABC", "7"), ("disposable12:abc", "12"), ("DISPOSABLE:ABC", ""), ("DISPOSABLE0:ABC", "0"),
            ("DISPOSABLE01:ABC", "01"),
        ] {
            #expect(throws: InvitationError.unsupportedVersion(version)) { _ = try Invitation(text: text) }
        }
        for text in ["", " ", ":", "hello", "WIFI:S:net;;", "mailto:a@b.c", "DISPOSABLE", "ABCDISPOSABLE1:AA", "😀:"] {
            #expect(throws: InvitationError.notAnInvitation) { _ = try Invitation(text: text) }
        }
        #expect(throws: InvitationError.damaged) { _ = try Invitation(text: "DISPOSABLE1:") }
        #expect(throws: InvitationError.damaged) { _ = try Invitation(text: "DISPOSABLE1:AAAAAAA") }
    }

    @Test("a text beyond the limit is refused before it is decoded")
    func tooLong() {
        let limit = Limits.invitationCharacterCountMax
        func text(_ count: Int) -> String { "DISPOSABLE1:" + String(repeating: "A", count: count - 12) }
        #expect(throws: InvitationError.damaged) { _ = try Invitation(text: text(limit)) }
        #expect(throws: InvitationError.tooLong(characterCount: limit + 1)) {
            _ = try Invitation(text: text(limit + 1))
        }
        #expect(throws: InvitationError.tooLong(characterCount: 1_000_000)) {
            _ = try Invitation(text: text(1_000_000))
        }
        let largest = invitation(
            name: String(repeating: "🎉", count: 80),
            addresses: (1...8).map { PeerAddress(host: "2001:db8:1:2:3:4:5:\($0)", port: 65_535) })
        #expect(largest.text.count <= limit)
    }

    @Test("addresses that mean nothing on another machine are left out, the first eight others are in")
    func unusableAddresses() throws {
        let unusable = [
            PeerAddress(host: "fe80::1", port: 8_028), PeerAddress(host: "fe80::1%eth0", port: 8_028),
            PeerAddress(host: "febf::1", port: 8_028), PeerAddress(host: "example.org", port: 8_028),
            PeerAddress(host: "10.0.0.9", port: 0),
        ]
        let usable = (1...9).map { PeerAddress(host: "10.0.0.\($0)", port: 8_028) }
        let read = try Invitation(text: invitation(addresses: unusable + usable).text)
        #expect(read.addresses == Array(usable.prefix(8)))
    }

    @Test("an invitation never prints its secret")
    func description() { #expect(!"\(invitation())".contains(String(repeating: "90, ", count: 3))) }
}
