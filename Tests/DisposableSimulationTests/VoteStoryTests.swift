// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// The photo of the night, where nodes are apart.
@Suite("The photo of the night") struct VoteStoryTests {
    private func say(
        _ statement: Statement, by node: SimulatedNode, _ key: SigningKey? = nil, in swarm: Swarm
    ) throws -> Refusal? {
        let ticket = swarm.say(statement, by: node, key)
        try swarm.drive("the command") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
        return node.person.refused[ticket]
    }

    private func open(by node: SimulatedNode, in swarm: Swarm) throws -> Refusal? {
        let recipients = try #require(node.replica?.state.messageRecipients)
        let ballot = SealedBallot(
            secret: swarm.random.secret(), organizers: recipients, seed: swarm.random.secret())
        return try say(.rule(.openVote(try #require(ballot)), salt: swarm.random.bytes(16)), by: node, in: swarm)
    }

    private func vote(
        for photo: PhotoID, by node: SimulatedNode, _ key: SigningKey? = nil, in swarm: Swarm
    ) throws -> Refusal? {
        let ballot = try #require(node.replica?.state.ballot)
        let device = key.map { DeviceID($0.verifyingKey) } ?? node.device
        let sealed = try #require(
            SealedVote(
                for: photo, by: device, key: ballot.sealed.key,
                ephemeral: AgreementKey(scalar: swarm.random.secret())))
        let salt = swarm.random.bytes(16)
        return try say(.say(.vote(photo, in: ballot.id, sealed), salt: salt), by: node, key, in: swarm)
    }

    private func close(by node: SimulatedNode, in swarm: Swarm) throws -> Refusal? {
        let ballot = try #require(node.replica?.state.ballot)
        let secret = try #require(ballot.sealed.secret(for: node.deviceKey))
        let salt = swarm.random.bytes(16)
        return try say(.rule(.closeVote(ballot.id, secret: secret), salt: salt), by: node, in: swarm)
    }

    @Test("votes behind a cut that were cast before the closing join the result on every node, later ones do not")
    func apart() throws {
        let swarm = try Swarm.joined(3, seed: 1_801, frames: 3)
        let (host, ben, chloe) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        try swarm.add(1, by: ben)
        try swarm.add(1, by: chloe)
        #expect(try open(by: host, in: swarm) == nil)
        try swarm.settle(milliseconds: 120_000)
        let photos = try #require(host.replica?.state.gallery)
        let bens = try #require(photos.first { $0.device == ben.device }).id
        let chloes = try #require(photos.first { $0.device == chloe.device }).id

        swarm.partition([chloe])
        #expect(try vote(for: bens, by: chloe, in: swarm) == nil)
        #expect(try vote(for: chloes, by: ben, in: swarm) == nil)
        #expect(host.replica?.state.voteResult == nil)
        // Longer than the machines' clocks differ.
        try swarm.drive(milliseconds: 60_000)
        #expect(try close(by: host, in: swarm) == nil)
        #expect(host.replica?.state.voteResult?.winners.map(\.photo.id) == [chloes])
        try swarm.drive(milliseconds: 60_000)
        #expect(ben.replica?.state.ballot?.isOpen == false && chloe.replica?.state.ballot?.isOpen == true)
        #expect(try vote(for: bens, by: ben, in: swarm) == .noVote(.notOpen))
        let atClose = try #require(chloe.replica?.state.voterCount)
        #expect(try vote(for: bens, by: chloe, in: swarm) == nil && atClose == 1, "it is late, and counts nowhere")
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes {
            let state = try #require(node.replica?.state)
            let result = try #require(state.voteResult)
            #expect(Set(result.winners.map(\.photo.id)) == [bens, chloes], "a tie on node \(node.index)")
            #expect(result.voterCount == 2)
            #expect(VoteOutcome(state) == host.replica.flatMap { VoteOutcome($0.state) })
        }
    }

    @Test("a guest that votes at two nodes that are apart has one vote on every node")
    func twoNodes() throws {
        let swarm = try Swarm.joined(3, seed: 1_802, frames: 3)
        let (host, ben, chloe) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        let guest = SigningKey(seed: swarm.random.secret())
        let (atHost, atBen) = (SigningKey(seed: swarm.random.secret()), SigningKey(seed: swarm.random.secret()))
        swarm.admit(guest: guest, subKey: atHost, at: host)
        swarm.admit(guest: guest, subKey: atBen, at: ben)
        try swarm.add(1, by: ben)
        try swarm.add(1, by: chloe)
        #expect(try open(by: host, in: swarm) == nil)
        try swarm.settle(milliseconds: 120_000)
        let photos = try #require(host.replica?.state.gallery.map(\.id))
        swarm.partition([ben])
        #expect(try vote(for: photos[0], by: host, atHost, in: swarm) == nil)
        #expect(try vote(for: photos[1], by: ben, atBen, in: swarm) == nil)
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        #expect(try close(by: host, in: swarm) == nil)
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes {
            let state = try #require(node.replica?.state)
            #expect(state.voterCount == 1 && state.voteResult?.places.map(\.voteCount) == [1])
            #expect(VoteOutcome(state) == host.replica.flatMap { VoteOutcome($0.state) })
        }
    }
}
