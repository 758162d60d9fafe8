// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableSystem

/// Plaintext for people at this node.
extension BlobStore {
    /// Returns the bytes of a thumbnail or a preview.
    ///
    /// Throws `StoreError.incomplete`, `.damaged`, `.unreadable`, and `.blobByteCount` above a preview's size.
    public func plaintext(of reference: BlobReference) throws(StoreError) -> [UInt8] {
        let limit = BlobClass.preview.byteCountMax
        guard reference.byteCount <= limit else { throw .blobByteCount(reference.byteCount, limit: limit) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(reference.byteCount))
        for chunk in 0..<reference.layout.chunkCount { bytes += try openChunk(chunk, of: reference) }
        return bytes
    }

    /// Returns a part of any blob, from the chunks that hold it.
    ///
    /// Throws the same errors as `plaintext(of:)`. A range beyond the blob ends at its end.
    public func plaintext(of reference: BlobReference, range: Range<UInt64>) throws(StoreError) -> [UInt8] {
        let range = range.clamped(to: 0..<reference.byteCount)
        guard !range.isEmpty else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(range.count))
        let log = UInt64(reference.chunkLog2)
        for index in Int(range.lowerBound >> log)...Int((range.upperBound - 1) >> log) {
            let whole = reference.layout.plaintextRange(ofChunk: index)
            let part = whole.clamped(to: range)
            let chunk = try openChunk(index, of: reference)
            bytes += chunk[Int(part.lowerBound - whole.lowerBound)..<Int(part.upperBound - whole.lowerBound)]
        }
        return bytes
    }

    /// Writes the blob's bytes to a file that the caller has opened, from its start, each chunk once it is verified.
    ///
    /// Throws the same errors as `plaintext(of:)`; the file then holds the chunks before the error.
    /// - Parameter path: the file's path, for messages. The caller synchronizes and closes the descriptor.
    public func copyPlaintext(
        of reference: BlobReference, toDescriptor descriptor: Int32, path: String
    ) throws(StoreError) {
        for chunk in 0..<reference.layout.chunkCount {
            let plaintext = try openChunk(chunk, of: reference)
            try StoreFile.write(
                plaintext.span, at: reference.layout.plaintextRange(ofChunk: chunk).lowerBound, descriptor: descriptor,
                path: path)
        }
    }

    private func openChunk(_ index: Int, of reference: BlobReference) throws(StoreError) -> [UInt8] {
        // Sealed until the reveal.
        guard let key = reference.key else { throw .unreadable(reference.root) }
        let ciphertext: [UInt8]
        do throws(StoreError) {
            ciphertext = try chunk(index, of: reference.root)
        } catch .notHere {
            throw .incomplete(reference.root)
        }
        do {
            return try BlobSealing.openChunk(
                ciphertext.span, index: index, isLast: index == reference.layout.chunkCount - 1, key: key)
        } catch {
            throw .unreadable(reference.root)  // the bytes are the blob's: their hash has been checked
        }
    }
}
