// SPDX-License-Identifier: Apache-2.0

/// A set from which a member can be drawn at random: inserting, removing and drawing take constant time.
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

    /// The last member takes the place of the one removed.
    mutating func remove(_ element: Element) {
        guard let place = places.removeValue(forKey: element) else { return }
        let last = elements.removeLast()
        guard place < elements.count else { return }
        elements[place] = last
        places[last] = place
    }

    func element(using random: inout SplitMix64) -> Element? {
        elements.isEmpty ? nil : elements[Int.random(in: 0..<elements.count, using: &random)]
    }
}
