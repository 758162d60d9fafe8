// SPDX-License-Identifier: Apache-2.0
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
}
