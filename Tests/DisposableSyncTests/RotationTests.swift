// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// The event's secret has leaked, and another takes its place.
@Suite("A new secret") struct RotationTests {
    private func rotate(_ swarm: Swarm, by node: SimulatedNode) throws {
        let ticket = swarm.rotate(by: node)
        try swarm.drive("the rotation") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
        try #require(node.person.refused[ticket] == nil)
    }

    private func admit(_ newcomer: SimulatedNode, _ swarm: Swarm, by node: SimulatedNode) throws {
        let ticket = swarm.admit(newcomer, by: node)
        try swarm.drive("the word") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
        try #require(node.person.refused[ticket] == nil)
    }

    private func secret(_ node: SimulatedNode) -> SecretBytes? { node.replica?.keyring.current.secret }

    /// Whether they go by one secret, which is the current epoch's.
    private func share(_ nodes: [SimulatedNode]) -> Bool {
        guard let first = nodes.first?.replica else { return false }
        return nodes.allSatisfy { node in
            guard let replica = node.replica else { return false }
            return replica.keyring.epoch == first.state.epochs.current
                && replica.keyring.epoch == replica.state.epochs.current
                && replica.keyring.current.secret.isEqual(to: first.keyring.current.secret)
        }
    }

    /// Every connection there is has been made under the secret that both ends go by now.
    /// - Parameter memberCount: how many members there are; all are here unless given.
    private func areMet(_ nodes: [SimulatedNode], of memberCount: Int? = nil) -> Bool {
        let absentCount = memberCount.map { $0 - nodes.count } ?? 0
        return share(nodes)
            && nodes.allSatisfy { node in
                node.replica?.unrenewedNodes.count == absentCount && node.replica?.livePeers.count == nodes.count - 1
            }
    }

    @Test("all who are there get it by themselves and meet again under it, with every photo", arguments: UInt64(0)..<5)
    func everybody(seed: UInt64) throws {
        let swarm = try Swarm.joined(4, seed: 300 + seed)
        let host = swarm.nodes[0]
        try swarm.add(2, by: swarm.nodes[1])
        let first = try #require(secret(host))
        try rotate(swarm, by: host)
        try swarm.add(2, by: swarm.nodes[2])
        try swarm.drive(milliseconds: 60_000, "meeting again") { areMet(swarm.nodes) }
        #expect(!first.isEqual(to: try #require(secret(swarm.nodes[3]))))
        #expect(swarm.nodes.allSatisfy { $0.journal.rotationCount == 1 })
        try swarm.settle()
        #expect(swarm.nodes.allSatisfy { $0.replica?.state.gallery.count == 4 })
    }

    @Test("an absent node gets it on its return, whichever side dials", arguments: [true, false])
    func away(dials: Bool) throws {
        let swarm = Swarm(seed: 310)
        let (host, away) = (swarm.addNode(), swarm.addNode())
        if dials { swarm.introduce(away, to: host) } else { swarm.introduce(host, to: away) }
        try swarm.settle()
        swarm.crash(away)
        for _ in 0..<3 { try rotate(swarm, by: host) }
        let photo = try swarm.add(1, by: host)[0]
        swarm.start(away)
        // Only one of the two may dial, and it knows nothing of the other's secret or has several to try.
        try swarm.drive(milliseconds: 120_000, "the news") { areMet([host, away]) }
        try swarm.settle()
        #expect(away.replica?.state.gallery.map(\.id) == [photo])
        #expect(away.replica?.state.epochs.chain.count == 3)
    }

    @Test("a newcomer with the old invitation is refused with a reason, learns nothing, and its join is not taken")
    func oldInvitation() throws {
        let swarm = try Swarm.joined(2, seed: 311)
        try swarm.add(by: swarm.nodes[0])
        try rotate(swarm, by: swarm.nodes[0])
        try swarm.drive("meeting again") { areMet(swarm.nodes) }
        let members = swarm.nodes
        let newcomer = swarm.addNode()
        for node in members {
            swarm.introduce(newcomer, to: node)
            swarm.introduce(node, to: newcomer)
        }
        try swarm.drive(milliseconds: 120_000)
        #expect(newcomer.journal.turnedAwayCount > 1)
        #expect(newcomer.disk.operations.isEmpty)
        #expect(members.allSatisfy { $0.replica?.state.membership.isMember(newcomer.device) == false })
        #expect(newcomer.journal.closings.contains(.invitationReplaced))

        // With the new invitation it is let in, and knows what it came in under.
        swarm.apply(.invited(try #require(secret(members[0]))), to: newcomer)
        try swarm.drive(milliseconds: 120_000, "admission") { areMet(swarm.nodes) }
        try swarm.settle()
        #expect(members[0].replica?.state.waitingNodes.isEmpty == true)
        try rotate(swarm, by: members[0])
        try swarm.drive(milliseconds: 60_000, "the next secret") { areMet(swarm.nodes) }
    }

    @Test(
        "a removed member does not learn the new secret, and cannot join under the old one",
        arguments: UInt64(0)..<3)
    func removed(seed: UInt64) throws {
        let swarm = try Swarm.joined(3, seed: 320 + seed)
        let (host, outcast, other) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        let first = try #require(secret(host))
        let ticket = swarm.rule(.revoke(.participant, of: outcast.device.bytes32), by: host)
        try swarm.drive("the ruling") { host.person.authored[ticket] != nil }
        try rotate(swarm, by: host)
        try swarm.drive(milliseconds: 60_000, "the others") { areMet([host, other]) }
        try swarm.add(by: host)
        try swarm.drive(milliseconds: 60_000)
        #expect(try #require(secret(outcast)).isEqual(to: first))
        #expect(outcast.disk.operations.allSatisfy { $0.kind != .epoch })
        #expect(outcast.replica?.state.gallery.isEmpty == true)
        // A moment in which it might have shown that it is in again.
        try swarm.drive("being hung up on") { outcast.replica?.livePeers.isEmpty == true }
        // It makes itself new, with the secret that it still has.
        let again = swarm.addNode(secret: first)
        for node in [host, other] { swarm.introduce(again, to: node) }
        try swarm.drive(milliseconds: 60_000)
        #expect(again.replica?.isAdmitted == false && again.journal.turnedAwayCount > 0)
    }

    @Test(
        "a removed member is notified by its sponsor at once, before a new secret ends their connection")
    func removedAtOnce() throws {
        let swarm = try Swarm.joined(2, seed: 325)
        let (host, outcast) = (swarm.nodes[0], swarm.nodes[1])
        let key = outcast.device.bytes32
        // Also reinstated and removed once more.
        for ruling in [
            Ruling.revoke(.participant, of: key), .grant(.participant, to: key), .revoke(.participant, of: key),
        ] {
            let ticket = swarm.rule(ruling, by: host)
            try swarm.drive("the ruling") { host.person.authored[ticket] != nil }
            // Well before the next ping, and the next thing that an organizer can do.
            try swarm.drive(milliseconds: 1_000)
            #expect(outcast.replica?.isPutOut == (ruling == .revoke(.participant, of: key)))
        }
        try rotate(swarm, by: host)
        try swarm.drive(milliseconds: 30_000)
        #expect(outcast.replica?.isPutOut == true)
        try swarm.drive("being hung up on") { outcast.replica?.livePeers.isEmpty == true }
        // So it lets nobody in either, who would take it for the event.
        let newcomer = swarm.addNode(secret: secret(outcast))
        swarm.introduce(newcomer, to: outcast)
        try swarm.drive(milliseconds: 60_000)
        #expect(newcomer.replica?.isAdmitted == false)
    }

    @Test(
        "a member reinstated after so many new secrets that only the first is left in common gets the current one"
    )
    func takenInAgain() throws {
        let swarm = try Swarm.joined(2, seed: 326)
        let (host, member) = (swarm.nodes[0], swarm.nodes[1])
        try rotate(swarm, by: host)
        try swarm.drive(milliseconds: 60_000, "meeting again") { areMet(swarm.nodes) }
        for ruling in [
            Ruling.revoke(.participant, of: member.device.bytes32), .grant(.participant, to: member.device.bytes32),
        ] {
            let ticket = swarm.rule(ruling, by: host)
            try swarm.drive("the ruling") { host.person.authored[ticket] != nil }
            guard case .revoke = ruling else { continue }
            try swarm.drive("the news") { member.replica?.isPutOut == true }
            for _ in 0...Limits.eventSecretsMax { try rotate(swarm, by: host) }
        }
        try admit(member, swarm, by: host)
        try swarm.drive(milliseconds: 120_000, "the current secret") { areMet(swarm.nodes) }
        try swarm.add(by: member)
        try swarm.settle()
    }

    @Test("a node with a new secret that no longer counts is notified, whichever side dials", arguments: [true, false])
    func stray(dials: Bool) throws {
        let swarm = Swarm(seed: 327)
        let (host, other) = (swarm.addNode(), swarm.addNode())
        if dials { swarm.introduce(other, to: host) } else { swarm.introduce(host, to: other) }
        try swarm.settle()
        let ticket = swarm.rule(.grant(.organizer, to: other.device.bytes32), by: host, swarm.founding.eventKey)
        try swarm.drive("the rank") {
            host.person.authored[ticket] != nil && other.replica?.state.membership.rank(of: other.device) == .organizer
        }
        swarm.cut(host, other)
        try rotate(swarm, by: other)
        let revocation = swarm.rule(.revoke(.organizer, of: other.device.bytes32), by: host, swarm.founding.eventKey)
        try swarm.drive("the ruling") { host.person.authored[revocation] != nil }
        // After a restart it knows only the addresses that it was given.
        swarm.crash(other)
        swarm.start(other)
        swarm.healAll()
        try swarm.drive(milliseconds: 120_000, "the first secret") { areMet([host, other]) }
        #expect(
            host.replica?.state.epochs.chain.isEmpty == true && host.replica?.state.epochs.proof.operations.count == 1)
        try swarm.settle()
    }

    @Test(
        "what leads to the current secret is heard to its end, however many messages it takes", arguments: UInt64(0)..<4
    )
    func manyMessages(seed: UInt64) throws {
        let swarm = try Swarm.joined(24, seed: 460 + seed)
        let (host, away) = (swarm.nodes[0], swarm.nodes[1])
        try rotate(swarm, by: host)
        try swarm.drive(milliseconds: 120_000, "the first new secret") { share(swarm.nodes) }
        // All others are gone, and each secret is sealed to all.
        for node in swarm.nodes.dropFirst() { swarm.shutDown(node) }
        for _ in 0..<30 { try rotate(swarm, by: host) }
        swarm.start(away)
        try swarm.drive(milliseconds: 120_000, "the last one") { areMet([host, away], of: 24) }
    }

    @Test(
        "a reinstated member with the current secret brings it to a member that missed it, under the first one")
    func broughtByOneTakenInAgain() throws {
        let swarm = try Swarm.joined(3, seed: 470)
        let (host, member, returned) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        for ruling in [
            Ruling.revoke(.participant, of: returned.device.bytes32), .grant(.participant, to: returned.device.bytes32),
        ] {
            let ticket = swarm.rule(ruling, by: host)
            try swarm.drive("the ruling") { host.person.authored[ticket] != nil }
            try rotate(swarm, by: host)
            guard case .revoke = ruling else { continue }
            try swarm.drive(milliseconds: 60_000, "the new secret") { share([host, member]) }
            swarm.shutDown(member)
        }
        try admit(returned, swarm, by: host)
        try swarm.drive(milliseconds: 120_000, "the secret of the one taken in again") { share([host, returned]) }
        swarm.shutDown(host)
        swarm.start(member)
        try swarm.drive(milliseconds: 120_000, "the news") { share([member, returned]) }
        try swarm.settle([member, returned])
    }

    @Test("a node that joins with a new invitation is admitted under it, by any member", arguments: UInt64(0)..<12)
    func newcomersTogether(seed: UInt64) throws {
        let swarm = try Swarm.joined(3, seed: 480 + seed)
        let host = swarm.nodes[0]
        try rotate(swarm, by: host)
        try swarm.drive(milliseconds: 60_000, "the new secret") { areMet(swarm.nodes) }
        let newcomers = (0..<4).map { _ in swarm.addNode(secret: secret(host)) }
        for newcomer in newcomers {
            for other in newcomers where other !== newcomer { swarm.introduce(newcomer, to: other) }
        }
        try swarm.drive(milliseconds: 2_000)
        swarm.introduce(newcomers[0], to: host)
        try swarm.drive(milliseconds: 120_000, "admission of all") { swarm.agree() }
        #expect(host.replica?.state.waitingNodes.isEmpty == true)
        try rotate(swarm, by: host)
        try swarm.drive(milliseconds: 120_000, "the next one") { share(swarm.nodes) }
    }

    @Test("a node that a member admits in a partition waits until an organizer gives it the secret")
    func otherSide() throws {
        let swarm = try Swarm.joined(3, seed: 330)
        let (host, sponsor) = (swarm.nodes[0], swarm.nodes[1])
        let newcomer = swarm.addNode()
        for node in [swarm.nodes[0], swarm.nodes[2]] { for other in [sponsor, newcomer] { swarm.cut(node, other) } }
        swarm.introduce(newcomer, to: sponsor)
        try rotate(swarm, by: host)
        try swarm.drive(milliseconds: 60_000, "admission") { newcomer.replica?.isAdmitted == true }
        let photo = try swarm.add(1, by: newcomer)[0]
        try swarm.drive(milliseconds: 60_000, "its photo at its sponsor") {
            sponsor.replica?.state.gallery.map(\.id) == [photo]
        }
        let later = try swarm.add(1, by: host)[0]
        swarm.healAll()
        for node in swarm.nodes where node !== newcomer { swarm.introduce(newcomer, to: node) }
        let inside = Array(swarm.nodes.prefix(3))
        try swarm.drive(milliseconds: 120_000, "the sponsor's news") { areMet(inside) && swarm.agree(inside) }
        try swarm.drive(milliseconds: 60_000)
        #expect(host.replica?.state.waitingNodes == [newcomer.device])
        #expect(host.replica?.state.gallery.map(\.id) == [photo, later], "what it has said before counts")
        #expect(newcomer.replica?.state.gallery.map(\.id) == [photo], "it is told nothing")
        #expect(try #require(secret(newcomer)).isEqual(to: swarm.founding.secret), "but it has no other secret")
        #expect(newcomer.journal.turnedAwayCount > 0)

        try admit(newcomer, swarm, by: host)
        try swarm.drive(milliseconds: 180_000, "the word has reached it") { areMet(swarm.nodes) }
        try swarm.settle()
        #expect(host.replica?.state.waitingNodes.isEmpty == true)
    }

    @Test(
        "two rotate while apart: all end with the one of the smaller id, by whichever way they meet",
        arguments: UInt64(0)..<8)
    func race(seed: UInt64) throws {
        let swarm = try Swarm.joined(5, seed: 340 + seed)
        let (host, second) = (swarm.nodes[0], swarm.nodes[1])
        let grant = swarm.say(
            .rule(.grant(.organizer, to: second.device.bytes32), salt: swarm.random.bytes(16)), by: host,
            swarm.founding.eventKey)
        try swarm.drive("the rank") { host.person.authored[grant] != nil }
        try swarm.settle()
        swarm.partition([host, swarm.nodes[2]])
        try rotate(swarm, by: host)
        if seed % 2 == 0 { try rotate(swarm, by: host) }
        try rotate(swarm, by: second)
        try swarm.add(by: swarm.nodes[2])
        try swarm.add(by: swarm.nodes[3])
        try swarm.drive(milliseconds: 30_000, "each side its own") {
            share([host, swarm.nodes[2]]) && share([second, swarm.nodes[3], swarm.nodes[4]])
        }
        swarm.healAll()
        try swarm.drive(milliseconds: 300_000, "one secret") { areMet(swarm.nodes) }
        try swarm.settle()
        #expect(host.replica?.state.gallery.count == 2)
        #expect(host.replica?.state.waitingNodes.isEmpty == true)
    }

    @Test("a false box is noticed and named, and an organizer can give the true one")
    func falseBox() throws {
        let swarm = try Swarm.joined(3, seed: 350)
        let (host, cheated) = (swarm.nodes[0], swarm.nodes[1])
        // The epoch is committed to one secret, the box for one of the three holds another.
        let (secret, wrong, seed) = (swarm.random.secret(), swarm.random.secret(), swarm.random.secret())
        let seals = try swarm.nodes.map { node in
            try SealedSecret(of: node === cheated ? wrong : secret, for: node.device, seed: seed)
        }
        let commitment = Epoch.commitment(to: secret, parent: .none, event: swarm.founding.id)
        let own = host.disk.operations.filter { $0.header.device == host.device && $0.header.set == .authority }
        let last = try #require(own.max { $0.header.sequence < $1.header.sequence })
        let epoch = try VerifiedOperation(
            draft: Draft(
                kind: .epoch,
                body: OperationBody.encode(
                    .epoch(commitment: commitment, seals: seals), salt: swarm.random.bytes(16))),
            event: swarm.founding.id, sequence: last.header.sequence + 1, previous: last.id,
            timestamp: HybridTimestamp(milliseconds: NodeClock.epochMilliseconds, counter: 9), key: host.deviceKey)
        _ = host.disk.write([epoch], durably: true)
        swarm.crash(host)
        swarm.start(host)
        try swarm.drive(milliseconds: 120_000, "the news") { cheated.journal.falselySealed == [epoch.id] }
        #expect(cheated.journal.rotationCount == 0)
        try swarm.drive(milliseconds: 60_000, "the other one") { share([host, swarm.nodes[2]]) }
        try admit(cheated, swarm, by: host)
        try swarm.drive(milliseconds: 120_000, "all three") { areMet(swarm.nodes) }
        try swarm.settle()
    }

    @Test(
        "a participant cannot rotate, nobody admits where nothing was rotated, and a member that has it needs no word")
    func refusals() throws {
        let swarm = try Swarm.joined(3, seed: 360)
        let (host, guest) = (swarm.nodes[0], swarm.nodes[1])
        func refusal(_ ticket: Ticket, _ node: SimulatedNode) throws -> Refusal? {
            try swarm.drive("a verdict") { node.person.refused[ticket] != nil || node.person.authored[ticket] != nil }
            return node.person.refused[ticket]
        }
        #expect(try refusal(swarm.rotate(by: guest), guest) == .rankTooLow(needed: .organizer))
        #expect(try refusal(swarm.admit(guest, by: host), host) == .nothingToDo)
        try rotate(swarm, by: host)
        try swarm.drive("meeting again") { areMet(swarm.nodes) }
        #expect(try refusal(swarm.admit(guest, by: host), host) == .nothingToDo)
        #expect(try refusal(swarm.admit(swarm.addNode(), by: host), host) == .notAdmitted)
        for _ in 0..<Limits.eventSecretsMax { try rotate(swarm, by: host) }
        #expect(host.replica?.keyring.all.count == Limits.eventSecretsMax)
        try swarm.drive(milliseconds: 120_000, "the last secret everywhere") { share(Array(swarm.nodes.prefix(3))) }
    }

    @Test(
        "a node that stops at any moment continues from its disk, and gets the new secret",
        arguments: UInt64(0)..<12)
    func crashes(seed: UInt64) throws {
        let swarm = try Swarm.joined(3, seed: 370 + seed)
        let (host, other) = (swarm.nodes[0], swarm.nodes[1])
        swarm.rotate(by: host)
        // A few steps on, wherever that is: before the disk has it, before anybody was told, in between.
        try? swarm.drive(within: Int(seed) * 3 + 1, milliseconds: 5_000) { false }
        swarm.crash(seed % 2 == 0 ? host : other)
        try swarm.drive(milliseconds: 5_000)
        swarm.start(seed % 2 == 0 ? host : other)
        try swarm.drive(milliseconds: 120_000, "one secret") {
            swarm.agree() && (areMet(swarm.nodes) || host.replica?.state.epochs.chain.isEmpty == true)
        }
        try rotate(swarm, by: host)
        try swarm.drive(milliseconds: 120_000, "the last secret") { areMet(swarm.nodes) }
        try swarm.settle()
    }
}
