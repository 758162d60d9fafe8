// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// A chunk that has arrived with the right length: to be verified and written.
public struct ArrivedChunk: Equatable, Sendable {
    public let blob: BlobID
    public let index: Int
    public let ciphertext: [UInt8]
    /// The blob's chunk list, which matches its root; `nil` for a blob of one chunk, whose list is not sent.
    private let list: [Bytes32]?

    package init(blob: BlobID, index: Int, ciphertext: [UInt8], list: [Bytes32]?) {
        self.blob = blob
        self.index = index
        self.ciphertext = ciphertext
        self.list = list
    }

    /// Hashes the ciphertexts. That takes longer than everything else about a chunk, so it belongs on the thread that
    /// writes the chunks, not on the one of the connections.
    /// - Returns: for each chunk its blob's chunk list, or `nil` if the chunk does not belong to the blob.
    public static func verifiedLists(of chunks: [Self]) -> [[Bytes32]?] {
        zip(chunks, BlobSealing.hashes(ofChunks: chunks.map(\.ciphertext))).map { chunk, hash in chunk.list(for: hash) }
    }

    /// Returns the same for this chunk alone.
    public func verifiedList() -> [Bytes32]? { Self.verifiedLists(of: [self])[0] }

    private func list(for hash: Bytes32) -> [Bytes32]? {
        if let list { return list[index] == hash ? list : nil }
        let isWhole = BlobSealing.root(byteCount: blob.layout.plaintextByteCount, chunkHashes: [hash]) == blob.root
        return isWhole ? [hash] : nil
    }
}
