// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Operations that a node refuses to sign, because they would not count at any node.
@Suite("Stating edits of the charter, and frames") struct CharterStatementTests {
    @Test("an edit of several fields is an operation each, and counts")
    func severalFields() throws {
        let office = try Office()
        let outcome = try office.edit([.name, .place]) {
            $0.name = "Party"
            $0.presentation.place = "Barn"
            // Not among the fields.
            $0.frames = 40
        }
        #expect(outcome == .stated([.edit, .edit]))
        #expect(office.state.charter?.name == "Party" && office.state.charter?.presentation.place == "Barn")
        #expect(office.state.charter?.frames == 27)
    }

    @Test(
        "once the event is open, fewer frames, a longer retention and a draft are refused, and nothing beside them is said"
    )
    func againstGuests() throws {
        let office = try Office()
        let count = office.stored.count
        for (field, change) in [
            (CharterField.frames, { $0.frames = 26 }), (.retentionHours, { $0.schedule.retentionHours = 193 }),
            (.isOpened, { $0.isOpened = false }),
        ] as [(CharterField, (inout Charter) -> Void)] {
            let outcome = try office.edit([.name, field]) {
                $0.name = "Party"
                change(&$0)
            }
            #expect(outcome == .refused(.againstGuests(field)))
        }
        #expect(office.stored.count == count && office.state.charter?.name == "Anna & Ben")
        #expect(
            try office.edit([.frames, .retentionHours]) { ($0.frames, $0.schedule.retentionHours) = (0, 24) }
                == .stated([.edit, .edit]))
        #expect(try office.edit([.frames]) { $0.frames = 1_000 } == .refused(.againstGuests(.frames)))
    }

    @Test("who is no organizer edits nothing and gives no frames; the event's key may")
    func ranks() throws {
        let office = try Office()
        let frames = Statement.rule(.frames(3, to: office.guest), salt: office.salt)
        #expect(
            try office.edit([.name], by: office.member) { $0.name = "Mine" }
                == .refused(.rankTooLow(needed: .organizer)))
        #expect(office.say(frames, by: office.member) == .refused(.rankTooLow(needed: .organizer)))
        #expect(try office.edit([.name], by: office.founding.eventKey) { $0.name = "Ours" } == .stated([.edit]))
        #expect(office.say(frames) == .stated([.frames]))
        #expect(office.state.rollLimit(of: office.guest, at: 0) == 30)
    }

    @Test("what is so already, and frames for somebody without a limit, are not said once more")
    func nothingToDo() throws {
        let office = try Office()
        #expect(try office.edit([.name, .frames]) { _ in } == .refused(.nothingToDo))
        let organizer = AuthorID(office.founding.deviceKey.verifyingKey)
        #expect(office.say(.rule(.frames(3, to: organizer), salt: office.salt)) == .refused(.nothingToDo))
    }

    @Test("more edits than nodes look at are refused, and the next organizer can go on")
    func tooManyEdits() throws {
        let office = try Office(edits: Charter.editsPerDeviceMax - 1)
        #expect(
            try office.edit([.place, .name]) { ($0.presentation.place, $0.name) = ("Hall", "Party") }
                == .refused(.tooManyEdits(limit: 256)))
        #expect(try office.edit([.place]) { $0.presentation.place = "Hall" } == .stated([.edit]))
        #expect(office.state.charter?.presentation.place == "Hall")
        #expect(try office.edit([.place]) { $0.presentation.place = "Nowhere" } == .refused(.tooManyEdits(limit: 256)))
        let byEventKey = try office.edit([.place], by: office.founding.eventKey) { $0.presentation.place = "Barn" }
        #expect(byEventKey == .stated([.edit]))
        #expect(office.state.charter?.presentation.place == "Barn")
    }

    @Test("a charter that no node could read is not signed")
    func malformed() throws {
        let office = try Office()
        guard case .refused(.malformed) = try office.edit([.frames], { $0.frames = 2_000 }) else {
            Issue.record("it was not refused as malformed")
            return
        }
    }
}
