// SPDX-License-Identifier: Apache-2.0

/// A set with indexed members, to draw one at random: inserting, removing and drawing take constant time.
///
/// The order of its members follows from the calls alone, never from hashing, so that a seed replays every draw.
struct SampleSet<Element: Hashable> {
    private(set) var elements: [Element] = []
    private var places: [Element: Int] = [:]

    var isEmpty: Bool { elements.isEmpty }
    var count: Int { elements.count }
    func contains(_ element: Element) -> Bool { places[element] != nil }

    mutating func insert(_ element: Element) {
        guard places[element] == nil else { return }
        places[element] = elements.count
        elements.append(element)
    }

    /// Removes a member; the last member takes its index.
    mutating func remove(_ element: Element) {
        guard let place = places.removeValue(forKey: element) else { return }
        let last = elements.removeLast()
        guard place < elements.count else { return }
        elements[place] = last
        places[last] = place
    }
}
