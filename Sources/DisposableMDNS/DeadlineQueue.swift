// SPDX-License-Identifier: Apache-2.0

/// Keys by their deadlines, one each: a binary heap with the index of each key, so that a deadline can be changed in
/// logarithmic time without leaving stale entries.
struct DeadlineQueue<Key: Hashable & Sendable>: Sendable {
    private var heap: [(key: Key, deadline: UInt64)] = []
    private var places: [Key: Int] = [:]

    var count: Int { heap.count }
    var first: (key: Key, deadline: UInt64)? { heap.first }

    /// Sets a deadline; `nil` removes it.
    mutating func set(_ key: Key, to deadline: UInt64?) {
        if let place = places[key] {
            guard let deadline else { return remove(at: place) }
            heap[place].deadline = deadline
            rise(from: place)
            sink(from: place)
        } else if let deadline {
            heap.append((key, deadline))
            places[key] = heap.count - 1
            rise(from: heap.count - 1)
        }
    }

    /// Removes and returns the earliest key whose deadline has passed.
    mutating func takeDue(at now: UInt64) -> Key? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        remove(at: 0)
        return first.key
    }

    private mutating func remove(at place: Int) {
        places[heap[place].key] = nil
        let last = heap.removeLast()
        guard place < heap.count else { return }
        heap[place] = last
        places[last.key] = place
        rise(from: place)
        sink(from: place)
    }

    private mutating func swap(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        places[heap[one].key] = one
        places[heap[other].key] = other
    }

    private mutating func rise(from start: Int) {
        var place = start
        while place > 0, heap[place].deadline < heap[(place - 1) / 2].deadline {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(from start: Int) {
        var place = start
        while 2 * place + 1 < heap.count {
            let left = 2 * place + 1
            let hasRight = left + 1 < heap.count
            let least = hasRight && heap[left + 1].deadline < heap[left].deadline ? left + 1 : left
            guard heap[least].deadline < heap[place].deadline else { return }
            swap(place, least)
            place = least
        }
    }
}
