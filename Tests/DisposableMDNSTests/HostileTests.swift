// SPDX-License-Identifier: Apache-2.0
import DisposableMDNS
import DisposableValues
import Testing

/// Attacks of other hosts on the network, and the limits of their cost.
struct HostileTests {
    /// Two nodes that see each other, and time to see what is wrong.
    private func pair(seed: UInt64 = 1) -> VirtualNetwork {
        let network = VirtualNetwork(seed: seed)
        network.addHost("one", port: 1)
        network.addHost("two", port: 2)
        #expect(network.run(milliseconds: 10_000) { $0.seen.allSatisfy { $0.count == 2 } })
        network.run(milliseconds: 10_000)
        return network
    }

    @Test(
        "a thousand invented instances take their share of the cache and no more, and real nodes are seen beside them")
    func inventedInstances() {
        let network = pair()
        for number in 0..<1_000 {
            network.inject(Packet.announcement("fake-\(number)"))
            network.run(milliseconds: 20)
        }
        network.run(milliseconds: 30_000)
        let fakeCount = network.seen[0].keys.count { $0.hasPrefix("fake") }
        #expect(fakeCount > 0 && fakeCount <= MDNSLimits.instancesPerSourceMax)
        network.addHost("three", port: 3)
        #expect(network.run(milliseconds: 5_000) { $0.seen[0]["three"]?.port == 3 && $0.seen[2]["one"]?.port == 1 })
        #expect(network.seen[0]["two"]?.port == 2)
    }

    @Test("instances invented from many addresses fill the cache, and still give way to a node from another")
    func manySources() {
        let network = pair()
        for number in 0..<2_000 {
            network.inject(Packet.announcement("fake-\(number)"), from: IPAddress([10, 0, 50, UInt8(number % 40)])!)
            network.run(milliseconds: 20)
        }
        #expect(network.seen[0].count <= MDNSLimits.instanceCountMax)
        network.addHost("three", port: 3)
        #expect(network.run(milliseconds: 30_000) { $0.seen[0]["three"]?.port == 3 })
        #expect(network.seen[0]["two"]?.port == 2)
    }

    @Test("an instance that changes a thousand times a second is reported at the rate that is allowed")
    func changingInstance() {
        let network = pair()
        let count = network.reportCounts[0]
        let start = network.now
        for number in 0..<10_000 {
            network.inject(
                Packet.response([
                    Packet.pointer("fickle"),
                    Packet.service("fickle", host: "h.local", port: UInt16(1 + number % 60_000)),
                    Packet.text("fickle"), Packet.address("h.local", [10, 0, 9, 9]),
                ]))
            network.run(milliseconds: 1)
        }
        let seconds = Int((network.now - start) / 1_000) + 1
        let reports = network.reportCounts[0] - count
        #expect(reports > 0)
        #expect(reports <= MDNSLimits.sightingsBurstMax + seconds * MDNSLimits.sightingsPerSecond)
        #expect(network.seen[0]["two"]?.port == 2)
    }

    @Test("records of a second, of none, and of aliases change nothing for others", arguments: [0, 1] as [UInt32])
    func shortLives(timeToLive: UInt32) {
        let network = pair()
        for _ in 0..<50 {
            network.inject(
                Packet.response([
                    Packet.pointer("e2", timeToLive: timeToLive),
                    Packet.service("e2", host: "eh2.local", timeToLive: timeToLive),
                    Packet.text("e2", timeToLive: timeToLive),
                    Packet.address("eh2.local", [10, 0, 9, 9], timeToLive: timeToLive),
                ]))
            network.run(milliseconds: 300)
        }
        network.run(milliseconds: 5_000)
        #expect(network.seen[0].keys.sorted() == ["one", "two"])
        #expect(network.sentByteCount < 200_000)
    }

    @Test("an instance whose host is itself, or that has no address, is not reported, and asked for ever less often")
    func selfReference() throws {
        let network = pair()
        let name = "loop._disposable._tcp.local"
        network.inject(
            Packet.response([Packet.pointer("loop"), Packet.service("loop", host: name), Packet.text("loop")]))
        let before = network.sentByteCount
        network.run(milliseconds: 600_000)
        #expect(network.seen[0]["loop"] == nil)
        #expect(network.sentByteCount - before < 60_000)
    }

    @Test("addresses that nobody has, loopback among them, are not reported")
    func addresses() {
        let network = pair()
        for (number, address) in [[127, 0, 0, 1], [0, 0, 0, 0], [224, 0, 0, 251], [255, 255, 255, 255]].enumerated() {
            network.inject(Packet.announcement("bad-\(number)", at: address.map { UInt8($0) }))
        }
        network.run(milliseconds: 5_000)
        #expect(network.seen[0].keys.sorted() == ["one", "two"])
    }

    @Test("a stranger that answers every probe cannot keep a node from being published")
    func everyProbeAnswered() throws {
        let network = VirtualNetwork(seed: 11)
        network.addHost("one", port: 1)
        let victim = network.addHost("victim", port: 2)
        var conflictCount = 0
        for _ in 0..<6_000 {
            network.run(milliseconds: 10)
            let name = try #require(network.stacks[victim].instanceName)
            // Until the name is random: that one, too, is claimed, for a minute, in vain.
            guard
                network.seen[0].keys.allSatisfy({ !$0.hasPrefix("victim ") || $0.hasPrefix("victim #") })
                    || conflictCount < 5_000
            else { break }
            network.inject(Packet.response([Packet.service(name, host: "stranger.local", port: 666)]))
            conflictCount += 1
        }
        network.run(milliseconds: 70_000)
        let name = try #require(network.stacks[victim].instanceName)
        #expect(name.hasPrefix("victim"))
        #expect(network.seen[0][name]?.port == 2)
    }

    @Test("sixteen conflicting answers a second, for a minute: renames are few, and the node is seen afterwards")
    func sixteenConflicts() throws {
        let network = pair(seed: 12)
        var renames: Set<String> = []
        for _ in 0..<(16 * 60) {
            let name = try #require(network.stacks[1].instanceName)
            renames.insert(name)
            network.inject(Packet.response([Packet.service(name, host: "stranger.local", port: 666)]))
            network.run(milliseconds: 62)
        }
        #expect(renames.count <= MDNSLimits.conflictCountMax + 2)
        let name = try #require(network.stacks[1].instanceName)
        #expect(network.run(milliseconds: 70_000) { $0.seen[0][name]?.port == 2 })
        #expect(network.seen[1]["one"]?.port == 1)
    }

    @Test("a stranger that probes for every name with records that win cannot keep a node from being published")
    func everyTieLost() throws {
        let network = VirtualNetwork(seed: 13)
        network.addHost("one", port: 1)
        let victim = network.addHost("victim", port: 2)
        for _ in 0..<600 {
            let name = try #require(network.stacks[victim].instanceName)
            let question = Question(name: Packet.instance(name), type: .any)
            network.inject(
                Packet.query([question], authorities: [Packet.service(name, host: "zzz.local", port: 65_535)]))
            network.run(milliseconds: 100)
        }
        #expect(network.run(milliseconds: 70_000) { $0.seen[0].values.contains { $0.port == 2 } })
    }

    @Test("a goodbye by a stranger for a node's own records is contradicted at once")
    func foreignGoodbye() {
        let network = pair()
        network.inject(Packet.response([Packet.pointer("two", timeToLive: 0)]))
        network.run(milliseconds: 5_000)
        #expect(network.seen[0]["two"]?.port == 2)
    }

    @Test("questions by the thousand, wherever the answers are wanted, cost no more than the rate that is allowed")
    func questionFlood() {
        let network = pair()
        let (start, before) = (network.now, network.sentByteCount)
        let pointer = Question(name: VirtualNetwork.serviceName, type: .pointer, wantsUnicast: false)
        for number in 0..<5_000 {
            var question = pointer
            question.wantsUnicast = number.isMultiple(of: 2)
            let port: UInt16 = number.isMultiple(of: 3) ? 5353 : 40_000
            network.inject(Packet.query([question], isTruncated: number.isMultiple(of: 5)), port: port)
            network.run(milliseconds: 1)
        }
        let seconds = Int((network.now - start) / 1_000) + 1
        let limit = MDNSLimits.unicastBytesBurstMax + seconds * (MDNSLimits.unicastBytesPerSecond + 4_000)
        #expect(network.sentByteCount - before <= 2 * limit)
        #expect(network.seen[0]["two"]?.port == 2)
    }

    @Test("packets from another port than 5353, or to one host from another network, are no responses")
    func foreignSources() {
        let network = pair()
        network.inject(Packet.announcement("port"), port: 5_354)
        network.inject(
            Packet.announcement("far"), to: 0, from: Endpoint(address: IPAddress([192, 168, 1, 1])!, port: 5353))
        network.inject(
            Packet.announcement("near"), to: 0, from: Endpoint(address: IPAddress([10, 0, 9, 9])!, port: 5353))
        network.run(milliseconds: 3_000)
        #expect(network.seen[0].keys.sorted() == ["near", "one", "two"])
    }

    @Test("random bytes, and announcements with some wrong, change nothing")
    func rubbish() {
        let network = pair()
        var random = SeededGenerator(seed: 5)
        let sample = Packet.announcement("three")
        for number in 0..<5_000 {
            var bytes = sample
            if number.isMultiple(of: 2) {
                for _ in 0..<4 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 0xFF) }
            } else {
                bytes = (0..<Int(random.next() % 300)).map { _ in UInt8(random.next() & 0xFF) }
            }
            network.inject(bytes)
            network.run(milliseconds: 5)
        }
        #expect(network.seen[0]["one"]?.port == 1)
        #expect(network.seen[1]["two"]?.port == 2)
    }
}
