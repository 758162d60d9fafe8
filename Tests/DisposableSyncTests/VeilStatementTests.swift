// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSync
import Testing

/// The veils and lifts that a node signs, and those that it refuses, with the reason.
@Suite struct VeilStatementTests {
    private let office: Office
    init() throws { office = try Office() }

    private func veil(_ photo: PhotoID, isOn: Bool = true, asGuest: Bool = true) -> Office.Outcome {
        office.say(.say(.veil(photo, isOn: isOn), salt: office.salt), by: asGuest ? office.member : nil)
    }

    private func rule(_ ruling: Ruling, asGuest: Bool = false) -> Office.Outcome {
        office.say(.rule(ruling, salt: office.salt), by: asGuest ? office.member : nil)
    }

    @Test("a guest asks for photos of others, where veils are on, and takes it back")
    func asked() throws {
        let (photo, own) = (try office.photo(), try office.photo(by: office.member))
        #expect(veil(photo) == .refused(.noVeil(.off)))
        #expect(rule(.veils(isOn: true), asGuest: true) == .refused(.rankTooLow(needed: .organizer)))
        #expect(rule(.veils(isOn: false)) == .refused(.nothingToDo))
        #expect(rule(.veils(isOn: true)) == .stated([.veiling]))
        #expect(veil(own) == .refused(.noVeil(.own)))
        #expect(veil(photo, isOn: false) == .refused(.nothingToDo))
        #expect(veil(photo) == .stated([.veil]))
        #expect(office.state.photo(photo)?.status.isVeiled == true)
        #expect(veil(photo) == .refused(.nothingToDo))
        #expect(veil(photo, isOn: false) == .stated([.remove]))
        #expect(office.state.photo(photo)?.status.isVeiled == false)
        #expect(veil(photo) == .stated([.veil]))
        #expect(rule(.veils(isOn: false)) == .stated([.erase]))
        #expect(office.state.photo(photo)?.status.isVeiled == false)
    }

    @Test("a moderator lifts a veil, for good, and takes the lift back")
    func lifted() throws {
        let photo = try office.photo()
        #expect(rule(.veils(isOn: true)) == .stated([.veiling]))
        #expect(rule(.lift([photo])) == .refused(.nothingToDo))
        #expect(veil(photo) == .stated([.veil]))
        #expect(rule(.lift([photo]), asGuest: true) == .refused(.rankTooLow(needed: .moderator)))
        #expect(rule(.unlift(photo)) == .refused(.nothingToDo))
        #expect(rule(.lift([photo])) == .stated([.lift]))
        #expect(veil(photo) == .refused(.noVeil(.lifted)))
        #expect(rule(.unlift(photo)) == .stated([.hide]))
        #expect(office.state.photo(photo)?.status.isVeiled == true)
    }

    @Test("the fourth undecided or lifted photo is refused, until moderators hide one")
    func limit() throws {
        #expect(rule(.veils(isOn: true)) == .stated([.veiling]))
        let photos = try (0..<4).map { _ in try office.photo() }
        for photo in photos.prefix(3) { #expect(veil(photo) == .stated([.veil])) }
        #expect(veil(photos[3]) == .refused(.noVeil(.usedUp)))
        #expect(rule(.lift([photos[0]])) == .stated([.lift]))
        #expect(veil(photos[3]) == .refused(.noVeil(.usedUp)))
        #expect(rule(.hide(photos[1])) == .stated([.hide]))
        #expect(veil(photos[3]) == .stated([.veil]))
    }
}
