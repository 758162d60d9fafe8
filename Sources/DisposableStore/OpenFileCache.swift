// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel

/// The files of the blobs used last, kept open: at most `capacity`, so that descriptors do not run out.
struct OpenFileCache {
    private let capacity: Int
    private var files: [BlobRoot: (file: OpenFile, lastUse: UInt64)] = [:]
    private var useCount: UInt64 = 0

    init(capacity: Int) { self.capacity = capacity }

    /// The blob's open file, by `open` where there is none yet.
    mutating func file(
        of root: BlobRoot, open: () throws(StoreError) -> OpenFile
    ) throws(StoreError) -> OpenFile {
        let file = if let known = files[root]?.file { known } else { try open() }
        useCount += 1
        files[root] = (file, useCount)
        if files.count > capacity, let oldest = files.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            files[oldest.key] = nil
        }
        return file
    }

    /// To be called when the blob's name comes to stand for another file.
    mutating func forget(_ root: BlobRoot) { files[root] = nil }
}
