// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Authoring: one command at a time") struct AuthoringTests {
    private var chain = TestChain()

    @Test("the next command waits until the present one is stored, in parts that fit into a message")
    func parts() throws {
        var chain = chain
        var authoring = Authoring(of: chain.device, eventKey: chain.device)
        #expect(authoring.isIdle)
        authoring.append(.name(body: []), by: nil, Ticket(1))
        authoring.append(.leave, by: nil, Ticket(2))
        let first = authoring.next(at: 0)
        #expect(first?.ticket == Ticket(1))
        let operations = try chain.sign(Limits.operationsPerMessageMax + 1)
        let part = authoring.begin(operations, of: Ticket(1), isCharged: true, at: 0)
        #expect(part.count == Limits.operationsPerMessageMax)
        let blocked = authoring.next(at: 0)
        #expect(blocked == nil && authoring.isStoring)
        #expect(authoring.part(of: Ticket(2)) == nil)
        #expect(authoring.part(of: Ticket(1))?.count == part.count)
        var step = authoring.advance()
        #expect(step == .store([operations.last!]))
        step = authoring.advance()
        #expect(step == .finished(operations.map(\.id)))
        let second = authoring.next(at: 0)
        #expect(second?.ticket == Ticket(2))
        #expect(authoring.isIdle)
    }

    @Test("a node that has signed a burst waits until others accept more")
    func rate() throws {
        var chain = chain
        var authoring = Authoring(of: chain.device, eventKey: chain.device)
        authoring.append(.leave, by: nil, Ticket(2))
        let operations = try chain.sign(Limits.operationsBurstMax + Limits.operationsPerSecond)
        _ = authoring.begin(operations, of: Ticket(1), isCharged: true, at: 1_000)
        #expect(authoring.nextDeadline == nil)
        authoring.fail()
        let early = authoring.next(at: 1_999)
        #expect(early == nil)
        #expect(authoring.nextDeadline == 2_000)
        let due = authoring.next(at: 2_000)
        #expect(due?.ticket == Ticket(2))
    }

    @Test("an author's annotations have a rate of their own")
    func remarks() throws {
        let chain = chain
        var authoring = Authoring(of: chain.device, eventKey: chain.device)
        let (author, other) = (AuthorID(TestChain(seed: 2).device), AuthorID(TestChain(seed: 3).device))
        for _ in 0..<Limits.remarksBurstMax { try authoring.spendRemark(by: author, at: 0) }
        #expect(throws: Refusal.tooFast(seconds: 1 / Limits.remarksPerSecond)) {
            try authoring.spendRemark(by: author, at: 0)
        }
        try authoring.spendRemark(by: other, at: 0)
        try authoring.spendRemark(by: author, at: 1_000)
    }

    @Test("all authors are checked for lost frames first, then those that others' claims concern")
    func lostFrames() throws {
        var (frames, chain, stranger) = (LostFrames(), chain, TestChain(seed: 2))
        let membership = Membership(eventKey: chain.key.verifyingKey)
        let (own, other) = (AuthorID(chain.device), AuthorID(stranger.device))
        var taken = frames.take(from: [own, other])
        #expect(taken == [own, other].sorted())
        #expect(frames.isEmpty)
        let claim = try chain.sign(.claim)
        frames.follow([claim], areForeign: false, membership)
        #expect(frames.isEmpty)
        frames.follow([claim], areForeign: true, membership)
        taken = frames.take(from: [own, other])
        #expect(taken == [own])
        // A device without a rank can sign such operations without end, and changes no quota.
        frames.follow([try stranger.sign(.frames)], areForeign: true, membership)
        #expect(frames.isEmpty)
        frames.follow([try chain.sign(.frames)], areForeign: false, membership)
        taken = frames.take(from: [own, other])
        #expect(taken.count == 2)
    }
}
