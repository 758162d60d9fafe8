// SPDX-License-Identifier: Apache-2.0

/// A set of offsets in a file, stored as ranges.
struct ByteRanges {
    /// In the order of insertion.
    private var ranges: [Range<Int>] = []

    var isEmpty: Bool { ranges.isEmpty }

    mutating func insert(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }

    /// Returns the parts of `wholes` that are not in the set, in ascending order. Takes time for sorting, not for each
    /// pair.
    func gaps(in wholes: [Range<Int>]) -> [Range<Int>] {
        let taken = ranges.sorted { $0.lowerBound < $1.lowerBound }
        var gaps: [Range<Int>] = []
        var index = 0
        // The end of all ranges before `index`.
        var start = 0
        for whole in wholes.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            start = max(start, whole.lowerBound)
            while index < taken.count, taken[index].lowerBound < whole.upperBound {
                if taken[index].lowerBound > start { gaps.append(start..<taken[index].lowerBound) }
                start = max(start, taken[index].upperBound)
                index += 1
            }
            if start < whole.upperBound { gaps.append(start..<whole.upperBound) }
        }
        return gaps
    }
}
