// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import HTTPTypes
import Testing

/// Refusals as HTTP answers, and the sentences that pages have for their codes.
@Suite struct RefusalRouteTests {
    /// Every code by its status (protocol/guest-api.md).
    private static let statuses: [Int: Set<Refusal.Code>] = [
        400: [.malformedText, .malformedName],
        403: [.notEntered, .removed, .notYours, .rank, .noConsent, .notForSaving, .ticketNeeded],
        404: [.unknownPhoto, .unknownComment, .unknownMessage, .notHere, .noSuchTicket],
        409: [
            .rollFull, .notBegun, .over, .noChange, .promised, .tooManyEdits, .unknownMission, .noRevealKey, .noSecret,
            .tooManyComments, .tooManyNotices, .tooManyMessages, .otherPlan, .notShown, .veilsOff, .ownPhoto,
            .veilLifted, .tooManyVeils, .giftsOff, .noRecipient, .recipientFull, .wrongNumber, .tooFewFrames,
            .framesChanged, .ticketUsed, .ticketCancelled, .hasTicket, .tooManyTickets, .sealFirst, .sealingOff,
            .noVoteOpen, .voteOpen, .tooManyVotes, .noVoteSecret, .otherText, .notShownYet, .noName, .namesOff,
            .cameraOnly,
        ],
        422: [.notAPhoto, .noVideos, .videoTooLong, .metadataLeft],
        429: [.tooFast],
        503: [.leaving, .unavailable, .rebuilt],
    ]
    /// Codes of what only organizers ask for; the desk words these.
    private static let organizersOnly: Set<Refusal.Code> = [
        .rank, .noChange, .promised, .tooManyEdits, .tooManyNotices, .noRevealKey, .noSecret, .notShown,
        .tooManyTickets, .voteOpen, .noVoteSecret,
    ]
    /// Codes that the desk words, since its machine or its person can get them. (Its own `not-here` is that of a desk
    /// on another device.)
    private static let desk: Set<Refusal.Code> = organizersOnly.union([
        .notEntered, .removed, .leaving, .rebuilt, .unknownPhoto, .unknownMessage, .tooFast, .notShownYet, .notAPhoto,
        .malformedText, .malformedName, .notHere, .noSuchTicket, .noVoteOpen, .tooManyVotes,
    ])

    @Test("every code has the status of the specification")
    func statusOfCodes() {
        for code in Refusal.Code.allCases {
            #expect(Self.statuses[code.status.code]?.contains(code) == true, "\(code): \(code.status.code)")
        }
        #expect(Self.statuses.values.reduce(0) { $0 + $1.count } == Refusal.Code.allCases.count)
    }

    @Test("the specification of the guests' interface names every code that guests can get")
    func specification() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("protocol/guest-api.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        for code in Refusal.Code.allCases where !Self.organizersOnly.contains(code) {
            #expect(text.contains("`\(code.rawValue)`"), "\(code)")
        }
    }

    @Test("an answer has the code, the message with the time of HTTP, a hint that is a sentence, and when to try again")
    func answers() {
        let over = PortalError(Refusal.over(at: 1_800_000_000_000))
        #expect((over.status.code, over.code, over.retryAfter) == (409, "over", nil))
        #expect(over.message.contains("at Fri, 15 Jan 2027 08:00:00 GMT"))
        #expect(over.hint?.hasPrefix("An organizer can give more time") == true && over.hint?.hasSuffix(".") == true)
        #expect(PortalError(Refusal.tooFast(seconds: 7)).retryAfter == 7)
        #expect(PortalError(Refusal.tooManyGuests(seconds: 7)).retryAfter == 7)
        for refusal in [Refusal.hasLeft, .notReconciled, .notStored, .unavailable(reason: "full"), .notHere] {
            #expect((PortalError(refusal).retryAfter ?? 0) > 0, "\(refusal)")
        }
    }

    @Test("pages without scripts have a sentence for every code that guests can get, in each language")
    func simpleTexts() {
        for language in Language.allCases {
            let errors = SimpleTexts.of(language).errors
            for code in Refusal.Code.allCases where !Self.organizersOnly.contains(code) {
                #expect(errors[code.rawValue]?.isEmpty == false, "\(language): \(code)")
            }
            for code in Self.organizersOnly { #expect(errors[code.rawValue] == nil, "\(language): \(code)") }
        }
    }

    /// The keys of `errors` in a catalogue of the pages.
    private func keys(_ path: String) throws -> Set<String> {
        let file = PublicFilesTests.folder.appendingPathComponent("texts/\(path).js")
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: "\n    errors: {\n"), "\(path)")
        let end = try #require(text.range(of: "\n    },\n", range: start.upperBound..<text.endIndex), "\(path)")
        let part = "\n" + text[start.upperBound..<end.lowerBound]
        return Set(part.matches(of: /\n {8}"([a-z-]+)":/).map { String($0.1) })
    }

    @Test(
        "the desk's catalogues have the codes that the desk can get, and no other codes of refusals",
        arguments: ["en", "fr"])
    func deskTexts(language: String) throws {
        let codes = try keys("desk/\(language)").intersection(Refusal.Code.allCases.map(\.rawValue))
        #expect(codes == Set(Self.desk.map(\.rawValue)))
    }

    @Test("the guests' catalogues word no code that only organizers get", arguments: ["en", "fr"])
    func guestTexts(language: String) throws {
        for path in [language, "veil/\(language)", "message/\(language)"] {
            let codes = try keys(path)
            #expect(!codes.isEmpty && codes.isDisjoint(with: Self.organizersOnly.map(\.rawValue)), "\(path)")
        }
        let veils: Set<Refusal.Code> = [.veilLifted, .tooManyVeils, .veilsOff]
        #expect(try keys("veil/\(language)") == Set(veils.map(\.rawValue)))
        let messages: Set<Refusal.Code> = [.tooManyMessages, .malformedText, .unknownMessage]
        #expect(try keys("message/\(language)").isSuperset(of: messages.map(\.rawValue)))
    }
}
