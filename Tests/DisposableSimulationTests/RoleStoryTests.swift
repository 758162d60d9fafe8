// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Removal, reinstatement, and guests that move from page to page: one story each.
@Suite("Whose word counts") struct RoleStoryTests {
    private func shown(_ node: SimulatedNode) -> Set<PhotoID> { Set(node.replica?.state.gallery.map(\.id) ?? []) }

    private func rule(_ ruling: Ruling, by node: SimulatedNode, _ swarm: Swarm) throws {
        let ticket = swarm.rule(ruling, by: node)
        try swarm.drive("the ruling") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
        try #require(node.person.refused[ticket] == nil)
    }

    @Test(
        "what somebody takes behind a cut, after the organizer has put it out, shows nowhere; it hears of it and stops")
    func behindACut() throws {
        let swarm = try Swarm.joined(3, seed: 201)
        let (host, outcast, other) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        let before = try swarm.add(2, by: outcast)
        try swarm.settle()
        swarm.partition([host])
        try rule(.revoke(.participant, of: outcast.device.bytes32), by: host, swarm)
        let after = try swarm.add(2, by: outcast)
        try swarm.drive(milliseconds: 10_000)
        #expect(shown(other) == Set(before + after))
        swarm.healAll()
        try swarm.settle([host, other], milliseconds: 120_000)
        #expect(shown(other) == Set(before) && shown(host) == Set(before))
        try swarm.drive(milliseconds: 120_000, "the news") { outcast.replica?.isAdmitted == false }
        #expect(throws: Swarm.Failure.self) { try swarm.add(1, by: outcast) }

        try rule(.grant(.participant, to: outcast.device.bytes32), by: host, swarm)
        try swarm.settle(milliseconds: 120_000)
        #expect(shown(host) == Set(before + after))
    }

    @Test("who goes on after having heard of it is void to the last word")
    func outcast() throws {
        let swarm = try Swarm.joined(3, seed: 202)
        let outcast = swarm.addDishonestPeer(.outcast, milliseconds: 60_000)
        for node in swarm.nodes where node.isHonest { swarm.introduce(outcast, to: node) }
        let photos = try swarm.add(2, by: swarm.nodes[1])
        try swarm.drive(milliseconds: 10_000)
        try rule(.revoke(.participant, of: outcast.device.bytes32), by: swarm.nodes[0], swarm)
        try swarm.drive(milliseconds: 60_000)
        try swarm.settle()
        let said = outcast.dishonestPeer?.saidInVain ?? []
        let kept = Set(swarm.nodes[2].disk.operations.map(\.id))
        #expect(said.count { kept.contains($0) } > 20, "void operations are kept, or sets would differ")
        #expect(shown(swarm.nodes[2]).isSuperset(of: photos))
        #expect(shown(swarm.nodes[2]).count { $0 != photos[0] && $0 != photos[1] } >= 3, "its earlier ones")
        #expect(swarm.nodes.filter(\.isHonest).allSatisfy { $0.replica?.isAdmitted == true })
    }

    @Test("a member that joined through a member removed since, unknown to the organizer, is admitted again by others")
    func fallenSponsor() throws {
        let swarm = try Swarm.joined(3, seed: 203)
        let (host, sponsor, other) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        for node in [host, other] { swarm.cut(node, sponsor) }
        let newcomer = swarm.addNode()
        for node in [host, other] { swarm.cut(node, newcomer) }
        swarm.introduce(newcomer, to: sponsor)
        try swarm.drive("admission") { newcomer.replica?.isAdmitted == true }
        let photos = try swarm.add(2, by: newcomer)
        try rule(.revoke(.participant, of: sponsor.device.bytes32), by: host, swarm)
        swarm.healAll()
        swarm.introduce(newcomer, to: host)
        try swarm.settle([host, other, newcomer], milliseconds: 120_000)
        #expect(shown(host) == Set(photos))
        // A third one, who has never heard of the sponsor, is let in by the newcomer.
        let last = swarm.addNode()
        for node in [host, sponsor, other] { swarm.cut(node, last) }
        swarm.introduce(last, to: newcomer)
        try swarm.settle([host, other, newcomer, last], milliseconds: 120_000)
        try swarm.drive(milliseconds: 120_000, "the news") { sponsor.replica?.isAdmitted == false }
    }

    @Test("a member that a former moderator removed, and that signed more since, receives the proof of its removal")
    func formerModerator() throws {
        let swarm = try Swarm.joined(4, seed: 204)
        let (host, moderator, outcast) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        let photo = try swarm.add(1, by: host)[0]
        swarm.cut(moderator, outcast)
        try rule(.grant(.moderator, to: moderator.device.bytes32), by: host, swarm)
        try swarm.drive("the rank") { moderator.replica?.state.membership.rank(of: moderator.device) == .moderator }
        try rule(.revoke(.participant, of: outcast.device.bytes32), by: moderator, swarm)
        try rule(.hide(photo), by: moderator, swarm)
        try swarm.drive("the same on the organizer's node") { host.sets == moderator.sets }
        try rule(.revoke(.moderator, of: moderator.device.bytes32), by: host, swarm)
        let rest = [host, moderator, swarm.nodes[3]]
        try swarm.settle(rest, milliseconds: 120_000)
        try swarm.drive(milliseconds: 120_000)
        #expect(outcast.replica?.isAdmitted == false)
        #expect(host.replica?.state.membership.isMember(outcast.device) == false)
    }

    @Test(
        "two organizers who put each other out on two sides of a cut both stay, until the event key says who was right")
    func twoOrganizers() throws {
        let swarm = try Swarm.joined(5, seed: 206)
        let (host, anna, ben) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        func ruleByEventKey(_ ruling: Ruling) throws {
            let statement = Statement.rule(ruling, salt: swarm.random.bytes(16))
            let ticket = swarm.say(statement, by: host, swarm.founding.eventKey)
            try swarm.drive("the event key's ruling") {
                host.person.authored[ticket] != nil || host.person.refused[ticket] != nil
            }
            try #require(host.person.refused[ticket] == nil)
        }
        for node in [anna, ben] { try ruleByEventKey(.grant(.organizer, to: node.device.bytes32)) }
        let annas = try swarm.add(2, by: anna)
        let bens = try swarm.add(2, by: ben)
        try swarm.settle()
        let asked = swarm.rule(.revoke(.participant, of: ben.device.bytes32), by: anna)
        try swarm.drive("the refusal") { anna.person.refused[asked] == .rankTooLow(needed: .eventKey) }

        // Their programs do not ask: what each says of the other is on its disk, and goes on from there.
        swarm.partition([anna, swarm.nodes[3]])
        for (organizer, other) in [(anna, ben), (ben, anna)] {
            let last = try #require(
                organizer.disk.operations.filter { $0.header.device == organizer.device && $0.header.set == .authority }
                    .max { $0.header.sequence < $1.header.sequence })
            let body = OperationBody.encode(.revocation(heads: []), salt: swarm.random.bytes(16))
            let revocation = try VerifiedOperation(
                draft: Draft(kind: .revokeDevice, subject: OperationID(other.device.bytes32), body: body),
                event: swarm.founding.id, sequence: last.header.sequence + 1, previous: last.id,
                timestamp: last.header.timestamp, key: organizer.deviceKey)
            swarm.crash(organizer)
            _ = organizer.disk.write([revocation], durably: true)
            swarm.start(organizer)
        }
        let apart = try swarm.add(1, by: swarm.nodes[3]) + swarm.add(1, by: swarm.nodes[4])
        try swarm.drive(milliseconds: 10_000)
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes {
            #expect(shown(node) == Set(annas + bens + apart))
            for (device, other) in [(anna.device, ben.device), (ben.device, anna.device)] {
                #expect(node.replica?.state.membership.rank(of: device) == .organizer)
                #expect(
                    node.replica?.state.membership.revocations(of: device.bytes32)
                        .map { $0.signer == other && !$0.counts } == [true])
            }
        }

        try ruleByEventKey(.revoke(.organizer, of: anna.device.bytes32))
        let rest = swarm.nodes.filter { $0 !== anna }
        try swarm.settle(rest, milliseconds: 120_000)
        // Ben's revocation names no heads, so it leaves nothing of Anna's.
        for node in rest {
            #expect(shown(node) == Set(bens + apart))
            #expect(node.replica?.state.membership.isMember(anna.device) == false)
        }
        try swarm.drive(milliseconds: 120_000, "the news") { anna.replica?.isAdmitted == false }
    }

    @Test(
        "a guest goes from one page to another: one roll, one author, and it takes the first photo back at the second")
    func guest() throws {
        let swarm = try Swarm.joined(3, seed: 205, frames: 3)
        let key = SigningKey(seed: swarm.random.secret())
        let author = AuthorID(key.verifyingKey)
        func take(at node: SimulatedNode, _ subKey: SigningKey) throws -> PhotoID? {
            swarm.admit(guest: key, subKey: subKey, at: node)
            let ticket = swarm.say(swarm.photo(of: node), by: node, subKey)
            try swarm.drive("the photo") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
            return node.person.authored[ticket].map { PhotoID($0[0]) }
        }
        let subKeys = (0..<2).map { _ in SigningKey(seed: swarm.random.secret()) }
        let first = try #require(try take(at: swarm.nodes[1], subKeys[0]))
        try swarm.settle()
        let second = try #require(try take(at: swarm.nodes[2], subKeys[1]))
        let third = try #require(try take(at: swarm.nodes[2], subKeys[1]))
        try swarm.settle()
        #expect(try take(at: swarm.nodes[1], subKeys[0]) == nil, "three photos are three, wherever they were taken")
        let photos = swarm.nodes[0].replica?.state.photos ?? []
        #expect(photos.allSatisfy { $0.author == author } && photos.count == 3)
        #expect((1...3).allSatisfy { slot in photos.contains { $0.status == .frame(slot) } })

        let removal = swarm.say(.remove(first), by: swarm.nodes[2], subKeys[1])
        try swarm.drive("the removal") { swarm.nodes[2].person.authored[removal] != nil }
        // The node stops serving pages; what its guests did before stays.
        try rule(.grant(.page, to: swarm.nodes[2].device.bytes32), by: swarm.nodes[0], swarm)
        try swarm.settle()
        try rule(.revoke(.page, of: swarm.nodes[2].device.bytes32), by: swarm.nodes[0], swarm)
        try swarm.settle()
        #expect(shown(swarm.nodes[0]) == [second, third])
        #expect(try take(at: swarm.nodes[2], subKeys[1]) == nil)
        try swarm.settle()
    }
}
