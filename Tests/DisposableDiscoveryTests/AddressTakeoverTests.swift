// SPDX-License-Identifier: Apache-2.0
import DisposableDiscovery
import DisposableValues
import Testing

/// A generator that always returns the same number.
private struct Constant: RandomNumberGenerator, Sendable {
    let value: UInt64
    func next() -> UInt64 { value }
}

/// The spare, a clock, and what it has done.
private struct Bench {
    static let address = IPAddress("10.77.0.1")!
    static let own = AddressTakeover.Station(
        hardware: HardwareAddress([2, 0, 0, 0, 0, 2])!, address: IPAddress("10.77.0.2")!)
    static let host = HardwareAddress([2, 0, 0, 0, 0, 1])!
    static let stranger = HardwareAddress([2, 0, 0, 0, 0, 9])!

    var takeover: AddressTakeover
    var surroundings = AddressTakeover.Surroundings(own: Self.own, isMemberConnected: true, isServing: true)
    /// Milliseconds.
    var now: UInt64 = 5_000_000
    /// The station that answers questions for the address, also probes.
    var answering: HardwareAddress? = Self.host
    var isHeld = false
    var outputs: [AddressTakeover.Output] = []
    var takeoverTimes: [UInt64] = []

    init(random: UInt64 = 0) {
        takeover = AddressTakeover(of: Self.address, random: Constant(value: random))
    }

    /// Runs for so many milliseconds.
    mutating func run(_ milliseconds: UInt64) {
        let end = now + milliseconds
        while now < end {
            now += 100
            note(takeover.advance(to: now, in: surroundings))
        }
    }

    private mutating func note(_ new: [AddressTakeover.Output]) {
        outputs += new
        for output in new {
            switch output {
            case .hold:
                if !isHeld { takeoverTimes.append(now) }
                isHeld = true
            case .release: isHeld = false
            case .send(let packet, _):
                guard let answering, packet.operation == .request, packet.targetAddress == Self.address.bytes else {
                    continue
                }
                note(takeover.handle(.announcement(of: Self.address, by: answering), at: now))
            case .found: break
            }
        }
    }

    mutating func receive(_ packet: ARPPacket) { note(takeover.handle(packet, at: now)) }

    /// A spare that knows its host, which has just died.
    static func bereft(random: UInt64 = 0) -> Bench {
        var bench = Bench(random: random)
        bench.run(10_000)
        bench.answering = nil
        bench.surroundings.isMemberConnected = false
        return bench
    }

    /// A spare that has taken the address over.
    static func holding() -> Bench {
        var bench = bereft()
        bench.run(20_000)
        return bench
    }

    var releases: [AddressTakeover.Reason] {
        outputs.compactMap { output -> AddressTakeover.Reason? in
            guard case .release(let reason) = output else { return nil }
            return reason
        }
    }

    func sent(_ packet: ARPPacket) -> Int {
        outputs.count { if case .send(packet, _) = $0 { true } else { false } }
    }
}

@Suite("A spare for an address") struct AddressTakeoverTests {
    private static let probe = ARPPacket.probe(for: Bench.address, from: Bench.own.hardware)
    private static let announcement = ARPPacket.announcement(of: Bench.address, by: Bench.own.hardware)

    @Test("while the address answers, it is never taken, and only its station hears the questions")
    func answering() {
        var bench = Bench()
        bench.run(3_600_000)
        #expect(!bench.isHeld && bench.takeoverTimes.isEmpty && bench.sent(Self.probe) == 0)
        let question = ARPPacket.request(for: Bench.address, from: Bench.own.hardware, at: Bench.own.address)
        #expect(bench.outputs.contains(.send(question, to: .broadcast)))
        #expect(bench.outputs.suffix(10).allSatisfy { $0 == .send(question, to: Bench.host) })
        #expect(bench.outputs.count { $0 == .found(Bench.host, isFirst: true) } == 1)
    }

    @Test("an address that no longer answers is taken after questions and three probes, and announced twice")
    func takeover() throws {
        for random in [0, 777, UInt64.max] {
            var bench = Bench.bereft(random: random)
            let died = bench.now
            bench.run(30_000)
            #expect(bench.isHeld && bench.takeover.isHolding)
            let taken = try #require(bench.takeoverTimes.first)
            #expect((8_000...20_000).contains(taken - died), "\(taken - died)")
            let place = try #require(bench.outputs.firstIndex(of: .hold))
            #expect(bench.outputs[..<place].suffix(3).allSatisfy { $0 == .send(Self.probe, to: .broadcast) })
            #expect(bench.outputs[place + 1] == .send(Self.announcement, to: .broadcast))
            #expect(bench.sent(Self.announcement) == 2)
        }
    }

    @Test("an answer to the last probe is enough to leave the address alone")
    func lateAnswer() {
        var bench = Bench.bereft()
        while bench.sent(Self.probe) < 3 { bench.run(100) }
        bench.answering = Bench.host
        bench.receive(.announcement(of: Bench.address, by: Bench.host))
        bench.run(600_000)
        #expect(bench.takeoverTimes.isEmpty)
    }

    @Test("a dead address is not taken while a member is connected from it, nor if none ever was, nor if it never answered")
    func unarmed() {
        var connected = Bench.bereft()
        connected.surroundings.isMemberConnected = true
        connected.run(600_000)
        #expect(connected.takeoverTimes.isEmpty && connected.sent(Self.probe) == 0)
        connected.surroundings.isMemberConnected = false
        connected.run(20_000)
        #expect(connected.isHeld)

        var foreign = Bench()
        foreign.surroundings.isMemberConnected = false
        foreign.run(10_000)
        foreign.answering = nil
        foreign.run(600_000)
        #expect(foreign.takeoverTimes.isEmpty)

        var silent = Bench()
        silent.answering = nil
        silent.run(10_000)
        silent.surroundings.isMemberConnected = false
        silent.run(600_000)
        #expect(silent.takeoverTimes.isEmpty)
    }

    @Test("the address goes back at once when its station answers, announces, asks or probes")
    func ownerReturns() {
        let packets: [ARPPacket] = [
            .announcement(of: Bench.address, by: Bench.host),
            .request(for: Bench.own.address, from: Bench.host, at: Bench.address),
            .probe(for: Bench.address, from: Bench.host),
        ]
        for packet in packets {
            var bench = Bench.holding()
            #expect(bench.isHeld)
            bench.receive(packet)
            #expect(!bench.isHeld && bench.releases == [.ownerReturned(Bench.host)])
            // All stations hear that it has the address again, unless it only asks for it.
            let told = ARPPacket.announcement(of: Bench.address, by: Bench.host)
            #expect(bench.sent(told) == (packet.senderAddress == Bench.address.bytes ? 1 : 0))
        }
        // One that says nothing answers the spare's own question.
        var silent = Bench.holding()
        silent.answering = Bench.host
        silent.run(5_100)
        #expect(!silent.isHeld && silent.releases == [.ownerReturned(Bench.host)])
        silent.surroundings.isMemberConnected = true
        silent.run(600_000)
        #expect(!silent.isHeld && silent.takeoverTimes.count == 1)
    }

    @Test("a stranger's claim is answered once in ten seconds, and a second one within them wins")
    func conflict() {
        let claim = ARPPacket.announcement(of: Bench.address, by: Bench.stranger)
        var bench = Bench.holding()
        let announced = bench.sent(Self.announcement)
        bench.receive(claim)
        #expect(bench.isHeld && bench.sent(Self.announcement) == announced + 1)
        bench.run(10_000)
        bench.receive(claim)
        #expect(bench.isHeld && bench.sent(Self.announcement) == announced + 2)
        bench.run(5_000)
        bench.receive(claim)
        #expect(!bench.isHeld && bench.releases == [.conflict(Bench.stranger)])
    }

    @Test("a device that answers for a dead address keeps the spare away, and is reported once a minute at most")
    func pretender() {
        var bench = Bench.bereft()
        bench.answering = Bench.stranger
        bench.run(600_000)
        #expect(bench.takeoverTimes.isEmpty)
        #expect(bench.outputs.count { $0 == .found(Bench.stranger, isFirst: false) } == 1)
        for number in 0..<200 {
            bench.receive(
                .announcement(of: Bench.address, by: HardwareAddress([2, 0, 0, 0, 1, UInt8(number)])!))
            bench.run(1_000)
        }
        let found = bench.outputs.count { if case .found(_, isFirst: false) = $0 { true } else { false } }
        #expect((2...5).contains(found), "\(found)")
    }

    @Test("a host that comes and goes is followed ever more slowly")
    func flapping() {
        var bench = Bench.holding()
        for _ in 0..<200 {
            bench.receive(.announcement(of: Bench.address, by: Bench.host))
            bench.run(60_000)
        }
        // 30, 60, 120 and 240 seconds, then 480: in 200 minutes.
        #expect((15...32).contains(bench.takeoverTimes.count), "\(bench.takeoverTimes.count)")
        let pauses = zip(bench.takeoverTimes, bench.takeoverTimes.dropFirst()).map { $1 - $0 }
        #expect(pauses.allSatisfy { $0 >= 30_000 } && pauses.dropFirst(6).allSatisfy { $0 >= 480_000 })
    }

    @Test("the address is given up without a link, without the right to serve, and after a sleep")
    func surroundings() {
        var unplugged = Bench.holding()
        unplugged.surroundings.own = nil
        unplugged.run(100)
        #expect(!unplugged.isHeld && unplugged.releases == [.noLink])
        unplugged.run(600_000)
        unplugged.surroundings.own = Bench.own
        // The host has had no time to answer yet.
        unplugged.run(7_000)
        #expect(!unplugged.isHeld)
        unplugged.run(20_000)
        #expect(unplugged.isHeld)

        var dismissed = Bench.holding()
        dismissed.surroundings.isServing = false
        dismissed.run(600_000)
        #expect(!dismissed.isHeld && dismissed.releases == [.notServing] && dismissed.takeoverTimes.count == 1)

        var asleep = Bench.holding()
        asleep.now += 3_600_000
        asleep.run(100)
        #expect(!asleep.isHeld && asleep.releases == [.slept])
    }

    @Test("after a long time without a link, or asleep, nothing is taken before the host has been there again")
    func anotherPlace() {
        for isAsleep in [false, true] {
            var bench = Bench.bereft()
            if isAsleep {
                bench.now += 3_600_000
            } else {
                bench.surroundings.own = nil
                bench.run(3_600_000)
                bench.surroundings.own = Bench.own
            }
            bench.run(120_000)
            #expect(bench.takeoverTimes.isEmpty, "\(isAsleep)")
            (bench.answering, bench.surroundings.isMemberConnected) = (Bench.host, true)
            bench.run(10_000)
            (bench.answering, bench.surroundings.isMemberConnected) = (nil, false)
            bench.run(30_000)
            #expect(bench.isHeld, "\(isAsleep)")
        }
    }

    @Test("the address is prolonged well before the kernel removes it, and a failure to add it counts as given up")
    func lifetime() {
        var bench = Bench.holding()
        let before = bench.outputs.count { $0 == .hold }
        bench.run(120_000)
        let count = bench.outputs.count { $0 == .hold } - before
        #expect(count >= 120 / (Int(AddressTakeover.lifetimeSeconds) / 2))
        bench.takeover.fail(at: bench.now)
        #expect(!bench.takeover.isHolding)
        bench.run(20_000)
        #expect(!bench.takeover.isHolding)
        bench.run(30_000)
        #expect(bench.takeover.isHolding)
    }

    @Test("of two spares one takes the address, and the other one leaves it alone until that one is gone")
    func twoSpares() {
        var other = Bench.bereft(random: 3_333)
        // The other one probes first.
        var bench = Bench.bereft()
        for _ in 0..<4 {
            while bench.sent(Self.probe) == 0 { bench.run(100) }
            bench.receive(.probe(for: Bench.address, from: Bench.stranger))
            bench.outputs.removeAll { if case .send = $0 { true } else { false } }
        }
        #expect(!bench.isHeld)
        other.run(30_000)
        #expect(other.isHeld)
        bench.answering = Bench.stranger
        bench.run(600_000)
        #expect(bench.takeoverTimes.isEmpty)
        bench.answering = nil
        bench.run(30_000)
        #expect(bench.isHeld)
    }

    @Test("packets come back as they were written")
    func packets() {
        let packets: [ARPPacket] = [
            Self.probe, Self.announcement, .request(for: Bench.address, from: Bench.host, at: Bench.own.address),
        ]
        for packet in packets {
            #expect(packet.bytes.count == ARPPacket.byteCount && ARPPacket(packet.bytes) == packet)
            // Short frames are padded.
            #expect(ARPPacket(packet.bytes + [UInt8](repeating: 0, count: 18)) == packet)
        }
        #expect(
            Self.probe.bytes == [
                0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 77, 0, 1,
            ])
        #expect(Bench.host.description == "02:00:00:00:00:01")
    }

    @Test("malformed packets are dropped, and packets about other addresses change nothing")
    func malformed() {
        let good = ARPPacket.announcement(of: Bench.address, by: Bench.host).bytes
        for count in 0..<good.count { #expect(ARPPacket(Array(good.prefix(count))) == nil) }
        for place in 0..<8 {
            for value in [UInt8(0), 3, 9, 255] where value != good[place] {
                var bytes = good
                bytes[place] = value
                #expect(ARPPacket(bytes) == nil, "byte \(place) is \(value)")
            }
        }
        // Senders that are a group or nobody.
        for sender in [[255, 255, 255, 255, 255, 255], [1, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0]] as [[UInt8]] {
            #expect(ARPPacket(Array(good[..<8]) + sender + Array(good[14...])) == nil)
        }
        var bench = Bench.holding()
        let count = bench.outputs.count
        let elsewhere = IPAddress("10.77.0.7")!
        bench.receive(.announcement(of: elsewhere, by: Bench.host))
        bench.receive(.probe(for: elsewhere, from: Bench.host))
        bench.receive(.request(for: Bench.address, from: Bench.host, at: elsewhere))
        bench.receive(.announcement(of: Bench.address, by: Bench.own.hardware))
        #expect(bench.isHeld && bench.outputs.count == count)
    }

    @Test("random packets neither crash it nor make it take an address that answers")
    func randomPackets() {
        var random = SystemRandomNumberGenerator()
        var bench = Bench()
        for _ in 0..<20_000 {
            var bytes = ARPPacket.probe(for: Bench.address, from: Bench.host).bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if let packet = ARPPacket(bytes) { bench.receive(packet) }
            bench.run(100)
        }
        #expect(bench.takeoverTimes.isEmpty)
    }

    @Test("missing capabilities are named")
    func capabilities() {
        func missing(_ effective: String) -> [String] {
            AddressSpare.missingCapabilities(in: "Name:\tdisposable\nCapInh:\tffffffffffffffff\nCapEff:\t\(effective)\n")
        }
        #expect(missing("0000000000000000") == ["net_admin", "net_raw"])
        #expect(missing("0000000000001000") == ["net_raw"])
        #expect(missing("0000000000002000") == ["net_admin"])
        #expect(missing("000001ffffffffff") == [])
        #expect(AddressSpare.missingCapabilities(in: "") == ["net_admin", "net_raw"])
    }
}
