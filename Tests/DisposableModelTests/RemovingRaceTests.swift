// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Taking photos away, and putting them back: the worked examples of protocol/rules.md §2.
@Suite struct RemovingRaceTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)
    private let cleo = signingKey(4)

    private func story() throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben, cleo], frames: 3)
        return story
    }

    @Test("two moderators hide a photo apart: an unhide that knows of one hide leaves the other standing")
    func hiddenTwice() throws {
        var story = try story()
        for moderator in [anna, ben] { try story.grant(.moderator, to: moderator, by: host) }
        let photo = try story.photo(cleo, slot: 1)
        let hides = [
            try story.say(.hide, by: anna, about: photo), try story.say(.hide, by: ben, about: photo),
        ]
        try story.say(.unhide, by: anna, about: photo, content: .unhide(hides: [hides[0].id]))
        #expect(try story.outcome().status(photo) == .hidden)
        #expect(try story.outcome().album.hides(of: PhotoID(photo.id)) == [hides[1].id])
        try story.say(.unhide, by: anna, about: photo, content: .unhide(hides: [hides[1].id]))
        #expect(try story.outcome().status(photo) == .frame(1))
    }

    @Test("an unhide of another photo, or by somebody without rank, puts nothing back")
    func wrongUnhides() throws {
        var story = try story()
        let photos = [try story.photo(cleo, slot: 1), try story.photo(cleo, slot: 2)]
        let hide = try story.say(.hide, by: host, about: photos[0])
        try story.say(.unhide, by: cleo, about: photos[0], content: .unhide(hides: [hide.id]))
        try story.say(.unhide, by: host, about: photos[1], content: .unhide(hides: [hide.id]))
        #expect(try story.outcome().status(photos[0]) == .hidden)
    }

    @Test("nobody but an organizer has a photo destroyed, and nobody without rank hides one")
    func rankless() throws {
        var story = try story()
        try story.grant(.moderator, to: anna, by: host)
        let photo = try story.photo(cleo, slot: 1)
        try story.say(.erase, by: anna, about: photo)
        try story.say(.erase, by: ben, about: photo)
        try story.say(.hide, by: ben, about: photo)
        try story.say(.remove, by: ben, about: photo)
        try story.say(.remove, by: host, about: photo)
        #expect(try story.outcome().status(photo) == .frame(1))
        #expect(try story.outcome().withdrawals.isEmpty)
        try story.say(.erase, by: host, about: photo)
        #expect(try story.outcome().status(photo) == .erased)
    }

    @Test("an erase that turns out void, because the key was stolen, shows the photos again")
    func voidErase() throws {
        var story = try story()
        try story.grant(.organizer, to: anna, by: event.eventKey)
        let photos = [try story.photo(cleo, slot: 1), try story.photo(ben, slot: 1)]
        var thief = story
        for photo in photos { try thief.say(.erase, by: anna, about: photo) }
        #expect(try thief.outcome().withdrawals.count == 2)
        try story.removeMember(anna, by: event.eventKey)
        for operation in thief.operations where operation.kind == .erase { story.take(operation) }
        let state = try story.outcome()
        #expect(photos.map { state.status($0) } == [.frame(1), .frame(1)])
        #expect(state.withdrawals.isEmpty)
    }

    @Test("a photo that is removed and erased is removed, and neither gives its frame back")
    func removedAndErased() throws {
        var story = try story()
        let photo = try story.photo(cleo, slot: 1)
        try story.say(.erase, by: host, about: photo)
        #expect(try story.outcome().album.freeSlots(of: cleo.author, count: 1, limit: 3) == [2])
        try story.say(.remove, by: cleo, about: photo)
        let state = try story.outcome()
        #expect(state.status(photo) == .removed)
        #expect(state.album.freeSlots(of: cleo.author, count: 1, limit: 3) == [2])
        #expect(state.withdrawals == [photo.id: .removed])
    }

    @Test("a withdrawal of a photo that is not here yet is known before the photo comes")
    func withdrawalFirst() throws {
        var story = try story()
        let photo = try story.photo(cleo, slot: 1)
        try story.say(.erase, by: host, about: photo)
        let state = event.fold(story.operations.filter { $0.id != photo.id })
        #expect(state.album.isWithdrawn(PhotoID(photo.id), by: cleo.author))
        #expect(state.withdrawals.isEmpty)
    }

    @Test("what is withdrawn is destroyed an hour after the node knew, and not if it has been put back by then")
    func destruction() {
        var schedule = DestructionSchedule()
        let subjects = (1...3).map { OperationID(signingKey($0).device.bytes32) }
        #expect(
            schedule.update([subjects[0], subjects[1]], at: 1_000).begun == [subjects[0]: 1_000, subjects[1]: 1_000])
        #expect(schedule.nextDueAt == 3_601_000)
        // The erase turns out void; another photo is deleted half an hour later.
        let update = schedule.update([subjects[0], subjects[2]], at: 1_801_000)
        #expect(update == .init(begun: [subjects[2]: 1_801_000], ended: [subjects[1]]))
        #expect(schedule.due(at: 3_600_999).isEmpty)
        #expect(schedule.due(at: 3_601_000) == [subjects[0]])
        schedule.finished([subjects[0]])
        #expect(schedule.due(at: 5_400_999).isEmpty)
        #expect(schedule.due(at: 5_401_000) == [subjects[2]])
        // Since when a thing is known does not change by hearing of it again.
        #expect(schedule.update([subjects[2]], at: 5_000_000).isEmpty)
        #expect(schedule.due(at: 5_401_000) == [subjects[2]])
    }

    @Test(
        "however a node is started and stopped, and away: nothing goes before its hour of running, and then all that is still withdrawn",
        arguments: UInt64(0)..<50)
    func destructionProperty(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let subjects = (1...8).map { OperationID(signingKey($0).device.bytes32) }
        var (schedule, now) = (DestructionSchedule(), UInt64(0))
        var (withdrawn, knownSince, gone) = (Set<OperationID>(), [OperationID: UInt64](), Set<OperationID>())
        for _ in 0..<200 {
            // A week away is no time: the node was not running.
            now += .random(in: 0...1_000_000, using: &random)
            let subject = subjects.randomElement(using: &random)!
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !gone.contains(subject): withdrawn.insert(subject)
            case 1 where Int.random(in: 0..<4, using: &random) == 0: withdrawn.remove(subject)
            case 2: schedule = DestructionSchedule(pending: schedule.pending, at: now)
            default: break
            }
            _ = schedule.update(withdrawn, at: now)
            knownSince = knownSince.filter { withdrawn.contains($0.key) }
            for subject in withdrawn where knownSince[subject] == nil { knownSince[subject] = now }
            let due = schedule.due(at: now)
            #expect(Set(due) == withdrawn.filter { knownSince[$0]! + 3_600_000 <= now })
            schedule.finished(due)
            gone.formUnion(due)
            withdrawn.subtract(due)
        }
        #expect(!gone.isEmpty)
    }

    @Test("a schedule that was kept goes on where it was, and waits its whole hour where its clock was lost")
    func keptSchedule() {
        let subject = OperationID(signingKey(1).device.bytes32)
        let kept = DestructionSchedule(pending: [subject: 500_000], at: 4_000_000)
        #expect(kept.due(at: 4_099_999).isEmpty && kept.due(at: 4_100_000) == [subject])
        let lost = DestructionSchedule(pending: [subject: 9_000_000], at: 0)
        #expect(lost.due(at: 3_599_999).isEmpty && lost.due(at: 3_600_000) == [subject])
    }

    @Test("a photo takes with it what describes it and what is said about it; a remark goes alone")
    func bodies() throws {
        var story = try story()
        let photo = try story.photo(cleo, slot: 1)
        let caption = try story.say(.caption, by: cleo, about: photo, content: .text("us"))
        let comment = try story.say(.comment, by: ben, about: photo, content: .text("nice"))
        let other = try story.say(.comment, by: anna, about: photo, content: .text("rude"))
        try story.say(.erase, by: host, about: other)
        var state = try story.outcome()
        #expect(state.withdrawals == [other.id: .erased])
        #expect(state.album.bodies(with: other.id) == [other.id])
        #expect(state.album.withdrawnSubject(of: other.id, other.header) == other.id)
        #expect(state.album.withdrawnSubject(of: comment.id, comment.header) == nil)
        try story.say(.remove, by: cleo, about: photo)
        state = try story.outcome()
        #expect(state.withdrawals == [other.id: .erased, photo.id: .removed])
        #expect(Set(state.album.bodies(with: photo.id)).isSuperset(of: [photo.id, caption.id, comment.id, other.id]))
        for said in [photo, caption, comment] {
            #expect(state.album.withdrawnSubject(of: said.id, said.header) == photo.id)
        }
        let digest = state.digest
        state.forgetBodies([caption.id, comment.id])
        #expect(state.album.caption(of: PhotoID(photo.id))?.text == nil)
        #expect(state.album.comments(on: PhotoID(photo.id)).allSatisfy { $0.text == nil })
        #expect(state.digest == digest)
    }
}
