// SPDX-License-Identifier: Apache-2.0
import DisposableMDNS
import Testing

struct PacketDecoderTests {
    private static let header: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    /// "_disposable._tcp.local"
    private static let type: [UInt8] = VirtualNetwork.serviceName.bytes + [0]

    private func error(_ bytes: [UInt8]) -> PacketError? {
        do {
            _ = try PacketDecoder.decode(bytes, serviceType: VirtualNetwork.serviceName)
            return nil
        } catch {
            return error
        }
    }

    @Test("a response with compressed names, as another responder writes it, is read byte for byte")
    func bytes() throws {
        // PTR _disposable._tcp.local -> A._disposable._tcp.local, SRV A -> h.local:8028, A h.local 10.0.0.7
        var packet: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 3, 0, 0, 0, 0]
        packet += Self.type + [0, 12, 0, 1, 0, 0, 0x11, 0x94, 0, 4, 1, UInt8(ascii: "A"), 0xC0, 12]
        packet += [
            0xC0, 46, 0, 33, 0x80, 1, 0, 0, 0, 120, 0, 10, 0, 0, 0, 0, 0x1F, 0x5C, 1, UInt8(ascii: "h"), 0xC0, 29,
        ]
        packet += [0xC0, 68, 0, 1, 0x80, 1, 0, 0, 0, 120, 0, 4, 10, 0, 0, 7]
        let message = try Packet.decode(packet)
        #expect(message.isResponse)
        #expect(
            message.answers == [
                Packet.pointer("A"), Packet.service("A", host: "h.local", port: 8028),
                Packet.address("h.local", [10, 0, 0, 7]),
            ])
    }

    @Test("what is written reads as itself again, shorter for its compressed names")
    func roundTrip() throws {
        var message = Message()
        message.isResponse = true
        message.answers = [Packet.pointer("one"), Packet.pointer("two"), Packet.service("one", host: "h.local")]
        message.additionals = [Packet.text("one", ["v": [1]]), Packet.address("h.local", [10, 0, 0, 1])]
        let bytes = try #require(message.encoded())
        #expect(try Packet.decode(bytes) == message)
        #expect(bytes.count < 200)
    }

    @Test("names are equal without regard to the case of ASCII letters")
    func letterCase() throws {
        #expect(DomainName("A._Disposable._TCP.Local") == DomainName("a._disposable._tcp.local"))
        #expect(DomainName("å.local") != DomainName("Å.local"))
    }

    @Test("records of other services, types and classes are left out")
    func others() throws {
        var message = Message()
        message.isResponse = true
        message.answers = [
            Record(
                name: Packet.name("_http._tcp.local"), data: .pointer(Packet.name("x._http._tcp.local")),
                timeToLive: 120, isUnique: false),
            Record(name: Packet.name("x._http._tcp.local"), data: .text([0]), timeToLive: 120, isUnique: true),
            Packet.pointer("mine"),
        ]
        #expect(try Packet.decode(try #require(message.encoded())).answers == [Packet.pointer("mine")])
    }

    @Test(
        "a pointer that leads to itself, forwards or into the header makes the packet unreadable",
        arguments: [12, 13, 40, 0, 11])
    func loops(target: UInt8) {
        let packet = Self.header + [0xC0, target] + [0, 12, 0, 1, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 40)
        #expect(error(packet) == .badName)
    }

    @Test("two names that point to each other make the packet unreadable")
    func mutualLoop() {
        // At 12: "a" and a pointer to 16; at 16: "b" and a pointer to 12.
        var packet = Self.header
        packet[5] = 2
        packet += [1, 97, 0xC0, 18, 0, 12, 1, 98, 0xC0, 12, 0, 12, 0, 1]
        #expect(error(packet) == .badName)
    }

    @Test("a chain of pointers is followed to its end, which the length of names bounds")
    func chain() throws {
        // Names of one label "a" each, every one a label and a pointer to the one before: too long from the 128th on.
        var packet = Self.header
        packet[7] = 0
        packet[5] = 200
        packet += [1, 97, 0, 0, 1, 0, 1]
        var previous = 12
        for _ in 1..<200 {
            let start = packet.count
            packet += [1, 97, 0xC0 | UInt8(previous >> 8), UInt8(previous & 0xFF), 0, 1, 0, 1]
            previous = start
        }
        #expect(error(packet) == .badName)
    }

    @Test("every beginning of a packet is refused or read, and never trusted beyond its end")
    func truncation() {
        let packet = Packet.announcement("one")
        for count in packet.indices { #expect(error(Array(packet.prefix(count))) == .truncated, "\(count)") }
    }

    @Test("a packet that claims more entries than the limit, or is longer than any, is refused")
    func counts() {
        #expect(error([0, 0, 0x84, 0, 0, 0, 1, 1, 0, 0, 0, 0]) == .tooManyEntries)
        #expect(error([UInt8](repeating: 0, count: 9_001)) == .tooLong)
        #expect(error([0, 0, 0x80 | 0x28, 0] + [UInt8](repeating: 0, count: 8)) == .notMDNS)
        #expect(error([0, 0, 0x84, 3] + [UInt8](repeating: 0, count: 8)) == .notMDNS)
    }

    @Test("data that does not fill its length, or has the wrong length, makes the packet unreadable")
    func dataLengths() {
        let address: [UInt8] = [1, 97, 5] + Array("local".utf8) + [0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 3, 1, 2, 3]
        #expect(error(Self.header + address) == .truncated)
        let pointer = Self.type + [0, 12, 0, 1, 0, 0, 0, 1, 0, 5, 1, 97, 0xC0, 12, 0]
        #expect(error(Self.header + pointer) == .badName)
        let service: [UInt8] = [1, 97] + Self.type + [0, 33, 0, 1, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 1]
        #expect(error(Self.header + service) == .truncated)
    }

    @Test("labels of 63 bytes and names of 254 are read, longer ones and reserved kinds of label are not")
    func nameLengths() {
        #expect(DomainName(labels: [[UInt8](repeating: 97, count: 63)]) != nil)
        #expect(DomainName(labels: [[UInt8](repeating: 97, count: 64)]) == nil)
        #expect(DomainName(labels: [[]]) == nil)
        let long = [[UInt8]](repeating: [UInt8](repeating: 97, count: 63), count: 4)
        #expect(DomainName(labels: long) == nil)
        for kind: UInt8 in [0x40, 0x80, 0xBF] {
            #expect(error(Self.header + [kind, 0] + [UInt8](repeating: 0, count: 20)) == .badName)
        }
    }

    @Test("TXT pairs: the first of a key counts, entries without a key are skipped, an entry beyond the end is refused")
    func text() {
        let entries = ["v=1", "v=2", "=x", "flag", "k==="].map { Array($0.utf8) }
        let bytes = entries.flatMap { [UInt8($0.count)] + $0 }
        #expect(TextRecord.pairs(of: bytes) == ["v": [49], "flag": [], "k": Array("==".utf8)])
        #expect(TextRecord.pairs(of: [3, 97]) == nil)
        #expect(TextRecord.pairs(of: [UInt8](repeating: 0, count: 33)) == nil)
        #expect(TextRecord.pairs(of: [UInt8](repeating: 0, count: 32)) == [:])
        #expect(TextRecord.pairs(of: TextRecord.encode(["a": [0, 61], "b": []])) == ["a": [0, 61], "b": []])
        #expect(TextRecord.encode([:]) == [0])
    }
}
