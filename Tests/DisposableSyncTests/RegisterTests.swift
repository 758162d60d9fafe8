// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Registers: what nodes say of their own disks") struct RegisterTests {
    private let puppet: Puppet

    init() throws { puppet = try Puppet(isMember: true, photos: 2) }

    private var ownDevice: DeviceID { puppet.replica.deviceID }

    private func register(
        counter: UInt64, instance: UInt8 = 9, bits: [UInt8] = [4], by key: SigningKey? = nil, as device: DeviceID? = nil
    ) -> Register {
        let key = key ?? puppet.key
        return Register(
            .init(
                device: device ?? DeviceID(key.verifyingKey), instance: [UInt8](repeating: instance, count: 16),
                counter: counter, originals: [.init(device: ownDevice, bits: ChunkBitmap(bytes: bits))], destroyed: []),
            of: puppet.founding.id, key: key)
    }

    private func heard() -> [Register] {
        var registers: [Register] = []
        for case .register(let register) in puppet.take() { registers.append(register) }
        return registers
    }

    private func equalSets() {
        puppet.send(
            .ping(
                Ping(
                    nonce: 1, authority: puppet.replica.summary(of: .authority),
                    content: puppet.replica.summary(of: .content))))
    }

    @Test("a node signs what it has once that is on disk, tells it, and says nothing new while nothing is")
    func own() throws {
        equalSets()
        _ = heard()
        puppet.answersDisk = false
        puppet.wait(milliseconds: 10_000)
        #expect(heard().isEmpty)
        #expect(puppet.kept.count == 1)
        puppet.answersDisk = true
        puppet.finishKeeping()
        let told = try #require(heard().last)
        #expect(told.isValid(for: puppet.founding.id) && told.claims.device == ownDevice)
        // Photo, claim and original: the third of each three.
        #expect(told.claims.originals == [.init(device: ownDevice, bits: ChunkBitmap(bytes: [0b0010_0100]))])
        puppet.wait(milliseconds: 40_000)
        #expect(heard().isEmpty)
        #expect(puppet.kept.count == 1)
    }

    @Test("what is taken away is named as destroyed when it is, and no sooner")
    func destroyed() throws {
        equalSets()
        puppet.wait(milliseconds: 10_000)
        let photo = try #require(puppet.replica.state.photos.map(\.id).first)
        let sequence = try #require(puppet.replica.state.photo(photo)).sequence
        puppet.apply(.author(.remove(photo), by: nil, Ticket(99)))
        puppet.wait(milliseconds: 10_000)
        var told = try #require(heard().last).claims
        #expect(told.originals.first?.bits.count == 1 && told.destroyed.isEmpty)
        puppet.apply(.destroyed([photo.operationID], blobs: []))
        puppet.wait(milliseconds: 10_000)
        told = try #require(heard().last).claims
        #expect(told.destroyed.first?.device == ownDevice && told.destroyed.first?.bits[Int(sequence)] == true)
        #expect(told.destroyed.first?.bits.count == 1)
    }

    @Test(
        "of another's registers the newest counts; one that is older, of a stranger, or said for somebody else does not"
    )
    func others() throws {
        equalSets()
        puppet.send(.register(register(counter: 5, bits: [4])))
        #expect(puppet.replica.heardRegisters.map(\.register.claims.counter) == [5])
        puppet.send(.register(register(counter: 4, bits: [32])))
        puppet.send(.register(register(counter: 5, instance: 8, bits: [32])))
        #expect(puppet.replica.heardRegisters.map(\.register.claims.originals.first?.bits.bytes) == [[4]])
        puppet.send(.register(register(counter: 5, instance: 10, bits: [36])))
        #expect(puppet.replica.heardRegisters.map(\.register.claims.originals.first?.bits.bytes) == [[36]])
        puppet.send(.register(register(counter: 7, by: SigningKey(seed: puppet.random.secret()))))
        #expect(puppet.replica.heardRegisters.count == 1)
        #expect(puppet.kept.count { $0.claims.device == DeviceID(puppet.key.verifyingKey) } == 2)
        #expect(!puppet.isClosed)
        let forged = register(
            counter: 8, by: SigningKey(seed: puppet.random.secret()), as: DeviceID(puppet.key.verifyingKey))
        puppet.send(.register(forged))
        #expect(puppet.replicaCode == .malformed)
    }

    @Test("a device that says something new all the time is heard now and then")
    func flood() throws {
        equalSets()
        for counter in UInt64(1)...400 { puppet.send(.register(register(counter: counter))) }
        let taken = puppet.kept.count { $0.claims.device == DeviceID(puppet.key.verifyingKey) }
        #expect((Limits.registersBurstMax...Limits.registersBurstMax + 2).contains(taken))
        puppet.wait(milliseconds: 20_000)
        puppet.send(.register(register(counter: 500)))
        #expect(puppet.replica.heardRegisters.map(\.register.claims.counter) == [500])
    }

    @Test("a node whose folder was restored signs above what it once said, once for each process that has its key")
    func restored() throws {
        equalSets()
        puppet.wait(milliseconds: 10_000)
        _ = heard()
        let old = register(counter: 40, by: puppet.founding.deviceKey)
        puppet.send(.register(old))
        puppet.wait(milliseconds: 10_000)
        #expect(heard().map(\.claims.counter) == [41])
        // A twin outbids it: there is no end to that, so it is not answered again.
        puppet.send(.register(register(counter: 50, by: puppet.founding.deviceKey)))
        puppet.wait(milliseconds: 30_000)
        #expect(heard().isEmpty)
        #expect(!puppet.isClosed)
    }

    @Test("two that are never connected hear of each other by a third, and who was apart hears what was said meanwhile")
    func relayed() throws {
        let swarm = Swarm(seed: 21)
        let (first, second, third) = (swarm.addNode(), swarm.addNode(), swarm.addNode())
        swarm.cut(first, third)
        swarm.introduce(second, to: first)
        swarm.introduce(third, to: second)
        try swarm.drive { swarm.agree() }
        try swarm.add(3, by: first, .small)
        func known(to node: SimulatedNode, of other: SimulatedNode) -> Int {
            let register = node.replica?.heardRegisters.first { $0.register.claims.device == other.device }
            return register?.register.claims.originals.reduce(0) { $0 + $1.bits.count } ?? 0
        }
        try swarm.drive(milliseconds: 30_000, "registers over a second hop") {
            known(to: third, of: first) == 3 && known(to: first, of: third) == 3
        }
        swarm.cut(second, third)
        try swarm.add(2, by: first, .small)
        try swarm.drive(milliseconds: 30_000, "registers of the two") { known(to: first, of: second) == 5 }
        #expect(known(to: third, of: second) == 3)
        swarm.healAll()
        try swarm.drive(milliseconds: 120_000, "registers of all") {
            known(to: third, of: second) == 5 && known(to: third, of: first) == 5 && known(to: first, of: third) == 5
        }
        try swarm.check()
    }

    @Test("a node that crashed and forgot what it had said is believed again")
    func forgot() throws {
        let swarm = try Swarm.joined(2, seed: 22)
        let (host, other) = (swarm.nodes[0], swarm.nodes[1])
        func counter() -> UInt64 { host.replica?.heardRegisters.first?.register.claims.counter ?? 0 }
        for round in 1...3 {
            try swarm.add(1, by: host, .small)
            try swarm.drive(milliseconds: 30_000, "register \(round)") { counter() >= round }
        }
        let before = counter()
        swarm.crash(other)
        swarm.start(other)
        try swarm.add(1, by: host, .small)
        try swarm.drive(milliseconds: 120_000, "a register above the forgotten one") { counter() > before }
    }
}
