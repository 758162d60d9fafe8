// SPDX-License-Identifier: Apache-2.0

/// The bytes of the media data of an ISO base media file that are pictures and sound to keep.
///
/// All other media data become zeros. This covers the samples of metadata tracks, wherever a sample table or a fragment
/// places them, and data without a reference.
struct MediaLayout {
    /// A film of three hours with a chunk for each frame has fewer.
    private static let runCountMax = 2_000_000

    /// The base of the offsets in the file's tables: the file, or a film inside a photo.
    let file: Range<Int>
    /// Payloads of the media data boxes.
    var media: [Range<Int>] = []
    private var shown = ByteRanges()
    /// The start of each run of samples, kept or not.
    private var starts: [Int] = []
    /// Starts of kept runs without a certain length.
    private var openStarts: [Int] = []

    init(file: Range<Int>) { self.file = file }

    /// Keeps `range` of the file.
    mutating func show(_ range: Range<Int>) { shown.insert(range) }

    /// Records a run of `count` bytes at `offset`, which counts from the start of the file. Nil for `count`: the run is
    /// kept up to the next one. Throws `malformed` for a run outside the file.
    mutating func addRun(at offset: Int, count: Int?, isShown: Bool) throws(ScrubFailure) {
        guard offset >= 0, offset <= file.count, (count ?? 0) >= 0, (count ?? 0) <= file.count - offset else {
            throw .malformed
        }
        guard starts.count < Self.runCountMax else { throw .malformed }
        let start = file.lowerBound + offset
        starts.append(start)
        guard isShown else { return }
        if let count { shown.insert(start..<(start + count)) } else { openStarts.append(start) }
    }

    /// Zeros all media data that are not kept. Throws `malformed` if nothing would be kept: then the description of the
    /// file is not understood.
    mutating func blankTheRest(in region: inout FileRegion) throws(ScrubFailure) {
        starts.sort()
        for start in openStarts {
            let end = starts[firstIndex(after: start)...].first ?? file.upperBound
            shown.insert(start..<end)
        }
        if shown.isEmpty {
            for range in media where try region.firstOffset(ofOtherThan: 0, in: range) != nil { throw .malformed }
        }
        for gap in shown.gaps(in: media) { try region.fill(gap, as: .timedMetadata) }
    }

    /// Returns the index of the first start after `offset`.
    private func firstIndex(after offset: Int) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
