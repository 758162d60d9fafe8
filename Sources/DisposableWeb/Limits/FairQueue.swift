// SPDX-License-Identifier: Apache-2.0

/// A queue in which owners take turns: an owner with many elements delays others by one element per turn.
package struct FairQueue<Owner: Hashable & Sendable, Element: Sendable>: Sendable {
    /// Each owner's elements, first in first out. No owner has an empty list.
    private var elements: [Owner: [Element]] = [:]
    /// The owners that have elements; the first has the next turn.
    private var turns: [Owner] = []

    package init() {}

    package private(set) var count = 0
    package var isEmpty: Bool { turns.isEmpty }
    package func count(of owner: Owner) -> Int { elements[owner]?.count ?? 0 }

    package mutating func append(_ element: Element, of owner: Owner) {
        if elements[owner] == nil { turns.append(owner) }
        elements[owner, default: []].append(element)
        count += 1
    }

    /// Removes and returns the first element of the next owner that `mayHaveTurn` permits, and moves that owner behind
    /// all others. Skipped owners keep their positions. Nil if there is none.
    package mutating func popFirst(where mayHaveTurn: (Owner) -> Bool) -> (owner: Owner, element: Element)? {
        guard let index = turns.firstIndex(where: mayHaveTurn) else { return nil }
        let owner = turns.remove(at: index)
        let element = elements[owner]!.removeFirst()
        count -= 1
        if elements[owner]!.isEmpty { elements[owner] = nil } else { turns.append(owner) }
        return (owner, element)
    }
}
