// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import Testing

@Suite struct AdvertisementTextTests {
    @Test("a record of another version, or without a salt, shows no event")
    func foreignRecords() {
        let tag = Array(String(repeating: "a", count: 32).utf8)
        let salt = Array("0011223344556677".utf8)
        #expect(AdvertisementText.events(in: ["v": Array("0".utf8), "s": salt, "t0": tag]).isEmpty)
        #expect(AdvertisementText.events(in: ["v": Array("1".utf8), "t0": tag]).isEmpty)
        #expect(AdvertisementText.events(in: ["v": Array("1".utf8), "s": salt, "t0": tag]).count == 1)
    }

    @Test("a listed name that could disturb a terminal is not shown")
    func hostileName() {
        let events = AdvertisementText.events(in: [
            "v": Array("1".utf8), "s": Array("0011223344556677".utf8), "t0": [], "n0": Array("evil\u{1B}[2J".utf8),
            "b0": Array("not a number".utf8),
        ])
        #expect(events.count == 1)
        #expect(events.first?.name == nil)
        #expect(events.first?.startsAtMilliseconds == nil)
    }

    private func charter(_ name: String, category: String = "", place: String = "") -> Charter {
        var charter = Charter(name: name, startsAtMilliseconds: 1_800_000_000_000)
        (charter.presentation.category, charter.presentation.place) = (category, place)
        return charter
    }

    private func byteCount(_ text: [String: [UInt8]]) -> Int {
        text.reduce(0) { $0 + 2 + $1.key.utf8.count + $1.value.count }
    }

    @Test("the port of the pages, categories and places of listed events are announced, and read again")
    func details() throws {
        var text = ["v": Array("1".utf8), "s": Array("0011223344556677".utf8), "t0": [], "t1": [], "n1": Array("Fête".utf8)]
        AdvertisementText.addDetails(
            of: [(index: 1, charter: charter("Fête", category: "Kirmes", place: "Lyon"))], pagePort: 8027, to: &text)
        #expect(AdvertisementText.pagePort(in: text) == 8027)
        let events = AdvertisementText.events(in: text)
        #expect(events.map(\.category) == [nil, .other])
        #expect(events.map(\.place) == [nil, "Lyon"])
        #expect(events.map(\.position) == [nil, nil])
    }

    @Test("the position of a listed event is announced, and read again; what a stranger writes in its place is not")
    func position() {
        var text = ["v": Array("1".utf8), "s": Array("00".utf8), "t0": []]
        var charter = charter("A")
        charter.presentation.position = EventPosition(latitude: -33_869, longitude: 151_209)
        AdvertisementText.addDetails(of: [(index: 0, charter: charter)], pagePort: nil, to: &text)
        #expect(text["l0"] == Array("-33869,151209".utf8))
        #expect(AdvertisementText.events(in: text).map(\.position) == [charter.presentation.position])
        for wrong in ["", ",", "1", "1,", "1,2,3", "90001,0", "0,-180001", "99999999999,0", "47.2,6.0", "1, 2"] {
            text["l0"] = Array(wrong.utf8)
            #expect(AdvertisementText.events(in: text).map(\.position) == [nil], "\(wrong)")
        }
    }

    @Test("a node without listed events, or whose pages others cannot reach, announces no port")
    func noPort() {
        var text = ["v": Array("1".utf8), "s": Array("00".utf8)]
        AdvertisementText.addDetails(of: [], pagePort: 8027, to: &text)
        AdvertisementText.addDetails(of: [(index: 0, charter: charter("A"))], pagePort: nil, to: &text)
        #expect(AdvertisementText.pagePort(in: text) == nil)
        for port in ["0", "65536", "-1", "x"] {
            text["g"] = Array(port.utf8)
            #expect(AdvertisementText.pagePort(in: text) == nil)
        }
    }

    @Test("with eight events, long names and places, the record stays within its limits, and names and starts are whole")
    func fullRecord() {
        var text = ["v": Array("1".utf8), "s": Array(String(repeating: "0", count: 16).utf8)]
        var listed: [(index: Int, charter: Charter)] = []
        for index in 0..<8 {
            text["t\(index)"] = Array(String(repeating: "a", count: 32).utf8)
            text["n\(index)"] = Array(repeating: 0x61, count: 80)
            text["b\(index)"] = Array("1800000000000".utf8)
            listed.append((index, charter("a", category: "wedding", place: String(repeating: "é", count: 80))))
        }
        let before = text
        AdvertisementText.addDetails(of: listed, pagePort: 65_535, to: &text)
        #expect(text.merging(before) { new, _ in new } == text && before.allSatisfy { text[$0.key] == $0.value })
        #expect(text.count <= 32 && byteCount(text) <= 1_300)
        #expect(AdvertisementText.pagePort(in: text) == 65_535)

        var one = before.filter { !$0.key.hasSuffix("1") && !"234567".contains($0.key.last ?? "x") }
        AdvertisementText.addDetails(of: Array(listed.prefix(1)), pagePort: 1, to: &one)
        #expect(one["p0"]?.count == 60)
    }
}
