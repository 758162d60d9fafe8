// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Annotations that a node refuses to sign: beyond the number and rate that other nodes show.
@Suite("Saying something about photos") struct RemarkStatementTests {
    private let heart: Unicode.Scalar = "\u{2764}"

    @Test("an author captions its own photos, also while it adds them, and nobody else's")
    func captions() throws {
        let office = try Office()
        let photo = try office.photo(by: office.member)
        #expect(office.say(.say(.caption(photo, "Cake"), salt: office.salt)) == .refused(.notYours(photo)))
        #expect(office.say(.say(.caption(photo, "Cake"), salt: office.salt), by: office.member) == .stated([.caption]))
        #expect(
            office.say(.say(.caption(photo, "Cake"), salt: office.salt), by: office.member) == .refused(.nothingToDo))
        #expect(office.state.album.caption(of: photo)?.text == "Cake")
        let captioned = try office.photo(caption: "The band")
        #expect(office.state.album.caption(of: captioned)?.text == "The band")
    }

    @Test("an emoji is put on once, taken off once, and is one of those that all nodes know")
    func reactions() throws {
        let office = try Office()
        let photo = try office.photo()
        func react(_ emoji: Unicode.Scalar, _ isOn: Bool) -> Office.Outcome {
            office.say(.say(.reaction(photo, emoji, isOn: isOn), salt: office.salt), by: office.member)
        }
        #expect(react(heart, false) == .refused(.nothingToDo))
        #expect(react(heart, true) == .stated([.reaction]))
        #expect(react(heart, true) == .refused(.nothingToDo))
        #expect(office.state.album.reactions(to: photo) == [heart: [office.guest]])
        #expect(react(heart, false) == .stated([.reaction]))
        #expect(office.state.album.reactions(to: photo).isEmpty)
        #expect(react("\u{1F4A9}", true) == .refused(.nothingToDo))
    }

    @Test("a text that no node could read is not signed")
    func malformedTexts() throws {
        let office = try Office()
        let photo = try office.photo()
        for text in ["", String(repeating: "a", count: 2_001), "left\u{202E}right", "bell\u{7}"] {
            guard case .refused(.malformed) = office.say(.say(.comment(photo, text), salt: office.salt)) else {
                Issue.record("\(text.prefix(20)) was not refused")
                continue
            }
        }
        #expect(
            office.say(.say(.comment(photo, String(repeating: "a", count: 2_000)), salt: office.salt))
                == .stated([.comment]))
    }

    @Test("a twenty-first comment on a photo is refused, also after one was deleted")
    func tooManyComments() throws {
        let office = try Office()
        let (photo, other) = (try office.photo(), try office.photo())
        for number in 0..<Remarks.commentsPerPhotoMax {
            #expect(office.say(.say(.comment(photo, "Comment \(number)"), salt: office.salt)) == .stated([.comment]))
        }
        let first = try #require(office.state.album.comments(on: photo).first)
        #expect(office.say(.remove(PhotoID(first.id))) == .stated([.remove]))
        #expect(office.state.album.comments(on: photo).count == 19)
        let more = Saying.comment(photo, "One more")
        #expect(office.say(.say(more, salt: office.salt)) == .refused(.tooManyComments(limit: 20)))
        #expect(office.say(.say(.comment(other, "Here"), salt: office.salt)) == .stated([.comment]))
        #expect(office.say(.say(more, salt: office.salt), by: office.member) == .stated([.comment]))
    }

    @Test("who says too much at once is refused until time has passed, and others are not")
    func tooFast() throws {
        let office = try Office()
        let photos = try [office.photo(), office.photo()]
        for number in 0..<Limits.remarksBurstMax {
            let comment = Saying.comment(photos[number % 2], "Comment \(number)")
            #expect(office.say(.say(comment, salt: office.salt), by: office.member) == .stated([.comment]))
        }
        let more = Saying.reaction(photos[0], heart, isOn: true)
        #expect(office.say(.say(more, salt: office.salt), by: office.member) == .refused(.tooFast(seconds: 1)))
        #expect(office.say(.say(more, salt: office.salt)) == .stated([.reaction]))
        office.wait(milliseconds: 1_000)
        #expect(office.say(.say(more, salt: office.salt), by: office.member) == .stated([.reaction]))
    }

    @Test("an annotation is deleted by its author, hidden by a moderator, erased by an organizer, and by nobody else")
    func takenAway() throws {
        let office = try Office()
        let photo = try office.photo()
        for text in ["One", "Two", "Three"] {
            #expect(office.say(.say(.comment(photo, text), salt: office.salt)) == .stated([.comment]))
        }
        var comments = office.state.album.comments(on: photo)
        let (one, two, three) = (PhotoID(comments[0].id), PhotoID(comments[1].id), PhotoID(comments[2].id))
        #expect(office.say(.remove(one), by: office.member) == .refused(.notYours(one)))
        #expect(
            office.say(.rule(.hide(two), salt: office.salt), by: office.member)
                == .refused(.rankTooLow(needed: .moderator)))
        #expect(office.say(.remove(one)) == .stated([.remove]))
        #expect(office.say(.rule(.hide(two), salt: office.salt)) == .stated([.hide]))
        #expect(office.say(.rule(.erase(three), salt: office.salt)) == .stated([.erase]))
        #expect(office.state.album.comments(on: photo).isEmpty)
        #expect(office.say(.rule(.unhide(two), salt: office.salt)) == .stated([.unhide]))
        comments = office.state.album.comments(on: photo)
        #expect(comments.map(\.text) == ["Two"])
        // The photo itself was never touched.
        #expect(office.state.gallery.map(\.id) == [photo])
    }

    @Test("an organizer speaks to all, a guest does not, and nobody about what is not there")
    func notices() throws {
        let office = try Office()
        let notice = Statement.say(.notice("Cake at five"), salt: office.salt)
        #expect(office.say(notice, by: office.member) == .refused(.rankTooLow(needed: .organizer)))
        #expect(office.say(notice) == .stated([.notice]))
        #expect(office.state.album.notices.map(\.text) == ["Cake at five"])
        let unknown = PhotoID(BLAKE2b.hash([1]))
        #expect(office.say(.say(.comment(unknown, "What?"), salt: office.salt)) == .refused(.unknownPhoto(unknown.short)))
        let photo = try office.photo()
        #expect(office.say(.remove(photo)) == .stated([.remove]))
        #expect(office.say(.say(.comment(photo, "Gone"), salt: office.salt)) == .refused(.unknownPhoto(photo.short)))
    }
}
