// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Zones: the worked examples of protocol/rules.md §25.
@Suite struct ZoneTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)
    private let guest = signingKey(4)
    private let atHost = signingKey(5)
    private let atBen = signingKey(6)

    private func founded() throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben], frames: 12)
        try story.grant(.organizer, to: anna, by: event.eventKey)
        try story.join(atHost, sponsor: host, for: guest)
        try story.join(atBen, sponsor: ben, for: guest)
        return story
    }

    private func zone(_ photo: VerifiedOperation, _ story: Story) throws -> String? {
        let state = try story.outcome()
        return state.zone(of: try #require(state.photo(PhotoID(photo.id))))
    }

    @Test("a photo of a guest has the zone of the node that took it in, and a member's own that of the member's node")
    func nodes() throws {
        var story = try founded()
        let (first, second) = (try story.photo(atHost, slot: 1), try story.photo(atBen, slot: 2))
        let own = try story.photo(ben, slot: 1)
        #expect(try zone(first, story) == nil)
        try story.edit(.zones, by: host) {
            $0.zones[host.device] = "Kitchen"
            $0.zones[ben.device] = "Dance floor"
        }
        #expect(try zone(first, story) == "Kitchen")
        #expect(try zone(second, story) == "Dance floor")
        #expect(try zone(own, story) == "Dance floor")
        try story.edit(.zones, by: host) { $0.zones[host.device] = "Kitchen" }
        #expect(try zone(second, story) == nil)
        #expect(try zone(first, story) == "Kitchen")
    }

    @Test("of two lists that organizers make while apart one counts, and a member without that rank changes none")
    func apart() throws {
        var story = try founded()
        let photo = try story.photo(atBen, slot: 1)
        let first = [try #require(story.operations.first).id]
        try story.edit(.zones, by: anna, follows: first) { $0.zones[ben.device] = "Garden" }
        #expect(try zone(photo, story) == "Garden")
        try story.edit(.zones, by: event.eventKey, follows: first) { $0.zones[ben.device] = "Hall" }
        #expect(try zone(photo, story) == "Hall")
        try story.edit(.zones, by: anna) { $0.zones[ben.device] = "Terrace" }
        #expect(try zone(photo, story) == "Terrace")
        try story.edit(.zones, by: ben) { $0.zones[ben.device] = "Cellar" }
        #expect(try zone(photo, story) == "Terrace")
    }

    @Test("an event without zones has the digest that it had before there were any")
    func digest() throws {
        var story = try founded()
        let before = try story.outcome().digest
        try story.edit(.zones, by: host) { $0.zones[host.device] = "Kitchen" }
        #expect(try story.outcome().digest != before)
        try story.edit(.zones, by: host) { $0.zones[host.device] = nil }
        #expect(try story.outcome().digest == before)
    }

    @Test("a list of any bytes is read as far as it has zones, and written as these")
    func anyBytes() throws {
        func entry(_ key: SigningKey, _ name: [UInt8]) -> [UInt8] { key.device.bytes + [UInt8(name.count)] + name }
        let kitchen = entry(host, Array("Kitchen".utf8))
        let others =
            entry(ben, [0xFF]) + entry(ben, []) + entry(ben, Array("\u{200D}".utf8)) + entry(ben, Array("a\nb".utf8))
        let again = entry(host, Array("Hall".utf8))
        let zones = Zones(bytes: others + kitchen + again + entry(ben, Array("Hall".utf8)).dropLast())
        #expect(zones.list.map(\.name) == ["Kitchen"])
        #expect(zones.bytes == kitchen)
        #expect(Zones(bytes: []).list.isEmpty && Zones(bytes: Array(kitchen.prefix(32))).list.isEmpty)
        let many = (0..<40).flatMap { entry(signingKey(UInt64($0) + 10), Array("Zone \($0)".utf8)) }
        #expect(Zones(bytes: many).list.count == Zone.countMax)
        #expect(Zones(bytes: Zones(bytes: many).bytes) == Zones(bytes: many))
    }

    @Test("a node keeps its place in the list when its zone gets another name, and a name that is no label is none")
    func names() {
        var zones = Zones()
        for (key, name) in [(host, "Kitchen"), (ben, "Garden"), (host, "Hall")] { zones[key.device] = name }
        #expect(zones.list.map(\.name) == ["Hall", "Garden"])
        zones[ben.device] = "two\nlines"
        #expect(zones.list.map(\.name) == ["Hall"])
        zones[ben.device] = String(repeating: "é", count: 128)
        #expect(zones[ben.device] == nil, "256 bytes")
        var charter = Charter(name: "Party", startsAtMilliseconds: 0)
        charter.zones[host.device] = String(repeating: "é", count: 40)
        #expect(charter.isAcceptable)
        charter.zones[host.device] = String(repeating: "é", count: 41)
        #expect(charter.isWellFormed && charter.problems.map(\.field) == [.zones])
    }
}
