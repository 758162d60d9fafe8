// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Members that bring a crowd of their own, take hostages, or let others in after their removal.
@Suite("Adversaries that bring others") struct AdversaryTests {
    private func shown(_ node: SimulatedNode) -> Set<PhotoID> { Set(node.replica?.state.gallery.map(\.id) ?? []) }

    private func rule(_ ruling: Ruling, by node: SimulatedNode, _ swarm: Swarm) throws {
        let ticket = swarm.rule(ruling, by: node)
        try swarm.drive("the ruling") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
        try #require(node.person.refused[ticket] == nil)
    }

    private func swarm(_ mischief: Mischief, seed: UInt64) throws -> (Swarm, SimulatedNode) {
        let swarm = try Swarm.joined(3, seed: seed)
        let member = swarm.addDishonestPeer(mischief, milliseconds: 600_000)
        for node in swarm.nodes where node.isHonest { swarm.introduce(member, to: node) }
        let host = swarm.nodes[0]
        try swarm.drive("its join") { host.replica?.state.membership.isMember(member.device) == true }
        return (swarm, member)
    }

    @Test("a member that lets in a thousand devices and guests holds up nobody's photos")
    func thousandGuests() throws {
        let (swarm, member) = try swarm(.crowd, seed: 401)
        member.dishonestPeer?.crowdCountMax = 1_000
        var photos: [PhotoID] = []
        for round in 0..<10 {
            photos += try swarm.add(1, by: swarm.nodes[round % 3], .small)
            let others = swarm.nodes.filter { $0.isHonest && $0.index != round % 3 }
            try swarm.drive(within: 2_000_000, milliseconds: 5_000, "the photo at the others") {
                others.allSatisfy { $0.replica?.state.photo(photos[round]) != nil }
            }
            try swarm.drive(milliseconds: 8_000, within: 2_000_000)
        }
        try swarm.drive(within: 4_000_000, milliseconds: 300_000, "all of them") {
            swarm.nodes[0].replica?.state.membership.count ?? 0 > 1_000
        }
        try swarm.settle(within: 4_000_000)
        for node in swarm.nodes where node.isHonest {
            let shown = shown(node)
            #expect(photos.allSatisfy(shown.contains))
        }
    }

    @Test("a page node that is removed costs its guests, and those it let in, none of their photos", arguments: 0..<4)
    func hostages(number: UInt64) throws {
        let (swarm, taker) = try swarm(.hostageTaker, seed: 410 + number)
        let host = swarm.nodes[0]
        try rule(.grant(.page, to: taker.device.bytes32), by: host, swarm)
        try swarm.drive(milliseconds: 6_000)
        let hostages = taker.dishonestPeer?.hostages ?? []
        let photos = Set(host.replica?.state.gallery.filter { hostages.contains($0.author) }.map(\.id) ?? [])
        #expect(photos.count > 10)
        try rule(.revoke(number % 2 == 0 ? .page : .participant, of: taker.device.bytes32), by: host, swarm)
        try swarm.drive(milliseconds: 30_000)
        try swarm.settle()
        for node in swarm.nodes where node.isHonest {
            let shown = shown(node)
            #expect(photos.allSatisfy(shown.contains))
        }
    }

    @Test("what a removed member lets in, itself, by its sub-keys or through those that came in so, shows nowhere")
    func smuggling() throws {
        let (swarm, smuggler) = try swarm(.smuggler, seed: 420)
        let host = swarm.nodes[0]
        try swarm.drive(milliseconds: 6_000)
        let members = host.replica?.state.membership.devices ?? []
        try rule(.revoke(.participant, of: smuggler.device.bytes32), by: host, swarm)
        try swarm.drive(milliseconds: 30_000)
        try swarm.settle()
        let said = smuggler.dishonestPeer?.saidInVain ?? []
        let kept = Set(host.disk.operations.map(\.id))
        #expect(said.count { kept.contains($0) } > 20)
        let left = host.replica?.state.membership.devices ?? []
        #expect(left.allSatisfy(members.contains))
    }

    @Test("devices of one machine that take all places of all nodes keep no two nodes apart")
    func callers() throws {
        let swarm = try Swarm.joined(3, seed: 430)
        let honest = swarm.nodes
        for _ in 0..<Limits.peersMax + 12 {
            let caller = swarm.addDishonestPeer(.caller, milliseconds: 3_600_000, at: "10.66.0.1")
            for node in honest { swarm.introduce(caller, to: node) }
        }
        try swarm.drive(within: 2_000_000, milliseconds: 30_000, "all places taken") {
            honest.allSatisfy { $0.replica?.livePeers.count == Limits.peersMax }
        }
        // Long enough for nodes of a large event to close connections that are too many.
        try swarm.drive(milliseconds: 90_000, within: 2_000_000)
        for node in honest {
            #expect(honest.allSatisfy { $0 === node || !swarm.openLinks(node, $0).isEmpty }, "it lost another node")
            try swarm.add(1, by: node, .small)
        }
        try swarm.drive(within: 2_000_000, milliseconds: 10_000, "the photos everywhere") { swarm.isComplete() }

        for node in honest.dropFirst() { swarm.crash(node) }
        // All places are taken where they come back to, and soon at themselves.
        try swarm.drive(milliseconds: 2_000, within: 2_000_000)
        for node in honest.dropFirst() { swarm.start(node) }
        let late = swarm.addNode()
        swarm.introduce(late, to: honest[0])
        try swarm.drive(within: 2_000_000, milliseconds: 20_000, "the newcomer's join") {
            late.replica?.isAdmitted == true
        }
        for node in honest + [late] { try swarm.add(1, by: node, .small) }
        try swarm.drive(within: 2_000_000, milliseconds: 20_000, "the photos everywhere, again") { swarm.isComplete() }
        try swarm.check()
    }
}
