// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSync
import Testing

/// The pictures and spots that a node signs, and those that it refuses, with the reason.
@Suite struct PictureStatementTests {
    private let office: Office
    init() throws { office = try Office() }

    private func say(_ saying: Saying, asGuest: Bool = false) -> Office.Outcome {
        office.say(.say(saying, salt: office.salt), by: asGuest ? office.member : nil)
    }

    @Test("an organizer picks photos that guests see, once each, and takes the pictures off")
    func pictures() throws {
        let photo = try office.photo(by: office.member)
        #expect(say(.picture(.cover, photo), asGuest: true) == .refused(.rankTooLow(needed: .organizer)))
        #expect(say(.picture(.cover, PhotoID(Bytes32.zero))) == .refused(.unknownPhoto(PhotoID(Bytes32.zero).short)))
        #expect(say(.picture(.cover, nil)) == .refused(.nothingToDo))
        #expect(say(.picture(.cover, photo)) == .stated([.picture]))
        #expect(say(.picture(.cover, photo)) == .refused(.nothingToDo))
        #expect(say(.picture(.plan, photo)) == .stated([.picture]), "one photo may be both")
        #expect(say(.picture(.cover, nil)) == .stated([.picture]))
        #expect(office.state.picture(.cover) == nil && office.state.picture(.plan)?.id == photo)
        #expect(office.say(.rule(.hide(photo), salt: office.salt)) == .stated([.hide]))
        #expect(say(.picture(.cover, photo)) == .refused(.notShown(photo)))
    }

    @Test("a guest places own photos on the plan, and takes them off, also without a plan")
    func spots() throws {
        let (plan, own) = (try office.photo(), try office.photo(by: office.member))
        let spot = Spot(x: 1, y: 65_535)
        #expect(say(.spot(own, spot), asGuest: true) == .refused(.otherPlan))
        #expect(say(.picture(.plan, plan)) == .stated([.picture]))
        #expect(say(.spot(own, spot)) == .refused(.notYours(own)))
        #expect(say(.spot(own, nil), asGuest: true) == .refused(.nothingToDo))
        #expect(say(.spot(own, spot), asGuest: true) == .stated([.spot]))
        #expect(say(.spot(own, spot), asGuest: true) == .refused(.nothingToDo))
        #expect(office.state.spot(of: own) == spot)
        #expect(say(.picture(.plan, nil)) == .stated([.picture]))
        #expect(office.state.spot(of: own) == nil)
        #expect(say(.spot(own, nil), asGuest: true) == .stated([.spot]))
        #expect(say(.picture(.plan, plan)) == .stated([.picture]))
        #expect(office.state.spot(of: own) == nil, "it was taken off meanwhile")
    }

    @Test("a guest turns own photos, each way once, and no others")
    func turns() throws {
        let (photo, own) = (try office.photo(), try office.photo(by: office.member))
        #expect(say(.turn(photo, .quarter), asGuest: true) == .refused(.notYours(photo)))
        #expect(say(.turn(own, .none), asGuest: true) == .refused(.nothingToDo))
        #expect(say(.turn(own, .quarter), asGuest: true) == .stated([.turn]))
        #expect(say(.turn(own, .quarter), asGuest: true) == .refused(.nothingToDo))
        #expect(say(.turn(own, .none), asGuest: true) == .stated([.turn]))
        #expect(office.state.album.turn(of: own) == PhotoTurn.none)
    }

    @Test("spots count with comments and reactions: one author signs them at the same limited rate")
    func rate() throws {
        let (plan, own) = (try office.photo(), try office.photo(by: office.member))
        #expect(say(.picture(.plan, plan)) == .stated([.picture]))
        let outcomes = (0..<40).map { say(.spot(own, Spot(x: $0, y: 0)), asGuest: true) }
        #expect(outcomes.count { $0 == .stated([.spot]) } == 30)
        #expect(outcomes.suffix(10).allSatisfy { if case .refused(.tooFast) = $0 { true } else { false } })
    }
}
