// SPDX-License-Identifier: Apache-2.0
import DisposableMDNS
import DisposableValues
import Testing

struct PiecesTests {
    @Test("a bucket gives its burst at once and its rate in the long run, also after a pause of years")
    func bucket() {
        var bucket = TokenBucket(perSecond: 10, burst: 20)
        let first = (0..<30).count { _ in bucket.take(at: 0) }
        let second = (1...1_000).count { bucket.take(at: UInt64($0)) }
        let third = (0..<30).count { _ in bucket.take(at: 1 << 40) }
        #expect([first, second, third] == [20, 10, 20])
        #expect(bucket.nextToken(at: 1 << 40) == (1 << 40) + 100)
    }

    @Test("names after conflicts: numbered, then random, with pauses that double to a minute, then from the start")
    func naming() {
        var naming = InstanceNaming("node")
        var pauses: [UInt64] = []
        var names: [String] = []
        for number in 0..<14 {
            pauses.append(naming.resolveConflict(isTaken: true, token: "r\(number)", at: 1_000))
            names.append(naming.current)
        }
        #expect(names.prefix(6) == ["node #2", "node #3", "node #4", "node #5", "node #6", "node #7"])
        #expect(names[6...] == (6..<14).map { "node r\($0)" }[...])
        #expect(pauses.prefix(4) == [0, 500, 1_000, 2_000] && pauses.last == 64_000)
        let pause = naming.resolveConflict(isTaken: true, token: "z", at: 700_000)
        #expect(pause == 0)
    }

    @Test("a long name is cut between characters to make room for its number")
    func longName() {
        var naming = InstanceNaming(String(repeating: "ü", count: 31))
        _ = naming.resolveConflict(isTaken: true, token: "", at: 0)
        #expect(naming.current == String(repeating: "ü", count: 30) + " #2")
    }

    @Test("addresses: order, kinds and networks")
    func addresses() throws {
        let linkLocal = try #require(IPAddress([0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]))
        #expect(linkLocal.isLinkLocal && linkLocal.isIPv6 && linkLocal.bytes.count == 16)
        #expect(IPAddress([127, 0, 0, 1])?.isLoopback == true)
        #expect(IPAddress([UInt8](repeating: 0, count: 15) + [1])?.isLoopback == true)
        #expect(IPAddress([169, 254, 3, 4])?.isLinkLocal == true)
        #expect(IPAddress([1, 2, 3]) == nil)
        #expect(IPAddress([10, 0, 0, 1])?.bytes == [10, 0, 0, 1])
    }

    @Test("two links of one interface: an instance is lost when neither shows it")
    func twoLinks() throws {
        let addresses = [
            try #require(IPAddress([10, 0, 0, 1])),
            try #require(IPAddress([0xFD] + [UInt8](repeating: 0, count: 14) + [1])),
        ]
        let networks = addresses.map { LinkDescription.Network(address: $0, prefixLength: $0.isIPv6 ? 64 : 24) }
        let links = [false, true].map { LinkID(interfaceIndex: 3, isIPv6: $0) }
        var stack = MDNSStack(serviceType: VirtualNetwork.serviceType, random: SeededGenerator(seed: 1))
        stack.setLinks(links.map { LinkDescription(id: $0, networks: networks) }, at: 0)
        let other = try #require(IPAddress([0xFD] + [UInt8](repeating: 0, count: 14) + [9]))
        func announcement(_ timeToLive: UInt32) -> [UInt8] {
            Packet.response([
                Packet.pointer("x", timeToLive: timeToLive), Packet.service("x", host: "x.local"), Packet.text("x"),
                Packet.address("x.local", [10, 0, 0, 9]), Packet.address("x.local", other.bytes),
            ])
        }
        func hear(_ timeToLive: UInt32, on link: LinkID, at now: UInt64) {
            let source = link.isIPv6 ? other : addresses[0]
            stack.receive(
                Datagram(
                    bytes: announcement(timeToLive), source: Endpoint(address: source, port: 5353), isToGroup: true),
                on: link, at: now)
        }
        func reports(at now: UInt64) -> [String] {
            stack.advance(to: now)
            return stack.takeOutputs().compactMap { output in
                switch output {
                case .found(let service, let link): "\(service.address.bytes.count) \(link.isIPv6)"
                case .lost(let name, let index): "lost \(name) \(index)"
                case .send, .renamed: nil
                }
            }
        }
        for link in links { hear(4_500, on: link, at: 1_000) }
        #expect(reports(at: 1_001).sorted() == ["16 true", "4 false"])
        hear(0, on: links[0], at: 2_000)
        #expect(reports(at: 4_000) == [])
        hear(0, on: links[1], at: 5_000)
        #expect(reports(at: 7_000) == ["lost x 3"])
    }
}
