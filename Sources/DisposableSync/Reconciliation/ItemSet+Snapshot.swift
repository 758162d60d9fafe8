// SPDX-License-Identifier: Apache-2.0

extension ItemSet {
    /// The items of a set at one moment, sorted and distinct; a value that many sessions share without copying it.
    ///
    /// It also stores the sums of the ids before every 256th item. The fingerprint of any range is then a difference of
    /// two sums, and a round of reconciliation does not have to add up the whole set again.
    public struct Snapshot: Sendable {
        static let blockItemCount = 256

        public private(set) var items: [Item] = []
        /// At index b the sum of the first b * 256 ids; as many as there are such b.
        private var blockSums: [Accumulator] = [.zero]

        public init() {}

        public var count: Int { items.count }

        /// The fingerprint of all items.
        public var fingerprint: Fingerprint { fingerprint(of: 0..<count) }

        public func contains(_ item: Item) -> Bool {
            let index = index(of: item)
            return index < count && items[index] == item
        }

        /// Returns the index of `item`, or its insertion index; O(log count).
        func index(of item: Item) -> Int {
            firstIndex(from: 0) { $0 >= item }
        }

        /// Returns the index of the first item, not before `start`, that is at or above `bound`; O(log count).
        func index(of bound: Bound, from start: Int) -> Int {
            firstIndex(from: start) { !bound.isAbove($0) }
        }

        private func firstIndex(from start: Int, where isReached: (Item) -> Bool) -> Int {
            var lower = start
            var upper = count
            while lower < upper {
                let middle = lower + (upper - lower) / 2
                if isReached(items[middle]) { upper = middle } else { lower = middle + 1 }
            }
            return lower
        }

        /// Returns the fingerprint of the items at `indices`; adds at most 2 * 255 ids.
        func fingerprint(of indices: Range<Int>) -> Fingerprint {
            var difference = sum(before: indices.upperBound)
            difference.subtract(sum(before: indices.lowerBound))
            return difference.fingerprint(itemCount: indices.count)
        }

        /// Returns the sum of the ids of the first `index` items.
        func sum(before index: Int) -> Accumulator {
            let block = index / Self.blockItemCount
            var sum = blockSums[block]
            for item in items[(block * Self.blockItemCount)..<index] { sum.add(item.id) }
            return sum
        }

        /// Replaces all items from `start` on by `tail`; together they must be sorted and distinct.
        mutating func replaceItems(from start: Int, with tail: [Item]) {
            items.removeSubrange(start...)
            items += tail
            blockSums.removeSubrange((start / Self.blockItemCount + 1)...)
            while blockSums.count <= count / Self.blockItemCount {
                let end = blockSums.count * Self.blockItemCount
                var sum = blockSums[blockSums.count - 1]
                for item in items[(end - Self.blockItemCount)..<end] { sum.add(item.id) }
                blockSums.append(sum)
            }
        }
    }
}
