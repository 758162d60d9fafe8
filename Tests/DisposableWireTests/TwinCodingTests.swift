// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire
import Testing

/// The twinning's body, and the text with which an agreement travels.
@Suite struct TwinCodingTests {
    private let invitation = Invitation(
        eventKey: twinKey.verifyingKey, secret: secret(8), name: "The other camp",
        addresses: [PeerAddress(host: "10.0.0.7", port: 8_028)])

    private var offer: TwinOffer {
        TwinOffer(
            invitation: invitation, agreement: TwinAgreement(of: twinKey.verifyingKey, with: event, by: twinKey),
            other: event)
    }

    @Test("a text is the same agreement, in any case and with white space, and is no invitation")
    func text() throws {
        for text in [offer.text, offer.text.lowercased(), " " + offer.text.replacing("W", with: "W\n")] {
            let again = try TwinOffer(text: text)
            #expect(again.agreement == offer.agreement && again.other == event)
            #expect(again.invitation == invitation && again.agreement.joins(event))
        }
        #expect(TwinOffer.isOffer(offer.text) && !TwinOffer.isOffer(invitation.text))
        #expect(throws: InvitationError.self) { try Invitation(text: offer.text) }
    }

    @Test("an organizer's agreement has its grant")
    func organizer() throws {
        let grant = try operation(.grant, .grant(cancels: []), by: twinKey)
        let agreement = TwinAgreement(
            of: twinKey.verifyingKey,
            organizer: TwinAgreement.Organizer(header: grant.header, signature: grant.signature), with: event,
            by: author)
        let offer = TwinOffer(invitation: invitation, agreement: agreement, other: event)
        #expect(try TwinOffer(text: offer.text).agreement == agreement)
    }

    @Test("a text that is cut, changed, of another version or something else is refused with the reason")
    func refused() {
        let text = offer.text
        #expect(throws: InvitationError.damaged) { try TwinOffer(text: String(text.dropLast(3))) }
        #expect(throws: InvitationError.damaged) {
            try TwinOffer(text: String(text.dropLast()) + (text.hasSuffix("A") ? "B" : "A"))
        }
        #expect(throws: InvitationError.unsupportedVersion("2")) {
            try TwinOffer(text: text.replacing("TWIN1:", with: "TWIN2:"))
        }
        #expect(throws: InvitationError.notAnInvitation) { try TwinOffer(text: invitation.text) }
        #expect(throws: InvitationError.self) {
            try TwinOffer(text: text + String(repeating: "A", count: Limits.invitationCharacterCountMax))
        }
    }

    @Test("a body that breaks the rules, or whose agreement is not valid, is kept and is none")
    func unproven() throws {
        let valid = try operation(.twinning, contents.last!.1)
        #expect(valid.content == contents.last!.1)
        let foreign = Twinning(
            agreement: TwinAgreement(of: twinKey.verifyingKey, with: twinEvent, by: twinKey), name: "The other camp",
            secret: TwinSecret(of: secret(8), twin: twinEvent, under: secret(9), epoch: .none, nonce: bytes32(1)))
        #expect(try operation(.twinning, .twinning(foreign)).content == OperationContent.none)
        let bodies: [[UInt8]] = [
            [1], salt, salt + [0x0A, 1, 1], OperationBody.encode(.text("something else"), salt: salt),
        ]
        for body in bodies {
            let unchecked = try signed(
                header(kind: OperationKind.twinning.rawValue, flags: .authority, body: body), body: body)
            #expect(try unchecked.verified(event: event).content == OperationContent.none)
        }
    }

    @Test("a twinning in the wrong set, or one that says it has no body, is kept as an operation of unknown kind")
    func unlike() throws {
        let body = OperationBody.encode(contents.last!.1, salt: salt)
        let kind = OperationKind.twinning.rawValue
        for (made, sent) in [
            (header(kind: kind, body: body), body), (header(kind: kind, body: body), nil),
            (header(kind: kind, flags: .authority), []),
        ] as [(OperationHeader, [UInt8]?)] {
            let operation = try signed(made, body: sent).verified(event: event)
            #expect(operation.kind == nil && operation.header.kind == kind && operation.body == sent)
            if let content = operation.content { #expect(content == OperationContent.none) }
        }
    }
}
