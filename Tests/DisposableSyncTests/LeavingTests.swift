// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Leaving") struct LeavingTests {
    @Test("after its leave a device says nothing but what takes its own back, and neither does a guest through it")
    func lastWords() throws {
        let office = try Office()
        let photo = try office.photo()
        #expect(office.say(.leave) == .stated([.leave]))
        #expect(office.replica.state.membership.hasLeft(office.replica.deviceID))
        #expect(office.say(.leave) == .refused(.hasLeft))
        #expect(
            office.say(.name(body: OperationBody.encode(.name("Anna"), salt: office.salt))) == .refused(.hasLeft))
        #expect(
            office.say(.name(body: OperationBody.encode(.name("Ben"), salt: office.salt)), by: office.member)
                == .refused(.hasLeft))
        #expect(office.say(.remove(photo)) == .stated([.remove]))
        #expect(office.replica.state.gallery.isEmpty)
    }

    @Test("a node knows when others have heard its leave and have its photos, and not before")
    func handover() throws {
        let swarm = try Swarm.joined(3, seed: 31)
        let (leaving, other) = (swarm.nodes[2], swarm.nodes[1])
        try swarm.add(2, by: leaving)
        try swarm.settle()
        for node in swarm.nodes where node !== leaving { swarm.cut(leaving, node) }
        let kept = try swarm.add(3, by: leaving, .large)
        try swarm.remove(kept[2], by: leaving)
        let ticket = swarm.say(.leave, by: leaving)
        try swarm.drive("the leave on disk") { leaving.person.authored[ticket] != nil }
        func ask() throws {
            for _ in 0..<20 {
                swarm.apply(.handOver, to: leaving)
                try swarm.drive(milliseconds: 250)
            }
        }
        try ask()
        let apart = try #require(leaving.replica).handover
        #expect(!apart.isHeard && apart.photoCount == 4 && !apart.isComplete)

        swarm.healAll()
        swarm.introduceAll()
        try swarm.drive(milliseconds: 30_000, "somebody has all of it") {
            swarm.apply(.handOver, to: leaving)
            return leaving.replica?.handover.isComplete == true
        }
        let together = try #require(leaving.replica).handover
        #expect(together.isHeard && together.photoCount == 4 && together.heldCount == 4)
        // What it was told is true.
        #expect(
            swarm.nodes.contains { node in
                node !== leaving && node.replica?.state.membership.hasLeft(leaving.device) == true
                    && kept.prefix(2).allSatisfy { node.replica?.isComplete(.original, of: $0) == true }
            })
        swarm.suspend(leaving, milliseconds: 600_000)
        try swarm.drive(milliseconds: 60_000, "both others have all of it") {
            [swarm.nodes[0], other].allSatisfy { node in
                node.replica?.state.gallery.count == 4
                    && kept.prefix(2).allSatisfy { node.replica?.isComplete(.original, of: $0) == true }
            }
        }
        #expect(other.replica?.state.membership.nodeCount == 2)
    }

    @Test("with nobody else in the event there is nobody to tell")
    func alone() throws {
        let swarm = Swarm(seed: 3)
        let host = swarm.addNode()
        #expect(host.replica?.hasOthers == false)
        let guest = swarm.addNode()
        swarm.introduceAll()
        try swarm.drive { swarm.agree() }
        #expect(host.replica?.hasOthers == true && guest.replica?.hasOthers == true)
        let ticket = swarm.say(.leave, by: guest)
        try swarm.drive("the leave is heard") { guest.person.authored[ticket] != nil && swarm.agree() }
        #expect(host.replica?.hasOthers == false)
    }
}
