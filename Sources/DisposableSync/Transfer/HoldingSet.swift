// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import DisposableWire

/// The blobs that a peer holds: sequence numbers by device and class, as ascending ranges that neither touch nor
/// overlap.
///
/// A device that adds photos and originals in turn makes a range of each, so a member can make any number of them.
/// Beyond `exactRangesMax` a new range of a device is merged with its neighbour: the gap counts as held. That costs at
/// most a request that is refused, and mostly nothing, since the numbers in the gap describe no blobs of the class.
package struct HoldingSet: Equatable {
    private struct Key: Hashable {
        let device: DeviceID
        let blobClass: BlobClass
    }
    private var ranges: [Key: [Range<UInt32>]] = [:]
    package static let exactRangesMax = Limits.holdingRangesPerPeerMax / 2
    package var isExact: Bool { rangeCount < Self.exactRangesMax }

    /// The total number of ranges.
    package private(set) var rangeCount = 0

    package init() {}

    /// Inserts a range. O(log n) to find the index, plus moving the ranges behind it; blobs mostly arrive in order.
    /// - Returns: the parts of `new` that were not known.
    @discardableResult
    package mutating func insert(_ new: Range<UInt32>, device: DeviceID, blobClass: BlobClass) -> [Range<UInt32>] {
        let key = Key(device: device, blobClass: blobClass)
        let known = ranges[key, default: []]
        // Ranges that touch or overlap the new one are merged with it.
        var first = Self.firstIndex(of: known) { $0.upperBound >= new.lowerBound }
        var end = first
        var merged = new
        var gaps: [Range<UInt32>] = []
        var reached = new.lowerBound
        while end < known.count, known[end].lowerBound <= merged.upperBound {
            if reached < known[end].lowerBound { gaps.append(reached..<known[end].lowerBound) }
            reached = max(reached, known[end].upperBound)
            merged = min(known[end].lowerBound, merged.lowerBound)..<max(known[end].upperBound, merged.upperBound)
            end += 1
        }
        if reached < new.upperBound { gaps.append(reached..<new.upperBound) }
        if first == end, !isExact {
            if first > 0 {
                first -= 1
                merged = known[first].lowerBound..<merged.upperBound
            } else if end < known.count {
                merged = merged.lowerBound..<known[end].upperBound
                end += 1
            }
        }
        guard end != first + 1 || known[first] != merged else { return [] }
        rangeCount += 1 - (end - first)
        ranges[key, default: []].replaceSubrange(first..<end, with: CollectionOfOne(merged))
        return gaps
    }

    package func contains(_ sequence: UInt32, device: DeviceID, blobClass: BlobClass) -> Bool {
        guard let ranges = ranges[Key(device: device, blobClass: blobClass)] else { return false }
        let index = Self.firstIndex(of: ranges) { $0.upperBound > sequence }
        return index < ranges.count && ranges[index].contains(sequence)
    }

    private static func firstIndex(of ranges: [Range<UInt32>], where isReached: (Range<UInt32>) -> Bool) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if isReached(ranges[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
