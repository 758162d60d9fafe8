// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Joining") struct JoiningTests {
    @Test("a newcomer with the secret is admitted and gets everything", arguments: [true, false])
    func newcomer(dials: Bool) throws {
        let swarm = Swarm(seed: 1)
        let host = swarm.addNode()
        try swarm.add(3, by: host)
        let newcomer = swarm.addNode()
        if dials { swarm.introduce(newcomer, to: host) } else { swarm.introduce(host, to: newcomer) }
        try swarm.settle(within: 5_000, milliseconds: 5_000)
        #expect(newcomer.replica?.state.gallery.count == 3)
        #expect(newcomer.replica?.state.membership.rank(of: newcomer.device) == .participant)
    }

    @Test("somebody without the secret gets exactly 16 bytes and a closed connection")
    func stranger() throws {
        let swarm = Swarm(seed: 2)
        let host = swarm.addNode()
        let stranger = swarm.addNode(secret: swarm.random.secret())
        swarm.introduce(stranger, to: host)
        try swarm.drive(milliseconds: 30_000)
        #expect(swarm.network.links.count > 1)
        for link in swarm.network.links {
            #expect(link.deliveredByteCount[0] == 16)
            #expect(link.isOpen == [false, false])
        }
        #expect(stranger.replica?.state.charter == nil)
        #expect(host.replica?.livePeers.isEmpty == true)
    }

    @Test("of three in a chain of sponsors the first and the last meet while the second is away")
    func chainOfSponsors() throws {
        let swarm = Swarm(seed: 3)
        let (first, second, third) = (swarm.addNode(), swarm.addNode(), swarm.addNode())
        swarm.introduce(second, to: first)
        try swarm.drive { swarm.agree([first, second]) }
        swarm.cut(first, second)
        swarm.introduce(third, to: second)
        try swarm.drive { swarm.agree([second, third]) }
        swarm.crash(second)
        try swarm.add(by: third)
        try swarm.add(by: first)
        swarm.introduce(third, to: first)
        try swarm.settle([first, third], milliseconds: 60_000)
    }

    @Test("a newcomer whose sponsor is gone before anybody knew it shows how the sponsor came in")
    func sponsorGone() throws {
        let swarm = Swarm(seed: 4)
        let (host, sponsor, newcomer) = (swarm.addNode(), swarm.addNode(), swarm.addNode())
        swarm.introduce(sponsor, to: host)
        try swarm.drive { swarm.agree([host, sponsor]) }
        // The newcomer has the charter on disk, its join and those that lead to it, and nothing else of the event.
        swarm.introduce(newcomer, to: sponsor)
        try swarm.drive(askingEvery: 1) { newcomer.disk.operations.count == 4 }
        swarm.crash(sponsor)
        // Another member, which has never heard of the sponsor.
        let other = swarm.addNode()
        _ = other.disk.write(swarm.founding.operations, durably: false)
        swarm.crash(host)
        host.disk = MemoryDisk(archive: swarm.archive)
        _ = host.disk.write(swarm.founding.operations, durably: true)
        swarm.start(host)
        swarm.introduce(newcomer, to: host)
        try swarm.settle([host, newcomer], milliseconds: 120_000)
        #expect(host.replica?.state.membership.isMember(sponsor.device) == true)
        #expect(newcomer.disk.operations.filter { $0.header.device == newcomer.device && $0.kind == .join }.count == 1)
    }

    @Test("bogus admissions, however many, keep nobody out", arguments: [true, false])
    func bogusAdmissions(joinsComeFirst: Bool) throws {
        let puppet = try Puppet(isMember: false, isNewcomer: true)
        let newcomer = puppet.replica.deviceID
        for _ in 0..<100 {
            let stranger = SigningKey(seed: puppet.random.secret())
            puppet.send(.admission(Admission(of: newcomer, to: puppet.founding.id, by: stranger)))
            // It is in by its own word only.
            puppet.send([try puppet.join(of: stranger, sponsoredBy: stranger)])
        }
        #expect(puppet.disk.operations.isEmpty)
        let organizer = puppet.founding.deviceKey
        // By somebody who is in, for another device.
        puppet.send(.admission(Admission(of: DeviceID(puppet.key.verifyingKey), to: puppet.founding.id, by: organizer)))
        let admission = Admission(of: newcomer, to: puppet.founding.id, by: organizer)
        if joinsComeFirst {
            puppet.send(puppet.founding.operations)
            #expect(!puppet.replica.isAdmitted)
            puppet.send(.admission(admission))
        } else {
            puppet.send(.admission(admission))
            #expect(!puppet.replica.isAdmitted)
            puppet.send(puppet.founding.operations)
        }
        #expect(puppet.replica.isAdmitted)
        let joins = puppet.disk.operations.filter { $0.header.device == newcomer }
        #expect(joins.map(\.content) == [.join(admission, nil)])
    }

    @Test("a newcomer whose disk fails at its join joins once the disk works")
    func joinNotStored() throws {
        let swarm = Swarm(seed: 5)
        let (host, newcomer) = (swarm.addNode(), swarm.addNode())
        newcomer.storage.isFull = true
        swarm.introduce(newcomer, to: host)
        try swarm.drive(milliseconds: 20_000)
        #expect(newcomer.disk.operations.isEmpty)
        newcomer.storage.isFull = false
        try swarm.settle(milliseconds: 120_000)
    }

    @Test("a sponsor whose disk fails at the newcomer's join lets it in once the disk works")
    func joinNotStoredBySponsor() throws {
        let swarm = Swarm(seed: 6)
        let (host, newcomer) = (swarm.addNode(), swarm.addNode())
        host.storage.isFull = true
        swarm.introduce(newcomer, to: host)
        try swarm.drive(milliseconds: 20_000)
        #expect(host.replica?.state.membership.count == 1)
        host.storage.isFull = false
        try swarm.settle(milliseconds: 120_000)
    }

    @Test("simultaneous dials end with exactly one connection", arguments: UInt64(0)..<60)
    func simultaneousDials(seed: UInt64) throws {
        let swarm = Swarm(seed: seed)
        swarm.network.medium.latencies = 1...200
        let (host, other) = (swarm.addNode(), swarm.addNode())
        if seed % 2 == 0 {
            swarm.introduceAll()
            try swarm.drive { swarm.agree() }
            // And again, now that they know each other.
            for link in swarm.network.links.indices { swarm.sever(link) }
        }
        swarm.introduceAll()
        try swarm.drive(milliseconds: 20_000)
        #expect(swarm.openLinks(host, other).count == 1)
        #expect(host.replica?.livePeers.map(\.device) == [other.device])
        #expect(other.replica?.livePeers.map(\.device) == [host.device])
        try swarm.settle()
        let links = swarm.network.links.count
        try swarm.drive(milliseconds: 60_000)
        #expect(swarm.network.links.count == links, "no dials between nodes that are connected")
    }

    @Test("a device that reaches itself says so and does not try again")
    func ownAddress() throws {
        let swarm = Swarm(seed: 7)
        let host = swarm.addNode()
        swarm.introduce(host, to: host)
        try swarm.drive(milliseconds: 60_000)
        #expect(swarm.network.links.count == 1)
        #expect(host.journal.closings.contains(.sameDevice))
    }

    @Test("a machine that is ten years ahead joins and publishes, and the order is the same everywhere")
    func wrongClock() throws {
        let swarm = Swarm(seed: 8)
        let tenYears: Int64 = 10 * 365 * 86_400_000
        let (host, ahead, third) = (swarm.addNode(), swarm.addNode(clockOffset: tenYears), swarm.addNode())
        swarm.introduceAll()
        try swarm.drive { swarm.agree() }
        for _ in 0..<3 { for node in [host, ahead, third] { try swarm.add(by: node) } }
        try swarm.settle()
        #expect(host.replica?.state.gallery.count == 9)
        #expect(host.journal.clockWarnings.contains { abs($0 - tenYears) < 1_000 })
        #expect(ahead.journal.clockWarnings.contains { abs($0 + tenYears) < 1_000 })
        // Its stamps have not dragged the others' along.
        let stamps = host.replica?.state.photos.filter { $0.device == host.device }.map(\.timestamp.milliseconds) ?? []
        #expect(stamps.allSatisfy { $0 < NodeClock.epochMilliseconds + swarm.now + 60_000 })
    }

    @Test(
        "a reinstated member proves it to a member that knows only the removal, without another node"
    )
    func inAgain() throws {
        let swarm = try Swarm.joined(3, seed: 10)
        let (host, member, returned) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        for ruling in [
            Ruling.revoke(.participant, of: returned.device.bytes32), .grant(.participant, to: returned.device.bytes32),
        ] {
            let ticket = swarm.rule(ruling, by: host)
            try swarm.drive("the ruling") { host.person.authored[ticket] != nil }
            try swarm.drive(milliseconds: 30_000, "the news") {
                returned.replica?.isPutOut == (ruling == .revoke(.participant, of: returned.device.bytes32))
            }
            if member.isUp { swarm.crash(member) }
        }
        swarm.crash(host)
        swarm.start(member)
        try swarm.drive(milliseconds: 60_000, "the news") { swarm.agree([member, returned]) }
        try swarm.add(by: returned)
        try swarm.settle([member, returned])
    }

    @Test("a connection that has died on one side only is replaced soon after the other side dials", arguments: [0, 1])
    func halfDead(noticing: Int) throws {
        let swarm = try Swarm.joined(2, seed: 9)
        try swarm.drive(milliseconds: 5_000)
        let link = try #require(swarm.openLinks(swarm.nodes[0], swarm.nodes[1]).first)
        swarm.sever(link, isNoticed: false)
        let notices = swarm.nodes[noticing]
        let end = swarm.network.links[link].nodes[0] == notices.index ? 0 : 1
        swarm.apply(.disconnected(ConnectionID(UInt64(2 * link + end + 1))), to: notices)
        // Two seconds for an answer, and a dial.
        try swarm.drive(milliseconds: 4_000, "one connection") {
            swarm.nodes.allSatisfy { $0.replica?.livePeers.count == 1 }
                && !swarm.openLinks(swarm.nodes[0], swarm.nodes[1]).isEmpty
        }
        try swarm.add(by: notices)
        try swarm.settle(milliseconds: 1_000)
    }
}
