// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableSync
import Testing

@Suite struct ReconciliationTests {
    /// The distribution of the timestamps of a random set.
    enum Spread: UInt64, CaseIterable, Sendable {
        case oneTimestamp = 1
        case clustered = 5
        case oneDay = 86_400_000
    }

    @Test(
        "the initiator learns the differences of both sides exactly, whatever the frame limit",
        arguments: [0, 4096, 32768], UInt64(0)..<16)
    func symmetricDifference(frameSizeLimit: Int, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let spread = Spread.allCases.randomElement(using: &random)!
        func items(upTo countMax: Int) -> [Item] {
            random.items(
                count: Int.random(in: 0...countMax, using: &random), timestampStart: 1_700_000_000_000,
                timestampSpan: spread.rawValue)
        }
        let shared = items(upTo: 2000)
        let differenceCountMax = [0, 10, 1000].randomElement(using: &random)!
        let first = items(upTo: differenceCountMax)
        let second = items(upTo: differenceCountMax)

        let exchange = try Exchange(
            shared + first, shared + second, initiatorLimit: frameSizeLimit, responderLimit: frameSizeLimit,
            roundCountMax: 500)
        #expect(exchange.isDone)
        #expect(exchange.have == Set(first.map(\.id)))
        #expect(exchange.need == Set(second.map(\.id)))
        if frameSizeLimit > 0 { #expect(exchange.messages.allSatisfy { $0.count <= frameSizeLimit }) }
    }

    @Test("all pairs of subsets of five items are told apart")
    func allSmallSets() throws {
        let items = (0..<5).map { Item(timestamp: UInt64($0 / 2), id: BLAKE2b.hash([UInt8($0)])) }
        func subset(_ bits: Int) -> [Item] { items.indices.filter { bits >> $0 & 1 == 1 }.map { items[$0] } }
        for first in 0..<32 {
            for second in 0..<32 {
                let exchange = try Exchange(subset(first), subset(second))
                #expect(exchange.have == Set(subset(first & ~second).map(\.id)), "\(first) and \(second)")
                #expect(exchange.need == Set(subset(second & ~first).map(\.id)), "\(first) and \(second)")
                #expect(exchange.roundCount == 1)
            }
        }
    }

    @Test("equal sets take one round, and the answer is the version alone")
    func equalSets() throws {
        var random = SplitMix64(seed: 7)
        let items = random.items(count: 10_000, timestampStart: 0, timestampSpan: 1_000_000)
        let exchange = try Exchange(items, items, initiatorLimit: 32768, responderLimit: 32768)
        #expect(exchange.isDone)
        #expect(exchange.messages.count == 2)
        #expect(exchange.messages[1] == [0x61])
    }

    @Test("nothing against many gives all of them, in messages below the limit")
    func nothingAgainstMany() throws {
        var random = SplitMix64(seed: 8)
        let items = random.items(count: 3000, timestampStart: 0, timestampSpan: 1_000_000)
        let exchange = try Exchange([], items, responderLimit: 4096)
        #expect(exchange.isDone)
        #expect(exchange.need == Set(items.map(\.id)))
        #expect(exchange.messages.allSatisfy { $0.count <= 4096 })
    }

    @Test("an id that the responder lists twice is needed once")
    func idListedTwice() throws {
        let initiator = ReconciliationInitiator(items: ItemSet.Snapshot(), frameSizeLimit: 0)
        let id = BLAKE2b.hash([1])
        let step = try initiator.reconcile([0x61, 0, 0, 2, 2] + id.bytes + id.bytes)
        #expect(step.have == [])
        #expect(step.need == [id])
        #expect(step.next == .done)
    }
}
