// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Inventories: bounds, order and the own one") struct InventoryTests {
    private let own = TestChain(seed: 1)
    private let event = TestChain(seed: 1).event
    private let instance = [UInt8](repeating: 7, count: 16)

    private func register(_ chain: TestChain, counter: UInt64 = 1, instance: UInt8 = 9) -> Register {
        Register(
            .init(
                device: chain.device, instance: [UInt8](repeating: instance, count: 16), counter: counter,
                originals: [], destroyed: []), of: event, key: chain.key)
    }

    private func instant(_ milliseconds: UInt64) -> Instant {
        Instant(milliseconds: milliseconds, wallClockMilliseconds: milliseconds)
    }

    @Test("the newest inventory of a device is kept; an older one, and one too many, are ignored")
    func newest() {
        var inventories = Inventories(of: own.device, instance: instance)
        let other = TestChain(seed: 2)
        for counter in 1...UInt64(Limits.registersBurstMax) + 1 {
            let reception = inventories.receive(register(other, counter: counter), of: event, at: instant(0)) { $0 }
            guard case .kept(let heard) = reception else {
                Issue.record("\(counter): \(reception)")
                continue
            }
            #expect(heard.register.claims.counter == counter)
        }
        let older = inventories.receive(register(other, counter: 2), of: event, at: instant(100_000)) { $0 }
        #expect(older == .ignored)
        let early = inventories.receive(register(other, counter: 100), of: event, at: instant(0)) { $0 }
        #expect(early == .ignored)
        let forged = inventories.receive(
            register(other, counter: 100), of: TestChain(seed: 5).event, at: instant(100_000)
        ) { $0 }
        #expect(forged == .malformed)
    }

    @Test("at the limit the largest sponsor tree loses its oldest, and its newcomers get no place")
    func bound() {
        var inventories = Inventories(of: own.device, instance: instance)
        let chains = (0..<UInt64(Limits.registersMax)).map { TestChain(seed: 10 + $0) }
        let single = TestChain(seed: 2)
        let root: (DeviceID) -> DeviceID = { $0 == single.device ? $0 : chains[0].device }
        for (index, chain) in chains.enumerated() {
            _ = inventories.receive(register(chain), of: event, at: instant(UInt64(index)), root: root)
        }
        #expect(inventories.otherCount == Limits.registersMax)
        let more = inventories.receive(register(TestChain(seed: 3)), of: event, at: instant(1_000), root: root)
        var dropped = inventories.takeDropped()
        #expect(more == .ignored && dropped.isEmpty)
        let reception = inventories.receive(register(single), of: event, at: instant(1_000), root: root)
        #expect(reception != .ignored)
        dropped = inventories.takeDropped()
        #expect(dropped == [chains[0].device])
        #expect(inventories.otherCount == Limits.registersMax)
        inventories.removeOthers { $0 == single.device }
        dropped = inventories.takeDropped()
        #expect(inventories[single.device] == nil && dropped == [single.device])
    }

    @Test("an inventory is signed when the claims differ, and again after another process has used the key")
    func signer() throws {
        var signer = InventorySigner(instance: instance)
        signer.request(nodeCount: 1, at: 0)
        #expect(signer.nextDeadline == 1_000)
        let signed = signer.sign(originals: [], destroyed: [], last: nil, of: event, with: own.key, Ticket(1))
        let first = try #require(signed?.register)
        #expect(first.claims.counter == 1 && first.isValid(for: event))
        // One at a time.
        signer.request(nodeCount: 1, at: 500)
        #expect(signer.nextDeadline == nil)
        let foreignTicket = signer.stored(Ticket(2), at: 2_000)
        #expect(foreignTicket == nil)
        let stored = signer.stored(Ticket(1), at: 2_000)
        #expect(stored == first)
        signer.request(nodeCount: 3 * Limits.meshNodesMax, at: 2_000)
        #expect(signer.nextDeadline == 2_000 + 3 * UInt64(Limits.registerMilliseconds))
        let same = signer.sign(
            originals: [], destroyed: [], last: first, of: event, with: own.key, Ticket(3))
        #expect(same == nil)
        let foreign = register(own, counter: 8)
        #expect(signer.answers(foreign))
        signer.answer(foreign)
        #expect(!signer.answers(foreign))
        let next = signer.sign(originals: [], destroyed: [], last: foreign, of: event, with: own.key, Ticket(4))
        let answer = try #require(next?.register)
        #expect(answer.claims.counter == 9)
        #expect(!signer.answers(answer))
    }

    @Test("the last counter has no successor")
    func lastCounter() {
        var signer = InventorySigner(instance: instance)
        let last = register(own, counter: .max)
        signer.answer(last)
        let next = signer.sign(originals: [], destroyed: [], last: last, of: event, with: own.key, Ticket(1))
        #expect(next == nil)
    }
}
