// SPDX-License-Identifier: Apache-2.0
import DisposableDiscovery
import Testing

@Suite("Questions to a name server") struct NameQueryTests {
    private static let query = NameQuery(id: 0x1234, name: "captive.apple.com")
    private static let name = [7] + Array("captive".utf8) + [5] + Array("apple".utf8) + [3] + Array("com".utf8) + [0]

    /// An answer to the question, with these records behind it.
    private static func packet(_ records: [[UInt8]], flags: [UInt8] = [0x81, 0x80]) -> [UInt8] {
        [0x12, 0x34] + flags + [0, 1, 0, UInt8(records.count), 0, 0, 0, 0] + name + [0, 1, 0, 1]
            + records.flatMap(\.self)
    }
    private static func address(_ bytes: [UInt8]) -> [UInt8] { [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4] + bytes }

    @Test("a question is a header, the name, type A and class IN")
    func question() {
        #expect(Self.query.bytes == [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + Self.name + [0, 1, 0, 1])
    }

    @Test("the answer has all IPv4 addresses, also behind an alias")
    func addresses() {
        #expect(Self.query.answer(in: Self.packet([Self.address([10, 42, 0, 1])])) == .addresses(["10.42.0.1"]))
        let alias: [UInt8] = [0xC0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, 4, 1, 0x78, 0xC0, 12]
        let both = Self.packet([alias, Self.address([17, 1, 2, 3]), Self.address([17, 1, 2, 4])])
        #expect(Self.query.answer(in: both) == .addresses(["17.1.2.3", "17.1.2.4"]))
    }

    @Test("no address and no such name are empty, a refusal is a failure")
    func none() {
        #expect(Self.query.answer(in: Self.packet([])) == .addresses([]))
        #expect(Self.query.answer(in: Self.packet([], flags: [0x81, 0x83])) == .addresses([]))
        #expect(Self.query.answer(in: Self.packet([], flags: [0x81, 0x85])) == .failed)
        #expect(Self.query.answer(in: Self.packet([], flags: [0x81, 0x82])) == .failed)
    }

    @Test("every other packet is no answer: another id, another question, a question, and every part of an answer")
    func others() {
        let whole = Self.packet([Self.address([10, 42, 0, 1])])
        for count in 0..<whole.count { #expect(Self.query.answer(in: Array(whole.prefix(count))) == nil, "\(count)") }
        #expect(NameQuery(id: 1, name: "captive.apple.com").answer(in: whole) == nil)
        #expect(NameQuery(id: 0x1234, name: "captive.apple.org").answer(in: whole) == nil)
        #expect(Self.query.answer(in: Self.query.bytes) == nil)
        var long = whole
        long[7] = 200
        #expect(Self.query.answer(in: long) == nil)
    }
}
