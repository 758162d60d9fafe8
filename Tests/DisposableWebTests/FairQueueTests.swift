// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Testing

@Suite struct FairQueueTests {
    /// Removes and returns all elements in their order.
    private func drained(_ queue: FairQueue<String, Int>) -> [Int] {
        var queue = queue
        var elements: [Int] = []
        while let (_, element) = queue.popFirst(where: { _ in true }) { elements.append(element) }
        return elements
    }

    @Test("owners take turns, each with its oldest element, however many elements one of them has")
    func turns() {
        var queue = FairQueue<String, Int>()
        for number in 1...27 { queue.append(number, of: "busy") }
        queue.append(100, of: "second")
        queue.append(200, of: "third")
        queue.append(101, of: "second")
        #expect(queue.count(of: "busy") == 27 && queue.count(of: "nobody") == 0)
        #expect(drained(queue) == [1, 100, 200, 2, 101] + Array(3...27))
    }

    @Test("an owner that is skipped keeps its turn")
    func passedOver() {
        var queue = FairQueue<String, Int>()
        queue.append(1, of: "first")
        queue.append(2, of: "second")
        queue.append(3, of: "second")
        #expect(queue.popFirst { $0 != "first" }?.element == 2)
        #expect(queue.popFirst { _ in false } == nil)
        #expect(drained(queue) == [1, 3])
        #expect(!queue.isEmpty)
    }

    @Test("an owner with no element left starts behind the others")
    func comesBack() {
        var queue = FairQueue<String, Int>()
        queue.append(1, of: "first")
        queue.append(2, of: "second")
        #expect(queue.popFirst { _ in true }?.element == 1)
        queue.append(3, of: "first")
        #expect(drained(queue) == [2, 3])
    }
}
