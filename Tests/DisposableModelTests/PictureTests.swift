// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// The cover, the plan and the photos on it: the worked examples 14.1 to 14.4 of protocol/rules.md.
@Suite struct PictureTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)

    private func founded() throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben], frames: 12)
        try story.grant(.organizer, to: anna, by: event.eventKey)
        return story
    }

    private func pick(
        _ role: PictureRole, _ photo: VerifiedOperation, by key: SigningKey, after milliseconds: UInt64,
        isOn: Bool = true,
        in story: inout Story
    ) throws {
        try story.say(
            .picture, by: key, about: photo, argument: UInt64(role.rawValue) + (isOn ? 0 : Spot.takenOff),
            milliseconds: TestEvent.startMilliseconds + milliseconds)
    }

    private func place(
        _ photo: VerifiedOperation, at spot: Spot, on plan: VerifiedOperation, by key: SigningKey,
        after milliseconds: UInt64 = 0, isOn: Bool = true, in story: inout Story
    ) throws {
        try story.say(
            .spot, by: key, about: photo, argument: spot.argument(on: PhotoID(plan.id)) + (isOn ? 0 : Spot.takenOff),
            milliseconds: TestEvent.startMilliseconds + milliseconds)
    }

    @Test("of two plans that organizers pick apart the later one counts, and the other photo is in the gallery again")
    func twoPlans() throws {
        var story = try founded()
        let (first, second) = (try story.photo(host, slot: 1), try story.photo(anna, slot: 1))
        try pick(.plan, first, by: host, after: 2_000, in: &story)
        try pick(.plan, second, by: anna, after: 1_000, in: &story)
        let state = try story.outcome()
        #expect(state.picture(.plan)?.id == PhotoID(first.id))
        #expect(state.gallery.map(\.id) == [PhotoID(second.id)])
        #expect(state.status(first) == .frame(1), "it has its frame")
        // Anna, who knows both, picks hers again: by then her clock is ahead of what she has seen.
        try pick(.plan, second, by: anna, after: 3_000, in: &story)
        #expect(try story.outcome().picture(.plan)?.id == PhotoID(second.id))
        #expect(try story.outcome().digest != state.digest)
        try pick(.plan, second, by: host, after: 4_000, isOn: false, in: &story)
        let none = try story.outcome()
        #expect(none.picture(.plan) == nil && none.gallery.count == 2)
    }

    @Test("a cover stays in the gallery, and nobody but an organizer picks one")
    func cover() throws {
        var story = try founded()
        let photo = try story.photo(ben, slot: 1)
        try pick(.cover, photo, by: ben, after: 5_000, in: &story)
        #expect(try story.outcome().picture(.cover) == nil)
        try pick(.cover, photo, by: anna, after: 1_000, in: &story)
        let state = try story.outcome()
        #expect(state.picture(.cover)?.id == PhotoID(photo.id))
        #expect(state.gallery.map(\.id) == [PhotoID(photo.id)])
        for argument in [0, 3, 257, 1 << 33 | 1] as [UInt64] {
            try story.say(
                .picture, by: anna, about: photo, argument: argument, milliseconds: TestEvent.startMilliseconds + 9_000)
        }
        #expect(try story.outcome().picture(.cover)?.id == PhotoID(photo.id), "other arguments pick nothing")
        #expect(try story.outcome().picture(.plan) == nil)
    }

    @Test("a picture whose photo is hidden, deleted or erased is none, and the one before it does not come back")
    func withdrawn() throws {
        for kind in [OperationKind.hide, .remove, .erase] {
            var story = try founded()
            let (before, photo) = (try story.photo(host, slot: 1), try story.photo(ben, slot: 1))
            for role in PictureRole.allCases {
                try pick(role, before, by: host, after: 1_000, in: &story)
                try pick(role, photo, by: host, after: 2_000, in: &story)
            }
            let shown = try story.outcome()
            let withdrawal = try story.say(kind, by: kind == .remove ? ben : anna, about: photo)
            let state = try story.outcome()
            for role in PictureRole.allCases {
                #expect(shown.picture(role)?.id == PhotoID(photo.id))
                #expect(state.picture(role) == nil && state.album.chosenPicture(role) == PhotoID(photo.id))
            }
            #expect(state.gallery.map(\.id) == [PhotoID(before.id)])
            guard kind == .hide else { continue }
            try story.say(.unhide, by: anna, about: photo, content: .unhide(hides: [withdrawal.id]))
            #expect(try story.outcome().picture(.plan)?.id == PhotoID(photo.id))
        }
    }

    @Test("a photo that waits for approval is no picture before it is approved")
    func pending() throws {
        var story = try founded()
        try story.say(.approval, by: host, argument: 2, content: .approval(follows: []))
        let photo = try story.photo(ben, slot: 1)
        try pick(.cover, photo, by: host, after: 1_000, in: &story)
        #expect(try story.outcome().picture(.cover) == nil)
        try story.say(.approve, by: host, content: .approve([PhotoID(photo.id)]))
        #expect(try story.outcome().picture(.cover)?.id == PhotoID(photo.id))
    }

    @Test("only its author puts a photo on the plan, moves it, and takes it off")
    func spots() throws {
        var story = try founded()
        let (plan, photo) = (try story.photo(host, slot: 1), try story.photo(ben, slot: 1))
        try pick(.plan, plan, by: host, after: 0, in: &story)
        try place(photo, at: Spot(x: 1, y: 2), on: plan, by: anna, after: 9_000, in: &story)
        #expect(try story.outcome().spot(of: PhotoID(photo.id)) == nil)
        try place(photo, at: Spot(x: 3, y: 65_535), on: plan, by: ben, in: &story)
        let state = try story.outcome()
        #expect(state.spot(of: PhotoID(photo.id)) == Spot(x: 3, y: 65_535))
        let unplaced = try founded(with: [plan, photo])
        #expect(state.digest == unplaced.digest, "the digest knows no spots")
        try place(photo, at: Spot(x: 65_535, y: 0), on: plan, by: ben, in: &story)
        #expect(try story.outcome().spot(of: PhotoID(photo.id)) == Spot(x: 65_535, y: 0))
        try place(photo, at: Spot(x: 65_535, y: 0), on: plan, by: ben, isOn: false, in: &story)
        #expect(try story.outcome().spot(of: PhotoID(photo.id)) == nil)
    }

    /// The same event with these photos of the host and Ben, where nobody has said anything about spots.
    private func founded(with photos: [VerifiedOperation]) throws -> EventState {
        var story = try founded()
        let plan = try story.photo(host, slot: 1)
        let photo = try story.photo(ben, slot: 1)
        #expect([plan.id, photo.id] == photos.map(\.id))
        try pick(.plan, plan, by: host, after: 0, in: &story)
        return try story.outcome()
    }

    @Test(
        "a spot belongs to the plan on which it was made: on another plan it is not shown, and it is back with its own")
    func otherPlan() throws {
        var story = try founded()
        let (first, second) = (try story.photo(host, slot: 1), try story.photo(host, slot: 2))
        let photo = try story.photo(ben, slot: 1)
        try pick(.plan, first, by: host, after: 0, in: &story)
        try place(photo, at: Spot(x: 7, y: 8), on: first, by: ben, in: &story)
        try pick(.plan, second, by: host, after: 1_000, in: &story)
        let other = try story.outcome()
        #expect(other.spot(of: PhotoID(photo.id)) == nil && other.album.isPlaced(PhotoID(photo.id)))
        try pick(.plan, first, by: host, after: 2_000, in: &story)
        #expect(try story.outcome().spot(of: PhotoID(photo.id)) == Spot(x: 7, y: 8))
    }

    @Test("a guest at two portals, apart, leaves the photo where the later one put it")
    func twoPortals() throws {
        var story = Story(event)
        let (guest, here, there) = (signingKey(20), signingKey(21), signingKey(22))
        try story.found(host: host, guests: [anna, ben], frames: 12)
        try story.join(here, sponsor: anna, for: guest)
        try story.join(there, sponsor: ben, for: guest)
        let (plan, photo) = (try story.photo(host, slot: 1), try story.photo(here, slot: 1))
        try pick(.plan, plan, by: host, after: 0, in: &story)
        try place(photo, at: Spot(x: 1, y: 1), on: plan, by: here, after: 2_000, in: &story)
        try place(photo, at: Spot(x: 2, y: 2), on: plan, by: there, after: 1_000, in: &story)
        #expect(try story.outcome().spot(of: PhotoID(photo.id)) == Spot(x: 1, y: 1))
        try place(photo, at: Spot(x: 0, y: 0), on: plan, by: there, after: 3_000, isOn: false, in: &story)
        #expect(try story.outcome().spot(of: PhotoID(photo.id)) == nil)
    }

    @Test("what a former organizer has picked stays as far as the revocation leaves it")
    func formerOrganizer() throws {
        var story = try founded()
        let (first, second) = (try story.photo(ben, slot: 1), try story.photo(ben, slot: 2))
        try pick(.plan, first, by: anna, after: 0, in: &story)
        try story.revoke(.organizer, of: anna, by: event.eventKey)
        try pick(.plan, second, by: anna, after: 1_000, in: &story)
        #expect(try story.outcome().picture(.plan)?.id == PhotoID(first.id))
    }
}
