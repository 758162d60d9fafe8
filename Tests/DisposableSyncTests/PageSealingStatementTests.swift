// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSync
import Testing

/// The settings of page sealing that a node signs, and those that it refuses, with the reason.
@Suite struct PageSealingStatementTests {
    private let office: Office
    init() throws { office = try Office() }

    private func rule(isOn: Bool, asGuest: Bool = false) -> Office.Outcome {
        office.say(.rule(.pageSealing(isOn: isOn), salt: office.salt), by: asGuest ? office.member : nil)
    }

    @Test("an organizer switches page sealing on and off, a guest does not")
    func switched() {
        #expect(rule(isOn: true, asGuest: true) == .refused(.rankTooLow(needed: .organizer)))
        #expect(rule(isOn: false) == .refused(.nothingToDo))
        #expect(rule(isOn: true) == .stated([.pageSealing]))
        #expect(rule(isOn: true) == .refused(.nothingToDo))
        #expect(office.state.album.pageSealingSettings.count == 1)
        // Its photos are not sealed, so pages have no key to seal to.
        #expect(office.state.pageSealingKey == nil)
        #expect(rule(isOn: false, asGuest: true) == .refused(.rankTooLow(needed: .organizer)))
        #expect(rule(isOn: false) == .stated([.erase]))
        #expect(office.state.album.pageSealingSettings.isEmpty)
    }
}
