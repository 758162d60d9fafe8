// SPDX-License-Identifier: Apache-2.0

/// Which bytes of the media data of an ISO base media file are pictures and sound that stay.
///
/// Everything else in the media data becomes zeros. This covers the samples of metadata tracks, wherever a sample table
/// or a fragment places them, and data that nothing refers to.
struct MediaLayout {
    /// A film of three hours with a chunk for each frame has fewer.
    private static let runCountMax = 2_000_000

    /// What the offsets in the file's tables count from: the file, or a film inside a photo.
    let file: Range<Int>
    /// Payloads of the media data boxes.
    var media: [Range<Int>] = []
    private var shown = ByteRanges()
    /// Where any run of samples starts, whether it stays or not.
    private var starts: [Int] = []
    /// Starts of runs that stay and have no certain length.
    private var openStarts: [Int] = []

    init(file: Range<Int>) { self.file = file }

    /// Keeps `range` of the file.
    mutating func show(_ range: Range<Int>) { shown.insert(range) }

    /// Notes a run of `count` bytes at `offset`, which counts from the start of the file. Nil for `count`: the run is
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

    /// Zeros all media data that do not stay. Throws `malformed` where nothing would stay: then the file is described in
    /// a way that is not understood here.
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

    /// The index of the first start behind `offset`.
    private func firstIndex(after offset: Int) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
