// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The set that two nodes reconcile: a timestamp and an id for every operation, in order.
///
/// Most of the set is one sorted array of 40-byte items. Recent insertions and removals wait unsorted beside it; they
/// are merged in when the order is needed (`snapshot()`), or when they have grown to a fixed share of the set, so that
/// insertion costs O(log count) amortised, in any order of arrival. Merging touches the array from the oldest change
/// on, which for live operations is its end.
///
/// `fingerprint` is updated by addition and subtraction: two sets are compared without reading their items.
public struct ItemSet: Sendable {
    /// An operation for reconciliation. Order is by timestamp, then by id (negentropy V1, "Preparation").
    public struct Item: Hashable, Comparable, Sendable {
        /// Milliseconds since 1970 UTC by the author's clock; below `UInt64.max`, which means infinity in a bound.
        public let timestamp: UInt64
        public let id: Bytes32

        public init(timestamp: UInt64, id: Bytes32) {
            precondition(timestamp < .max, "the timestamp \(UInt64.max) is reserved for infinity")
            self.timestamp = timestamp
            self.id = id
        }

        public static func < (left: Self, right: Self) -> Bool {
            left.timestamp != right.timestamp ? left.timestamp < right.timestamp : left.id < right.id
        }
    }

    /// Changes wait until there are this many of them,
    static let waitingCountMin = 1024
    /// or one for so many items of the set, whichever is more.
    static let itemCountPerWaiting = 16

    private var merged = Snapshot()
    private var added: Set<Item> = []  // not in `merged`
    private var removed: Set<Item> = []  // in `merged`
    private var sum = Accumulator.zero

    public init() {}

    /// Creates the set of `items`, which may hold duplicates; O(n) if they are sorted already, otherwise O(n log n).
    public init(_ items: some Sequence<Item>) {
        var sorted = Array(items)  // sorted as an array, whose sort is specialised for items
        sorted.sort()
        var distinct: [Item] = []
        distinct.reserveCapacity(sorted.count)
        for item in sorted where item != distinct.last { distinct.append(item) }
        merged.replaceItems(from: 0, with: distinct)
        sum = merged.sum(before: merged.count)
    }

    public var count: Int { merged.count + added.count - removed.count }

    /// The fingerprint of all items; O(1). Equal fingerprints mean equal sets, with the caveat at `Fingerprint`.
    public var fingerprint: Fingerprint { sum.fingerprint(itemCount: count) }

    /// Whether `item` is in the set; O(log count).
    public func contains(_ item: Item) -> Bool {
        added.contains(item) || (merged.contains(item) && !removed.contains(item))
    }

    /// Adds `item`; returns false if the set has it already.
    @discardableResult public mutating func insert(_ item: Item) -> Bool {
        guard !contains(item) else { return false }
        if removed.remove(item) == nil { added.insert(item) }
        sum.add(item.id)
        mergeIfManyWait()
        return true
    }

    /// Removes `item`; returns false if the set does not have it.
    @discardableResult public mutating func remove(_ item: Item) -> Bool {
        guard contains(item) else { return false }
        if added.remove(item) == nil { removed.insert(item) }
        sum.subtract(item.id)
        mergeIfManyWait()
        return true
    }

    /// Returns the present items, in order, for a session to use while this set continues to change.
    ///
    /// Snapshots of an unchanged set share one array. The first change merged while a snapshot lives copies that array.
    public mutating func snapshot() -> Snapshot {
        merge()
        return merged
    }

    private mutating func mergeIfManyWait() {
        let waitingCount = added.count + removed.count
        if waitingCount >= max(Self.waitingCountMin, merged.count / Self.itemCountPerWaiting) { merge() }
    }

    private mutating func merge() {
        let arrivals = added.sorted()
        let departures = removed.sorted()
        guard let oldest = [arrivals.first, departures.first].compactMap({ $0 }).min() else { return }
        let start = merged.index(of: oldest)
        var tail: [Item] = []
        tail.reserveCapacity(merged.count - start + arrivals.count - departures.count)
        var arrival = 0
        var departure = 0
        for item in merged.items[start...] {
            while arrival < arrivals.count, arrivals[arrival] < item {
                tail.append(arrivals[arrival])
                arrival += 1
            }
            if departure < departures.count, departures[departure] == item {
                departure += 1
            } else {
                tail.append(item)
            }
        }
        tail += arrivals[arrival...]
        merged.replaceItems(from: start, with: tail)
        added.removeAll()
        removed.removeAll()
    }
}
