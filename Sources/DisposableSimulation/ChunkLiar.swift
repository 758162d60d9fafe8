// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// A peer that claims to hold every blob. It answers no request for chunks, or sends wrong ones.
struct ChunkLiar {
    /// The lengths of blobs that others have described.
    private var byteCounts: [BlobID: UInt64] = [:]

    /// Returns the claim to hold the blobs of an operation, if it has any.
    mutating func claim(_ operation: UncheckedOperation) -> PeerMessage? {
        var classes: [BlobClass] = []
        func note(_ reference: BlobReference?, _ blobClass: BlobClass) {
            guard let reference else { return }
            byteCounts[reference.id] = reference.byteCount
            classes.append(blobClass)
        }
        switch operation.content {
        case .photo(let manifest):
            note(manifest.thumbnail, .thumbnail)
            note(manifest.preview, .preview)
        case .original(let manifest): note(manifest.original, .original)
        default: break
        }
        let sequence = operation.header.sequence
        let holdings = classes.map {
            Have.Holding(device: operation.header.device, blobClass: $0, sequences: [sequence..<sequence + 1])
        }
        return holdings.isEmpty ? nil : .have(Have(holdings: holdings))
    }

    /// Returns an answer of the right form and length with wrong content.
    func answer(_ request: ChunkRequest, _ random: inout SplitMix64) -> PeerMessage? {
        guard let byteCount = byteCounts[request.blob] else { return nil }
        let layout = ChunkLayout(plaintextByteCount: byteCount)
        if request.withList {
            return .list(request: request.request, hashes: (0..<layout.chunkCount).map { _ in .zero })
        }
        let length = layout.ciphertextRange(ofChunk: Int(request.firstChunk)).count
        let bytes = random.plaintext(min(length, Limits.dataByteCountMax))
        return .data(ChunkFragment(request: request.request, chunk: request.firstChunk, offset: 0, bytes: bytes[...]))
    }
}
