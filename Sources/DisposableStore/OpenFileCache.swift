// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel

/// The most recently used files of blobs, kept open: at most `capacity`, so that descriptors do not run out.
struct OpenFileCache {
    private let capacity: Int
    private var files: [BlobRoot: (file: OpenFile, lastUse: UInt64)] = [:]
    private var useCount: UInt64 = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Returns the blob's open file, opened by `open` if necessary.
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

    /// Drops the blob's file; call it when another file gets the blob's name.
    mutating func forget(_ root: BlobRoot) { files[root] = nil }
}
