// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire
import Testing

/// Approval before display (disposable-v1.md §9.14; rules.md 10).
@Suite struct ApprovalTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let ben = signingKey(2)
    private let cleo = signingKey(3)
    private let dan = signingKey(4)

    /// Ben is a moderator; the host has set the rule.
    private func story(_ rule: ApprovalRule = .all) throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [ben, cleo, dan], frames: 5)
        try story.grant(.moderator, to: ben, by: host)
        try story.approval(rule, by: host)
        return story
    }

    private func status(_ photo: VerifiedOperation, _ story: Story) throws -> PhotoStatus? {
        try story.outcome().photo(PhotoID(photo.id))?.status
    }

    @Test("photos of participants wait for approval, those of organizers and moderators do not")
    func exempt() throws {
        var story = try story()
        let photos = try [host, ben, cleo].map { try story.photo($0, slot: 1) }
        let state = try story.outcome()
        #expect(
            state.photos.count == 3 && state.gallery.map(\.id.operationID).sorted() == photos[..<2].map(\.id).sorted())
        #expect(state.photo(PhotoID(photos[2].id))?.status == .pending(1))
        // The slot is used nevertheless.
        #expect(state.album.usedSlotCount(of: AuthorID(cleo.verifyingKey)) == 1)
        #expect(!state.needsNewerVersion && state.digest != nil)
    }

    @Test("an approval shows the photo, its withdrawal lets it wait again, whichever comes first")
    func approved() throws {
        var story = try story()
        let photo = try story.photo(cleo, slot: 1)
        let approval = try story.approve([photo], by: ben)
        #expect(try status(photo, story) == .frame(1))
        try story.unapprove(photo, [approval], by: host)
        #expect(try status(photo, story) == .pending(1))
    }

    @Test("10.1: who declines at the same time wins, until the photo is put back")
    func declinedApart() throws {
        var story = try story()
        let photo = try story.photo(cleo, slot: 1)
        try story.approve([photo], by: ben)
        let hide = try story.say(.hide, by: host, about: photo)
        #expect(try status(photo, story) == .hidden)
        try story.say(.unhide, by: ben, about: photo, content: .unhide(hides: [hide.id]))
        #expect(try status(photo, story) == .frame(1))
    }

    @Test("10.2: a withdrawal cancels the approvals that it names, and no other")
    func approvedTwice() throws {
        var story = try story()
        let photo = try story.photo(cleo, slot: 1)
        let (bens, hosts) = (try story.approve([photo], by: ben), try story.approve([photo], by: host))
        try story.unapprove(photo, [bens], by: ben)
        #expect(try status(photo, story) == .frame(1))
        try story.unapprove(photo, [hosts], by: ben)
        #expect(try status(photo, story) == .pending(1))
    }

    @Test("10.4: one approved photo is enough for its author, whichever it is, and also once it is gone")
    func first() throws {
        var story = try story(.first)
        let (p, q, r) = (
            try story.photo(cleo, slot: 1), try story.photo(cleo, slot: 2), try story.photo(dan, slot: 1)
        )
        #expect(try story.outcome().gallery.isEmpty)
        let approval = try story.approve([q], by: ben)
        #expect(try status(p, story) == .frame(1) && status(q, story) == .frame(2) && status(r, story) == .pending(1))
        try story.say(.remove, by: cleo, about: q)
        let s = try story.photo(cleo, slot: 3)
        #expect(try status(q, story) == .removed && status(p, story) == .frame(1) && status(s, story) == .frame(3))
        try story.unapprove(q, [approval], by: host)
        #expect(try status(p, story) == .pending(1) && status(s, story) == .pending(3))
    }

    @Test("a new photo is held under \"all\", and under \"first\" until its author has an approved one")
    func newPhotos() throws {
        let (cleos, dans) = (AuthorID(cleo.verifyingKey), AuthorID(dan.verifyingKey))
        for rule in [ApprovalRule.none, .first, .all] {
            var story = try story(rule)
            #expect(try story.outcome().album.holdsNewPhotos(by: cleos) == (rule != .none))
            let photo = try story.photo(cleo, slot: 1)
            try story.approve([photo], by: ben)
            try story.grant(.photographer, to: dan, by: host)
            let album = try story.outcome().album
            #expect(album.holdsNewPhotos(by: cleos) == (rule == .all))
            #expect(!album.holdsNewPhotos(by: dans))
        }
    }

    @Test("10.5: an approval by a former moderator counts as far as the revocation leaves it")
    func formerModerator() throws {
        var story = try story()
        let (p, q) = (try story.photo(cleo, slot: 1), try story.photo(cleo, slot: 2))
        try story.approve([p], by: ben)
        let revocation = try story.revoke(.moderator, of: ben, by: host)
        try story.approve([q], by: ben)
        #expect(try status(p, story) == .frame(1) && status(q, story) == .pending(2))
        try story.grant(.moderator, to: ben, by: host, cancels: [revocation])
        #expect(try status(q, story) == .frame(2))
    }

    @Test("approvals by participants, and withdrawals by them, count for nothing")
    func participants() throws {
        var story = try story()
        let (p, q) = (try story.photo(cleo, slot: 1), try story.photo(cleo, slot: 2))
        try story.approve([p], by: cleo)
        let approval = try story.approve([q], by: ben)
        try story.unapprove(q, [approval], by: dan)
        try story.approval(.none, by: ben)
        #expect(try status(p, story) == .pending(1) && status(q, story) == .frame(2))
    }

    @Test("10.6: of rules set apart the strictest counts, until one follows all; a void rule counts for nothing")
    func rules() throws {
        var story = try story(.first)
        try story.grant(.organizer, to: dan, by: event.eventKey)
        try story.approval(.all, by: dan, follows: [])
        #expect(try story.outcome().album.approvalRule == .all)
        let settings = try story.outcome().album.approvalSettings
        #expect(settings.count == 2)
        try story.approval(.none, by: dan, follows: settings)
        #expect(try story.outcome().album.approvalRule == .none)
        try story.say(
            .revokeRole, by: event.eventKey, OperationID(dan.device.bytes32),
            argument: UInt64(Role.organizer.rawValue), content: .revocation(heads: []))
        #expect(try story.outcome().album.approvalRule == .first)
    }

    @Test("a photographer's photos do not wait while the role is not revoked")
    func photographer() throws {
        var story = try story()
        let photo = try story.photo(cleo, slot: 9)
        #expect(try status(photo, story) == .waiting)
        try story.grant(.photographer, to: cleo, by: host)
        #expect(try status(photo, story) == .frame(9))
        try story.revoke(.photographer, of: cleo, by: host)
        #expect(try status(photo, story) == .waiting)
    }

    @Test("the setting is critical, so that a node of before says that it needs a newer version")
    func critical() throws {
        let story = try story()
        let setting = try #require(story.operations.first { $0.kind == .approval })
        #expect(setting.header.flags.contains(.critical) && setting.header.set == .authority)
        #expect(story.operations.filter { $0.header.flags.contains(.critical) }.count == 1)
    }
}

extension Story {
    /// Sets the rule in place of those that count now, or of what is given.
    @discardableResult
    mutating func approval(
        _ rule: ApprovalRule, by key: SigningKey, follows: [OperationID]? = nil
    ) throws -> VerifiedOperation {
        let follows = follows ?? event.fold(operations).album.approvalSettings
        return try say(
            .approval, by: key, argument: UInt64(rule.rawValue), content: .approval(follows: follows))
    }

    @discardableResult
    mutating func approve(_ photos: [VerifiedOperation], by key: SigningKey) throws -> VerifiedOperation {
        try say(.approve, by: key, content: .approve(photos.map { PhotoID($0.id) }))
    }

    @discardableResult
    mutating func unapprove(
        _ photo: VerifiedOperation, _ approvals: [VerifiedOperation], by key: SigningKey
    ) throws -> VerifiedOperation {
        try say(.unapprove, by: key, about: photo, content: .unapprove(approvals: approvals.map(\.id)))
    }
}
