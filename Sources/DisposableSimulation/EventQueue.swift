// SPDX-License-Identifier: Apache-2.0

/// The future events, earliest first; events at one time in the order in which they were scheduled.
///
/// A binary heap of small keys; the values stay in place while keys move.
struct EventQueue<Value> {
    private struct Key {
        let time: UInt64
        let sequence: UInt64
        let place: Int

        static func < (left: Self, right: Self) -> Bool {
            left.time != right.time ? left.time < right.time : left.sequence < right.sequence
        }
    }

    private var heap: [Key] = []
    private var values: [Value?] = []
    private var free: [Int] = []
    private var sequence: UInt64 = 0

    var count: Int { heap.count }
    var nextTime: UInt64? { heap.first?.time }

    mutating func insert(_ value: Value, at time: UInt64) {
        sequence += 1
        let place: Int
        if let last = free.popLast() {
            place = last
            values[place] = value
        } else {
            place = values.count
            values.append(value)
        }
        heap.append(Key(time: time, sequence: sequence, place: place))
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns the next value whose time is not after `time`.
    mutating func popFirst(dueAt time: UInt64) -> Value? {
        guard let first = heap.first, first.time <= time else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            let (left, right) = (2 * parent + 1, 2 * parent + 2)
            if left < heap.count, heap[left] < heap[least] { least = left }
            if right < heap.count, heap[right] < heap[least] { least = right }
            if least == parent { break }
            heap.swapAt(parent, least)
            parent = least
        }
        let value = values[first.place].take()
        free.append(first.place)
        return value
    }

    /// Removes and returns all values in order.
    mutating func removeAll() -> [Value] {
        var all: [Value] = []
        while let value = popFirst(dueAt: .max) { all.append(value) }
        return all
    }
}
