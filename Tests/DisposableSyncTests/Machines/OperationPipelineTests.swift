// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("The pipeline of received operations") struct OperationPipelineTests {
    private let first = ConnectionID(1)
    private let second = ConnectionID(2)

    @Test("an operation is in progress once, and all its senders are known at the end")
    func senders() throws {
        var (pipeline, chain) = (OperationPipeline(limits: UnitBudgets()), TestChain())
        let id = try chain.id()
        var isRepeated = pipeline.isRepeated(id, from: first)
        #expect(!isRepeated)
        pipeline.begin(id, from: first)
        pipeline.begin(id, from: second)
        isRepeated = pipeline.isRepeated(id, from: second)
        #expect(isRepeated)
        _ = pipeline.isRepeated(id, from: second)
        let senders = pipeline.end(id)
        #expect(senders == [first, second])
        #expect(pipeline.isEmpty && !pipeline.contains(id))
    }

    @Test("operations verified while a batch of their connection is stored are stored together afterwards")
    func batches() throws {
        var (pipeline, chain) = (OperationPipeline(limits: UnitBudgets()), TestChain())
        let operations = try chain.sign(Limits.operationsPerMessageMax + 3)
        let batchResult = pipeline.queue([operations[0]], from: first)
        let batch = try #require(batchResult)
        pipeline.store(batch, from: first, Ticket(1))
        for operation in operations.dropFirst() {
            let next = pipeline.queue([operation], from: first)
            #expect(next == nil)
        }
        let other = pipeline.queue([operations[0]], from: second)
        #expect(other != nil)
        let stored = pipeline.endStoring(Ticket(1))
        #expect(stored?.source == first && stored?.operations == batch)
        let repeated = pipeline.endStoring(Ticket(1))
        #expect(repeated == nil)
        let nextResult = pipeline.nextBatch(from: first)
        let next = try #require(nextResult)
        #expect(next == Array(operations[1...Limits.operationsPerMessageMax]))
        let lastResult = pipeline.nextBatch(from: first)
        let last = try #require(lastResult)
        #expect(last.count == 2)
        let none = pipeline.nextBatch(from: first)
        #expect(none == nil)
        let again = pipeline.queue([operations[0]], from: first)
        #expect(again != nil)
    }

    @Test("a result is used once")
    func verifying() throws {
        var (pipeline, chain) = (OperationPipeline(limits: UnitBudgets()), TestChain())
        let id = try chain.id()
        pipeline.verify([id], from: second, Ticket(9))
        let result = pipeline.endVerifying(Ticket(9))
        #expect(result?.ids == [id] && result?.source == second)
        let repeated = pipeline.endVerifying(Ticket(9))
        #expect(repeated == nil)
    }
}
