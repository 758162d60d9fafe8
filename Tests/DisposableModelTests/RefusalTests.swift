// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

@Suite struct RefusalTests {
    static let photo = PhotoID(Bytes32.zero)
    /// Every refusal, with its code.
    static let all: [(refusal: Refusal, code: String)] = [
        (.notAdmitted, "not-entered"), (.removed, "put-out"), (.hasLeft, "leaving"),
        (.tooManyGuests(seconds: 3), "unavailable"), (.rollFull(limit: 27), "roll-full"),
        (.notBegun(at: 7), "not-begun"), (.notBegun(at: nil), "not-begun"), (.over(at: 7), "over"),
        (.unknownPhoto("1f00"), "unknown-photo"), (.notYours(photo), "not-yours"),
        (.alreadyRemoved(photo), "unknown-photo"), (.rankTooLow(needed: .organizer), "rank"),
        (.rankTooLow(needed: .eventKey), "rank"), (.nothingToDo, "no-change"), (.againstGuests(.frames), "promised"),
        (.tooManyEdits(limit: 9), "too-many-edits"), (.unknownMission(5), "unknown-mission"),
        (.noRevealKey, "no-reveal-key"), (.secretUnknown, "no-secret"),
        (.tooManyComments(limit: 20), "too-many-comments"), (.tooManyNotices(limit: 20), "too-many-notices"),
        (.tooManyMessages(limit: 50), "too-many-messages"), (.otherPlan, "other-plan"),
        (.notShown(photo), "not-shown"), (.pageSealing(.needed), "seal-first"),
        (.pageSealing(.off), "sealing-off"), (.noVeil(.off), "veils-off"), (.noVeil(.own), "own-photo"),
        (.noVeil(.lifted), "veil-lifted"), (.noVeil(.usedUp), "too-many-veils"), (.noVeil(.full), "too-many-veils"),
        (.noGift(.off), "gifts-off"), (.noGift(.unlimited), "gifts-off"), (.noGift(.oneself), "no-recipient"),
        (.noGift(.unknownRecipient), "no-recipient"), (.noGift(.recipientUnlimited), "no-recipient"),
        (.noGift(.recipientFull(left: 0)), "recipient-full"), (.noGift(.recipientFull(left: 2)), "recipient-full"),
        (.noGift(.wrongNumber), "wrong-number"), (.noGift(.tooFew(left: 0)), "too-few-frames"),
        (.noGift(.tooFew(left: 2)), "too-few-frames"), (.noGift(.changed(left: 2)), "frames-changed"),
        (.noTicket(.missing), "ticket-needed"), (.noTicket(.unknown), "no-such-ticket"),
        (.noTicket(.used(number: 17)), "ticket-used"), (.noTicket(.cancelled(number: 17)), "ticket-cancelled"),
        (.noTicket(.another), "has-ticket"), (.noTicket(.number), "too-many-tickets"),
        (.noVote(.notOpen), "no-vote-open"), (.noVote(.open), "vote-open"), (.noVote(.own), "own-photo"),
        (.noVote(.usedUp), "too-many-votes"), (.noVote(.noSecret), "no-vote-secret"),
        (.otherConsentText, "other-text"), (.tooFast(seconds: 3), "too-fast"),
        (.malformed(.bodyMismatch), "unavailable"), (.notReconciled, "rebuilt"), (.notStored, "unavailable"),
        (.unknownComment("1f00"), "unknown-comment"), (.unknownMessage("1f00"), "unknown-message"),
        (.malformedText, "malformed-text"), (.malformedName, "malformed-name"), (.notShownYet, "not-shown-yet"),
        (.noConsent, "no-consent"), (.refusedFile(reason: "empty file"), "not-a-photo"),
        (.refusedVideo(secondsMax: 0), "no-videos"), (.refusedVideo(secondsMax: 30), "video-too-long"),
        (.metadataLeft, "metadata-left"), (.noName, "no-name"), (.namesOff, "names-off"), (.cameraOnly, "camera-only"),
        (.notForSaving(.own), "not-for-saving"), (.notForSaving(.organizers), "not-for-saving"),
        (.notHere, "not-here"), (.unavailable(reason: "the disk is full"), "unavailable"),
    ]

    @Test("a refusal has a stable code, and every code belongs to one")
    func codes() {
        for (refusal, code) in Self.all { #expect(refusal.code.rawValue == code, "\(refusal)") }
        #expect(Set(Self.all.map(\.refusal.code)) == Set(Refusal.Code.allCases))
    }

    @Test("every refusal has a message of its own; messages and hints are sentences without a full stop")
    func texts() {
        let messages = Self.all.map { $0.refusal.message { "[\($0)]" } }
        #expect(Set(messages).count == messages.count)
        for text in messages + Self.all.compactMap(\.refusal.hint) {
            #expect(text.count > 8 && text.first?.isLowercase == true || text.hasPrefix("0000"), "\(text)")
            #expect(text.last?.isPunctuation == false || text.hasSuffix(")"), "\(text)")
        }
    }

    @Test("a message names the limit, the time and the photo that it is about")
    func details() {
        func message(_ refusal: Refusal) -> String { refusal.message { "[\($0)]" } }
        #expect(message(.over(at: 7)).contains("at [7]") && message(.notBegun(at: 7)).contains("at [7]"))
        #expect(message(.rollFull(limit: 27)).contains("all 27 frames"))
        #expect(message(.tooManyGuests(seconds: 3)).contains("in 3 s"))
        #expect(Refusal.tooFast(seconds: 3).hint == "try again in 3 s")
        #expect(message(.notYours(Self.photo)).hasPrefix("00000000 "))
        #expect(message(.rankTooLow(needed: .moderator)).hasSuffix("a moderator"))
        let long = String(repeating: "a", count: 5_000)
        for refusal in [Refusal.unknownPhoto(long), .unknownComment(long), .unknownMessage(long)] {
            #expect(message(refusal).count < 200, "a text that a stranger has sent is cut")
        }
    }
}
