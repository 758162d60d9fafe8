// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import Testing

@Suite struct EventPositionTests {
    @Test(
        "degrees with a decimal point are read to the nearest thousandth, and written with three decimals",
        arguments: [
            ("47.243,6.022", 47_243, 6_022, "47.243, 6.022"),
            (" -33.86882 , +151.2093 ", -33_869, 151_209, "-33.869, 151.209"),
            ("0,0", 0, 0, "0.000, 0.000"), ("-0.0049,7", -5, 7_000, "-0.005, 7.000"),
            ("90,-180", 90_000, -180_000, "90.000, -180.000"), ("-0.0001,0", 0, 0, "0.000, 0.000"),
        ])
    func reading(text: String, latitude: Int, longitude: Int, written: String) throws {
        let position = try #require(EventPosition(written: text))
        #expect(position == EventPosition(latitude: Int32(latitude), longitude: Int32(longitude)))
        #expect(position.written == written)
        #expect(EventPosition(written: written) == position)
    }

    @Test(
        "another text is no position, nor is a place beyond the poles or the date line",
        arguments: [
            "", ",", "47.243", "47.243,", "47,243,6,022", "47.243;6.022", "47.243 6.022", "90.001,0", "-91,0",
            "0,180.001", "0,-181", "1000,0", "1e1,0", "nan,0", "inf,0", "0x1,0", "4 7,6", ".5,6", "--5,6", "north,east", "47.2.4,6",
        ])
    func refusal(text: String) {
        #expect(EventPosition(written: text) == nil)
    }

    @Test("a charter with a position beyond the Earth is refused, with a sentence for the person who entered it")
    func charter() {
        var charter = Charter(name: "Party", startsAtMilliseconds: 1_800_000_000_000)
        charter.presentation.position = EventPosition(latitude: 90_000, longitude: -180_000)
        #expect(charter.isWellFormed && charter.problems.isEmpty)
        for position in [
            EventPosition(latitude: 90_001, longitude: 0), EventPosition(latitude: 0, longitude: 180_001),
            EventPosition(latitude: .min, longitude: .max),
        ] {
            charter.presentation.position = position
            #expect(!charter.isWellFormed)
            #expect(charter.problems.map(\.field) == [.position])
        }
    }

    @Test("the card of a listed event has its position, and a withdrawn card has none")
    func card() throws {
        var charter = Charter(name: "Party", startsAtMilliseconds: 1_800_000_000_000)
        charter.presentation.position = EventPosition(latitude: 47_243, longitude: 6_022)
        var card = try #require(EventCard(charter, at: 1_800_000_000_000))
        #expect(card.position == charter.presentation.position && card.isWellFormed)
        let withdrawn = card.withdrawn(at: 1_800_000_000_001)
        #expect(withdrawn.position == nil && withdrawn.isWellFormed)
        card.position = EventPosition(latitude: -90_001, longitude: 0)
        #expect(!card.isWellFormed)
    }

    @Test("an organizer may move an opened event on the map, and take it from there")
    func favour() {
        var (here, there) = (
            Charter(name: "Party", startsAtMilliseconds: 1_800_000_000_000),
            Charter(name: "Party", startsAtMilliseconds: 1_800_000_000_000)
        )
        here.presentation.position = EventPosition(latitude: 1, longitude: 1)
        #expect(here.isInGuestsFavour(.position, becoming: there) && there.isInGuestsFavour(.position, becoming: here))
        there.take(.position, from: here)
        #expect(there == here)
    }
}
