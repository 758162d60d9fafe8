// SPDX-License-Identifier: Apache-2.0
import DisposableMDNS
import DisposableValues
import Testing

/// Many stacks on one virtual link.
struct ManyResponderTests {
    private func names(_ count: Int) -> [String] { (0..<count).map { "node-\($0)" } }

    private func network(_ count: Int, seed: UInt64, lossPercent: UInt64 = 0) -> VirtualNetwork {
        let network = VirtualNetwork(seed: seed)
        network.lossPercent = lossPercent
        for name in names(count) { network.addHost(name) }
        return network
    }

    private func allSeeAll(_ count: Int) -> (VirtualNetwork) -> Bool {
        { network in network.seen.allSatisfy { $0.count == count } }
    }

    @Test("all see all within seconds, with address, port and text", arguments: [2, 3, 20])
    func allSeeAll(count: Int) {
        let network = network(count, seed: 1)
        #expect(network.run(milliseconds: 5_000, until: allSeeAll(count)))
        for seen in network.seen {
            for (index, name) in names(count).enumerated() {
                #expect(seen[name]?.address == VirtualNetwork.address(index))
                #expect(seen[name]?.port == 8028)
                #expect(seen[name]?.text == ["v": [49]])
            }
        }
    }

    @Test("all see all although three of ten packets are lost", arguments: [1, 2, 3, 4] as [UInt64])
    func loss(seed: UInt64) {
        let network = network(12, seed: seed, lossPercent: 30)
        #expect(network.run(milliseconds: 600_000, until: allSeeAll(12)))
    }

    @Test("a newcomer sees who was there for hours, and is seen, within two seconds")
    func newcomer() {
        let network = network(10, seed: 3)
        network.run(milliseconds: 4 * 3_600_000)
        #expect(network.seen.allSatisfy { $0.count == 10 })
        network.addHost("late")
        #expect(network.run(milliseconds: 2_000, until: allSeeAll(11)))
    }

    @Test("an idle hour of sixty nodes costs a few packets a second in all, and no more for each than one of three")
    func idleRate() {
        func packetsPerNodeAndSecond(_ count: Int) -> Double {
            let network = network(count, seed: 4)
            network.run(milliseconds: 120_000)
            let start = network.now / 1_000
            network.run(milliseconds: 600_000)
            #expect(network.seen.allSatisfy { $0.count == count })
            let sent = network.sentCounts.filter { $0.key > start }.values.reduce(0, +)
            return Double(sent) / 600 / Double(count)
        }
        let (few, many) = (packetsPerNodeAndSecond(3), packetsPerNodeAndSecond(60))
        #expect(few < 0.05)
        #expect(many < 0.05)
        #expect(many < 2 * few)
    }

    @Test("sixty that begin within a moment never send more than some packets a second each")
    func crowdedStart() {
        let network = network(60, seed: 5)
        #expect(network.run(milliseconds: 10_000, until: allSeeAll(60)))
        network.run(milliseconds: 10_000)
        #expect(network.sentCounts.values.allSatisfy { $0 <= 60 * 8 }, "\(network.sentCounts)")
    }

    @Test("a node that says goodbye is lost within two seconds, one that is cut off when its host's records expire")
    func leaving() {
        let network = network(4, seed: 6)
        network.run(milliseconds: 10_000)
        network.publish(nil, at: 0)
        #expect(network.run(milliseconds: 2_000) { $0.seen[1]["node-0"] == nil })
        network.remove(1)
        #expect(!network.run(milliseconds: 20_000) { $0.seen[2]["node-1"] == nil })
        #expect(network.run(milliseconds: 240_000) { $0.seen[2]["node-1"] == nil && $0.seen[3]["node-1"] == nil })
        #expect(network.seen[2].keys.sorted() == ["node-2", "node-3"])
    }

    @Test("a change of text or port is seen as one more sighting, without a loss, and an address follows as well")
    func changes() {
        let network = network(3, seed: 7)
        network.run(milliseconds: 10_000)
        let count = network.reportCounts[2]
        network.publish("node-0", text: ["v": [50]], at: 0)
        #expect(network.run(milliseconds: 2_000) { $0.seen[2]["node-0"]?.text == ["v": [50]] })
        network.publish("node-0", port: 9_000, text: ["v": [50]], at: 0)
        #expect(network.run(milliseconds: 2_000) { $0.seen[2]["node-0"]?.port == 9_000 })
        let address = IPAddress([10, 0, 0, 199])!
        network.change(0) { stack, now in
            stack.setLinks(
                [
                    LinkDescription(
                        id: VirtualNetwork.link,
                        networks: [LinkDescription.Network(address: address, prefixLength: 16)])
                ], at: now)
        }
        #expect(network.run(milliseconds: 3_000) { $0.seen[2]["node-0"]?.address == address })
        #expect(network.reportCounts[2] == count + 3)
    }

    @Test("two that want the same name are both seen, one under another name", arguments: 1...8 as ClosedRange<UInt64>)
    func sameName(seed: UInt64) {
        let network = VirtualNetwork(seed: seed)
        network.addHost("twin", port: 1)
        network.addHost("twin", port: 2)
        #expect(
            network.run(milliseconds: 20_000) {
                Set($0.seen[0].values.map(\.port)) == [1, 2] && $0.seen[1] == $0.seen[0]
            })
        #expect(network.seen[0].keys.sorted() == ["twin", "twin #2"])
    }

    @Test("ten that want the same name all get one", arguments: [1, 2] as [UInt64])
    func crowdOfOneName(seed: UInt64) {
        let network = VirtualNetwork(seed: seed)
        for port: UInt16 in 1...10 { network.addHost("twin", port: port) }
        #expect(network.run(milliseconds: 120_000) { Set($0.seen[0].values.map(\.port)).count == 10 })
        #expect(network.seen[0].keys.allSatisfy { $0.hasPrefix("twin") })
    }

    @Test("a name that was there first is kept when others arrive")
    func firstStays() {
        let network = VirtualNetwork(seed: 9)
        network.addHost("name", port: 1)
        network.run(milliseconds: 10_000)
        network.addHost("name", port: 2)
        #expect(network.run(milliseconds: 20_000) { $0.seen[0].count == 2 })
        #expect(network.seen[0]["name"]?.port == 1)
        #expect(network.seen[0]["name #2"]?.port == 2)
    }
}
