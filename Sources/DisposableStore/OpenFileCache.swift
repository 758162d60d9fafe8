// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWire

/// The most recently used files of blobs, kept open: at most `capacity`, so that descriptors do not run out.
struct OpenFileCache {
    /// A complete blob as the database describes it.
    struct Complete {
        let layout: ChunkLayout
        let chunkHashes: [Bytes32]
    }

    private struct Entry {
        let file: StoreFile
        var lastUse: UInt64
        var complete: Complete?
    }

    private let capacity: Int
    private var files: [BlobRoot: Entry] = [:]
    private var useCount: UInt64 = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Returns the blob's open file, opened by `open` if necessary.
    mutating func file(
        of root: BlobRoot, open: () throws(StoreError) -> StoreFile
    ) throws(StoreError) -> StoreFile {
        let file = if let known = files[root]?.file { known } else { try open() }
        useCount += 1
        files[root] = Entry(file: file, lastUse: useCount, complete: files[root]?.complete)
        if files.count > capacity, let oldest = files.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            files[oldest.key] = nil
        }
        return file
    }

    /// Returns the noted description of a blob whose file is open.
    func complete(_ root: BlobRoot) -> Complete? { files[root]?.complete }

    /// Notes the description of a blob, as long as its file is kept open.
    mutating func note(_ complete: Complete, of root: BlobRoot) { files[root]?.complete = complete }

    /// Drops the blob's file and description; call it when another file gets the blob's name, or its row
    /// changes.
    mutating func forget(_ root: BlobRoot) { files[root] = nil }
}
