// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableSystem
internal import Glibc

/// An imported blob, sealed and written, but not yet part of the store: `BlobStore.commit` adds it. One that is dropped
/// leaves nothing behind.
public final class PreparedBlob: Sendable {
    public let reference: BlobReference
    public let blobClass: BlobClass
    /// SHA-256 of the plaintext, as `sha256sum` prints it.
    public let sha256: Bytes32
    let chunkHashes: [Bytes32]
    /// `VerifiedChunks.checksum` of each chunk.
    let checksums: [UInt64]
    let contents: Contents

    enum Contents {
        case bytes([UInt8])
        case file(TemporaryFile)
    }

    init(
        reference: BlobReference, blobClass: BlobClass, sha256: Bytes32, chunkHashes: [Bytes32], checksums: [UInt64],
        contents: Contents
    ) {
        self.reference = reference
        self.blobClass = blobClass
        self.sha256 = sha256
        self.chunkHashes = chunkHashes
        self.checksums = checksums
        self.contents = contents
    }
}

/// A file under a random name that is removed with the last reference, unless it was renamed.
final class TemporaryFile: Sendable {
    let file: StoreFile

    init(in folder: String) throws(StoreError) {
        file = try StoreFile("\(folder)/\([UInt8].random(count: 16).hex)", flags: O_RDWR | O_CREAT | O_EXCL)
    }

    deinit { unlink(file.path) }
}
