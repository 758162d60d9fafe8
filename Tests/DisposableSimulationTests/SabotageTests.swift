// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// A checker that cannot fail is none: here the harness breaks one promise each, at the replicas' inputs and outputs.
@Suite("Checkers notice") struct SabotageTests {
    private func invariants(of swarm: Swarm) -> Set<Invariant> { Set(swarm.violations().map(\.invariant)) }

    @Test(
        "that a disk dropped what it had promised to keep, and that an acknowledgement came too early",
        arguments: [Sabotage.dropsSyncs, .acknowledgesEarly])
    func durability(sabotage: Sabotage) throws {
        var isNoticed = false
        for seed in 0..<UInt64(20) where !isNoticed {
            let swarm = try Swarm.joined(2, seed: seed)
            swarm.sabotage = sabotage
            swarm.workMilliseconds = 40...60
            let ticket = swarm.say(swarm.photo(of: swarm.nodes[1]), by: swarm.nodes[1])
            try swarm.drive(askingEvery: 1) { swarm.nodes[1].person.authored[ticket] != nil }
            try swarm.drive(milliseconds: 5)
            swarm.crash(swarm.nodes[1])
            swarm.start(swarm.nodes[1])
            isNoticed = invariants(of: swarm).contains(.durable)
        }
        #expect(isNoticed)
    }

    @Test("that nobody would have noticed without it")
    func honestDisk() throws {
        for seed in 0..<UInt64(20) {
            let swarm = try Swarm.joined(2, seed: seed)
            swarm.workMilliseconds = 40...60
            let ticket = swarm.say(swarm.photo(of: swarm.nodes[1]), by: swarm.nodes[1])
            try swarm.drive(askingEvery: 1) { swarm.nodes[1].person.authored[ticket] != nil }
            swarm.crash(swarm.nodes[1])
            swarm.start(swarm.nodes[1])
            #expect(!invariants(of: swarm).contains(.durable))
        }
    }

    @Test("that a removal was withheld from somebody")
    func removal() throws {
        let swarm = try Swarm.joined(3, seed: 1)
        let photo = try swarm.add(by: swarm.nodes[0])[0]
        try swarm.settle()
        swarm.sabotage = .withholdsRemovals
        try swarm.remove(photo, by: swarm.nodes[0])
        try swarm.drive(milliseconds: 60_000)
        #expect(invariants(of: swarm).isSuperset(of: [.equalSets, .equalStates]))
    }

    @Test("that somebody took a forged operation for genuine")
    func forgery() throws {
        let swarm = try Swarm.joined(3, seed: 2)
        let (host, forger) = (swarm.nodes[0], swarm.nodes[1])
        // Every operation that the forger passes on bears another one's signature, and the last node is told it is
        // fine.
        swarm.cut(host, swarm.nodes[2])
        swarm.sabotage = .acceptsForgery
        forger.storage.alterLoad = { operations in
            operations.map { operation in
                VerifiedOperation(
                    id: operation.id, header: operation.header, signature: swarm.founding.operations[0].signature,
                    body: operation.body, content: operation.content)
            }
        }
        swarm.cut(host, forger)
        try swarm.add(3, by: forger)
        swarm.crash(swarm.nodes[2])
        try swarm.add(1, by: forger)
        swarm.start(swarm.nodes[2])
        try swarm.drive("the forged one") { swarm.nodes[2].sets == forger.sets }
        #expect(invariants(of: swarm).contains(.genuineOperations))
    }

    @Test("that chunks were noted which are not there")
    func lostChunks() throws {
        let swarm = try Swarm.joined(3, seed: 3)
        swarm.sabotage = .losesChunks
        try swarm.add(2, by: swarm.nodes[0])
        try swarm.drive { swarm.isComplete() }
        #expect(invariants(of: swarm) == [.genuineBlobs])
    }

    @Test("that operations of a removed member are taken for another's, even if all nodes make the same error")
    func voidOperation() throws {
        let swarm = try Swarm.joined(3, seed: 5)
        let outcast = swarm.addDishonestPeer(.outcast, milliseconds: 60_000)
        for node in swarm.nodes where node.isHonest { swarm.introduce(outcast, to: node) }
        try swarm.drive(milliseconds: 10_000)
        swarm.rule(.revoke(.participant, of: outcast.device.bytes32), by: swarm.nodes[0])
        swarm.sabotage = .replaysVoid
        try swarm.drive(milliseconds: 40_000)
        let found = invariants(of: swarm)
        #expect(found.isSuperset(of: [.noVoidOperation, .asRuled]))
        #expect(found.isDisjoint(with: [.equalSets, .equalStates]))
    }

    @Test("that a ruling was withheld from somebody, who goes on showing what is void")
    func ruling() throws {
        let swarm = try Swarm.joined(4, seed: 6)
        let unwanted = swarm.nodes[1]
        swarm.partition([swarm.nodes[0], swarm.nodes[2]])
        try swarm.add(by: unwanted)
        try swarm.drive(milliseconds: 5_000)
        swarm.sabotage = .withholdsRulings
        swarm.rule(.revoke(.participant, of: unwanted.device.bytes32), by: swarm.nodes[0])
        swarm.healAll()
        try swarm.drive(milliseconds: 60_000)
        let some = [swarm.nodes[0], swarm.nodes[2], swarm.nodes[3]]
        #expect(
            Set(swarm.violations(some).map(\.invariant)).isSuperset(of: [.equalSets, .equalStates, .noVoidOperation]))
    }

    @Test("that a blob never came although others have it")
    func missingBlob() throws {
        let swarm = try Swarm.joined(3, seed: 4)
        for node in swarm.nodes.dropLast() { node.storage.answerRead = { _, _ in .notHere } }
        try swarm.add(2, by: swarm.nodes[0])
        try swarm.drive(milliseconds: 30_000)
        #expect(invariants(of: swarm) == [.everythingArrives])
    }
}
