// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Veils: the worked examples 16.1 to 16.6 of protocol/rules.md.
@Suite struct VeilTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)
    private let chloe = signingKey(4)

    /// Anna is a moderator.
    private func founded(isOn: Bool = true, frames: UInt32 = 60) throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben, chloe], frames: frames)
        try story.grant(.moderator, to: anna, by: host)
        if isOn { try story.say(.veiling, by: host) }
        return story
    }

    private func statuses(_ story: Story, _ photos: [VerifiedOperation]) throws -> [PhotoStatus?] {
        let state = try story.outcome()
        return photos.map { state.photo(PhotoID($0.id))?.status }
    }

    @Test("a guest's veil takes a photo of somebody else from the gallery at once, and keeps its frame")
    func veiled() throws {
        var story = try founded()
        let photo = try story.photo(ben, slot: 1)
        let before = try story.outcome()
        let veil = try story.say(.veil, by: chloe, about: photo)
        let state = try story.outcome()
        #expect(state.photo(PhotoID(photo.id))?.status == .veiled(1) && state.gallery.isEmpty)
        #expect(state.digest != before.digest && state.album.usedSlotCount(of: AuthorID(ben.verifyingKey)) == 1)
        // The guest withdraws the request.
        try story.say(.remove, by: chloe, veil.id)
        #expect(try statuses(story, [photo]) == [.frame(1)])
        #expect(try story.outcome().digest == before.digest)
    }

    @Test("nothing is veiled where organizers have not switched it on, and a participant or moderator cannot")
    func off() throws {
        var story = try founded(isOn: false)
        let photo = try story.photo(ben, slot: 1)
        try story.say(.veil, by: chloe, about: photo)
        try story.say(.veiling, by: chloe)
        try story.say(.veiling, by: anna)
        #expect(try statuses(story, [photo]) == [.frame(1)])
        let on = try story.say(.veiling, by: event.eventKey)
        #expect(try statuses(story, [photo]) == [.veiled(1)])
        // Off again by erasing it; one that was switched on meanwhile stands.
        let meanwhile = try story.say(.veiling, by: host)
        try story.say(.erase, by: host, on.id)
        #expect(try statuses(story, [photo]) == [.veiled(1)])
        try story.say(.erase, by: host, meanwhile.id)
        #expect(try statuses(story, [photo]) == [.frame(1)])
    }

    @Test("nobody veils a photo of their own, nor what is no photo")
    func own() throws {
        var story = try founded()
        let photo = try story.photo(ben, slot: 1)
        try story.say(.veil, by: ben, about: photo)
        try story.say(.veil, by: chloe, OperationID(event.event.bytes32))
        #expect(try statuses(story, [photo]) == [.frame(1)])
    }

    @Test("a moderator's lift shows the photo, and no other veil hides it again; a hide does")
    func lifted() throws {
        var story = try founded()
        let photo = try story.photo(ben, slot: 1)
        try story.say(.veil, by: chloe, about: photo)
        let vain = try story.say(.lift, by: ben, about: photo)
        #expect(try statuses(story, [photo]) == [.veiled(1)], "\(vain.id) has no rank")
        let lift = try story.say(.lift, by: anna, about: photo)
        try story.say(.veil, by: host, about: photo)
        #expect(try statuses(story, [photo]) == [.frame(1)])
        // Another moderator takes the lift back, as any statement is hidden.
        let hide = try story.say(.hide, by: host, lift.id)
        #expect(try statuses(story, [photo]) == [.veiled(1)])
        try story.say(.unhide, by: anna, lift.id, content: .unhide(hides: [hide.id]))
        #expect(try statuses(story, [photo]) == [.frame(1)])
        try story.say(.hide, by: anna, about: photo)
        #expect(try statuses(story, [photo]) == [.hidden])
    }

    @Test("one moderator lifts, another hides, apart: the photo is hidden; put back, it is shown")
    func decidedApart() throws {
        var story = try founded()
        let photo = try story.photo(ben, slot: 1)
        try story.say(.veil, by: chloe, about: photo)
        try story.say(.lift, by: anna, about: photo)
        let hide = try story.say(.hide, by: host, about: photo)
        #expect(try statuses(story, [photo]) == [.hidden])
        try story.say(.unhide, by: host, about: photo, content: .unhide(hides: [hide.id]))
        #expect(try statuses(story, [photo]) == [.frame(1)])
    }

    @Test("a photo that waits for approval is pending; approved, it is veiled")
    func pending() throws {
        var story = try founded()
        try story.approval(.all, by: host)
        let photo = try story.photo(ben, slot: 1)
        try story.say(.veil, by: chloe, about: photo)
        #expect(try statuses(story, [photo]) == [.pending(1)])
        try story.approve([photo], by: anna)
        #expect(try statuses(story, [photo]) == [.veiled(1)])
    }

    @Test("a guest has three photos veiled, undecided or lifted; one that moderators hide makes room for the next")
    func limitOfAuthor() throws {
        var story = try founded()
        var photos: [VerifiedOperation] = []
        for slot in 1...5 { photos.append(try story.photo(ben, slot: UInt64(slot))) }
        for (after, photo) in photos.enumerated() {
            let time = TestEvent.startMilliseconds + UInt64(after)
            try story.say(.veil, by: chloe, about: photo, milliseconds: time)
            try story.say(.veil, by: chloe, about: photo, milliseconds: time)
        }
        #expect(try statuses(story, photos) == [.veiled(1), .veiled(2), .veiled(3), .frame(4), .frame(5)])
        let author = AuthorID(chloe.verifyingKey)
        #expect(try story.outcome().album.veilLimit(reachedBy: chloe.device) == .usedUp)
        #expect(try !story.outcome().album.veils(of: PhotoID(photos[4].id), by: author).isEmpty)
        try story.say(.lift, by: anna, about: photos[0])
        #expect(try statuses(story, photos) == [.frame(1), .veiled(2), .veiled(3), .frame(4), .frame(5)])
        try story.say(.hide, by: anna, about: photos[1])
        try story.say(.remove, by: ben, about: photos[2])
        #expect(try statuses(story, photos) == [.frame(1), .hidden, .removed, .veiled(4), .veiled(5)])
    }

    @Test("the guests of one sponsor have forty photos veiled, each its first before another's second")
    func limitOfTree() throws {
        var story = try founded()
        var photos: [VerifiedOperation] = []
        for slot in 1...50 { photos.append(try story.photo(ben, slot: UInt64(slot))) }
        // One member lets in pranksters, each with as many veils as one may have.
        for number in 0..<14 {
            let prankster = signingKey(UInt64(600 + number))
            try story.join(prankster, sponsor: ben)
            for photo in photos[(number * 3)..<(number * 3 + 3)] { try story.say(.veil, by: prankster, about: photo) }
        }
        func count() throws -> Int { try story.outcome().photos.count(where: \.status.isVeiled) }
        #expect(try count() == 40)
        // One more of the same tree, later than all: its first photo goes before another's third.
        let late = signingKey(700)
        try story.join(late, sponsor: signingKey(600))
        try story.say(.veil, by: late, about: photos[49], milliseconds: TestEvent.startMilliseconds + 99_000)
        #expect(try count() == 40 && statuses(story, [photos[49]]) == [.veiled(50)])
        #expect(try story.outcome().album.veilLimit(reachedBy: late.device) == .full)
        // Others have their own.
        #expect(try story.outcome().album.veilLimit(reachedBy: chloe.device) == nil)
        try story.say(.veil, by: chloe, about: photos[48])
        #expect(try count() == 41 && statuses(story, [photos[48]]) == [.veiled(49)])
    }

    @Test("the veils of a guest who is removed with everything are void, those of one who is only removed are not")
    func removedGuest() throws {
        var story = try founded()
        let photo = try story.photo(ben, slot: 1)
        try story.say(.veil, by: chloe, about: photo)
        #expect(try statuses(story, [photo]) == [.veiled(1)])
        try story.removeMember(chloe, by: anna)
        #expect(try statuses(story, [photo]) == [.veiled(1)])
        try story.say(
            .revokeDevice, by: anna, OperationID(chloe.device.bytes32), argument: Membership.discardArgument,
            content: .revocation(heads: []))
        #expect(try statuses(story, [photo]) == [.frame(1)])
    }

    @Test("the veiled photos are those that are not shown, also after operations that no veil is about")
    func veiledPhotos() throws {
        var story = try founded()
        let photos = [try story.photo(ben, slot: 1), try story.photo(ben, slot: 2)]
        let veil = try story.say(.veil, by: chloe, about: photos[0])
        // A veil may name something that is no photo.
        try story.say(.veil, by: chloe, OperationID(event.event.bytes32))
        #expect(try story.outcome().album.veiledPhotos == [PhotoID(photos[0].id)])
        try story.say(.remove, by: ben, about: photos[1])
        let late = try story.photo(ben, slot: 3)
        #expect(try story.outcome().album.veiledPhotos == [PhotoID(photos[0].id)])
        try story.say(.veil, by: chloe, about: late)
        let lift = try story.say(.lift, by: anna, about: photos[0])
        #expect(try story.outcome().album.veiledPhotos == [PhotoID(late.id)])
        try story.say(.hide, by: host, lift.id)
        try story.say(.remove, by: ben, about: late)
        #expect(try story.outcome().album.veiledPhotos == [PhotoID(photos[0].id)])
        try story.say(.remove, by: chloe, veil.id)
        #expect(try story.outcome().album.veiledPhotos.isEmpty)
    }

    @Test("of a device's veils the first 64 of its chain count, whichever arrive first")
    func limitOfDevice() throws {
        var story = try founded()
        let photo = try story.photo(ben, slot: 1)
        for _ in 0..<Veils.perDeviceMax {
            let veil = try story.say(.veil, by: chloe, about: photo)
            try story.say(.remove, by: chloe, veil.id)
        }
        try story.say(.veil, by: chloe, about: photo)
        #expect(try statuses(story, [photo]) == [.frame(1)])
        #expect(try story.outcome().album.veilLimit(reachedBy: chloe.device) == .usedUp)
    }
}
