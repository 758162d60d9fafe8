// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("More registers than a node keeps") struct RegisterFloodTests {
    /// Devices with joins of their own, and the register that each of them states.
    private struct Crowd {
        let joins: [VerifiedOperation]
        let registers: [Register]

        init(
            _ count: Int, sponsoredBy sponsor: SigningKey, of event: EventID, byteCount: Int = 100,
            _ random: inout SplitMix64
        ) throws {
            var joins: [VerifiedOperation] = []
            var registers: [Register] = []
            for _ in 0..<count {
                let key = SigningKey(seed: random.secret())
                let device = DeviceID(key.verifyingKey)
                let admission = Admission(of: device, to: event, by: sponsor)
                joins.append(
                    try VerifiedOperation(
                        draft: Draft(
                            kind: .join, body: OperationBody.encode(.join(admission, nil), salt: random.bytes(16))),
                        event: event, sequence: 0, previous: .none,
                        timestamp: HybridTimestamp(milliseconds: NodeClock.epochMilliseconds, counter: 0), key: key))
                registers.append(.large(byteCount: byteCount, of: key, in: event, random.bytes(16)))
            }
            (self.joins, self.registers) = (joins, registers)
        }
    }

    @Test("400 registers of 48 KiB end no connection, and photos taken at both nodes arrive")
    func largeRegisters() throws {
        let swarm = try Swarm.joined(2, seed: 60)
        let (host, other) = (swarm.nodes[0], swarm.nodes[1])
        let crowd = try Crowd(
            400, sponsoredBy: other.deviceKey, of: swarm.founding.id, byteCount: Limits.registerByteCountMax,
            &swarm.random)
        swarm.shutDown(host)
        _ = host.disk.write(crowd.joins, durably: true)
        swarm.start(host)
        host.replica?.restore(
            registers: crowd.registers.map { HeardRegister($0, heardAtMilliseconds: NodeClock.epochMilliseconds) })
        try swarm.add(by: host, .small)
        try swarm.add(by: other, .small)
        try swarm.drive(milliseconds: 120_000, "both photos at both nodes") { swarm.isComplete([host, other]) }
        try swarm.drive(milliseconds: 600_000, "as many registers as a node keeps") {
            (other.replica?.heardRegisters.count ?? 0) > 300
        }
        #expect(!host.journal.closings.contains(.unresponsive) && !other.journal.closings.contains(.unresponsive))
    }

    @Test("devices with small keys that one member let in leave room in a node's register for those of others")
    func fairClaims() throws {
        let puppet = try Puppet(isMember: true)
        let keys = (0..<Limits.registerPlacesMax + 60).map { _ in SigningKey(seed: puppet.random.secret()) }
            .sorted { DeviceID($0.verifyingKey) < DeviceID($1.verifyingKey) }
        let honest = keys.suffix(10)
        let blob = SealedBlob([1, 2, 3], .original, importSecret: puppet.founding.secret)
        puppet.disk.archive.file(blob)
        puppet.disk.put(blob)
        let original = OriginalManifest(original: blob.reference, sha256: .zero, mediaType: .jpeg)
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
        func body(_ content: OperationContent) -> [UInt8] {
            OperationBody.encode(content, salt: puppet.random.bytes(16))
        }
        for (index, key) in keys.enumerated() {
            let isHonest = index >= keys.count - honest.count
            let photo = try puppet.operation(.photo, body: body(.photo(manifest)), by: key)
            puppet.disk.write(
                [
                    try puppet.join(of: key, sponsoredBy: isHonest ? nil : puppet.key), photo,
                    try puppet.operation(.original, subject: photo.id, body: body(.original(original)), by: key),
                ], durably: true)
        }
        puppet.restart()
        puppet.apply(
            .author(
                .photo(body: body(.photo(manifest)), originalBody: body(.original(original))), by: nil, Ticket(1)))
        puppet.wait(milliseconds: 10_000)
        let named = Set(try #require(puppet.kept.last).claims.originals.map(\.device))
        #expect(named.count == Limits.registerPlacesMax)
        #expect(named.isSuperset(of: honest.map { DeviceID($0.verifyingKey) }))
    }

    @Test("the sponsor tree with the most loses first: another member's register stays, and one more finds a place")
    func largestTree() throws {
        let puppet = try Puppet(isMember: true)
        let event = puppet.founding.id
        let friends = try Crowd(2, sponsoredBy: puppet.founding.deviceKey, of: event, &puppet.random)
        let (middleman, join) = try puppet.newcomer()
        let flood = try Crowd(Limits.registersMax / 2, sponsoredBy: puppet.key, of: event, &puppet.random)
        let deeper = try Crowd(Limits.registersMax / 2 + 20, sponsoredBy: middleman, of: event, &puppet.random)
        puppet.sendInParts(friends.joins + [join] + flood.joins + deeper.joins)
        puppet.send(.register(friends.registers[0]))
        let firstKept = puppet.kept.count
        for register in flood.registers + deeper.registers {
            puppet.wait(milliseconds: 20)
            puppet.send(.register(register))
        }
        #expect(puppet.replica.heardRegisters.count == Limits.registersMax)
        #expect(puppet.replica.heardRegisters.contains { $0.register == friends.registers[0] })
        #expect(puppet.kept.count - firstKept <= Limits.registersMax, "what is not kept is not written")
        puppet.send(.register(friends.registers[1]))
        #expect(puppet.replica.heardRegisters.count == Limits.registersMax)
        #expect(puppet.replica.heardRegisters.contains { $0.register == friends.registers[1] })
        #expect(puppet.forgotten == [flood.registers[0].claims.device], "the one heard longest ago")
        #expect(!puppet.isClosed)
        // A node that starts keeps to the same bound.
        var restarted = puppet.restarted()
        let all = (friends.registers + flood.registers + deeper.registers).enumerated().map {
            HeardRegister($0.element, heardAtMilliseconds: UInt64($0.offset))
        }
        restarted.restore(registers: all)
        #expect(restarted.heardRegisters.count == Limits.registersMax)
        #expect(restarted.heardRegisters.contains { $0.register == friends.registers[0] })
        var forgottenCount = 0
        while let output = restarted.nextOutput() {
            if case .forget(let registers) = output { forgottenCount += registers.count }
        }
        #expect(forgottenCount == all.count - Limits.registersMax)
    }

    @Test("registers are bounded by their bytes, too")
    func byteCount() throws {
        let puppet = try Puppet(isMember: true)
        let count = Limits.registersByteCountMax / Limits.registerByteCountMax + 10
        let flood = try Crowd(
            count, sponsoredBy: puppet.key, of: puppet.founding.id, byteCount: Limits.registerByteCountMax,
            &puppet.random)
        puppet.sendInParts(flood.joins)
        for register in flood.registers {
            puppet.wait(milliseconds: 20)
            puppet.send(.register(register))
        }
        let byteCount = puppet.replica.heardRegisters.reduce(0) { $0 + $1.register.byteCount }
        #expect(
            (Limits.registersByteCountMax - Limits.registerByteCountMax...Limits.registersByteCountMax)
                .contains(byteCount))
    }

    @Test("the register of a removed device is forgotten")
    func removed() throws {
        let puppet = try Puppet(isMember: true)
        let register = Register.large(byteCount: 100, of: puppet.key, in: puppet.founding.id, puppet.random.bytes(16))
        puppet.send(.register(register))
        #expect(puppet.replica.heardRegisters.count == 1)
        let device = DeviceID(puppet.key.verifyingKey)
        let removal = Ruling.revoke(.participant, of: device.bytes32)
        puppet.apply(.author(.rule(removal, salt: puppet.random.bytes(16)), by: nil, Ticket(1)))
        #expect(puppet.replica.state.membership.isRevoked(device))
        #expect(puppet.forgotten == [device])
        let again = Ruling.grant(.participant, to: device.bytes32)
        puppet.apply(.author(.rule(again, salt: puppet.random.bytes(16)), by: nil, Ticket(2)))
        #expect(puppet.replica.state.membership.isMember(device))
        #expect(puppet.replica.heardRegisters.isEmpty, "it is not only left out of what is shown")
    }
}

extension Puppet {
    /// A device that the puppet lets in, and its join.
    func newcomer() throws -> (key: SigningKey, join: VerifiedOperation) {
        let newcomer = SigningKey(seed: random.secret())
        return (newcomer, try join(of: newcomer, sponsoredBy: key))
    }

    /// In as many messages as it takes.
    func sendInParts(_ operations: [VerifiedOperation]) {
        for message in PeerMessage.packing(operations.map(UncheckedOperation.init)) { send(message) }
    }
}

extension Register {
    /// A register whose claims have almost so many bytes.
    static func large(byteCount: Int, of key: SigningKey, in event: EventID, _ instance: [UInt8]) -> Register {
        let device = DeviceID(key.verifyingKey)
        let bits = ChunkBitmap(bytes: [UInt8](repeating: 1, count: max(1, (byteCount - 300) / 2)))
        return Register(
            .init(
                device: device, instance: instance, counter: 1, originals: [.init(device: device, bits: bits)],
                destroyed: [.init(device: device, bits: bits)]), of: event, key: key)
    }
}
