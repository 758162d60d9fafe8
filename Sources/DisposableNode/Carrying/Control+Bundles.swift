// SPDX-License-Identifier: Apache-2.0

/// A bundle that was written.
public struct WrittenBundle: Codable, Sendable, Equatable {
    public var event: String
    public var name: String
    public var file: String
    public var operationCount: Int
    public var blobCount: Int
    public var byteCount: UInt64
    /// Blobs that this node lacks itself, and so the bundle.
    public var missingBlobCount: Int
}

/// A bundle that was read, and what was new in it.
public struct CarriedBundle: Codable, Sendable, Equatable {
    public var event: String
    public var name: String
    public var file: String
    /// The name of the person whose node has written it; `null` if unknown.
    public var from: String?
    /// ISO 8601, by that node's clock; `null` if that part is damaged.
    public var writtenAt: String?
    public var operationCount: Int
    public var newOperationCount: Int
    public var blobCount: Int
    public var newBlobCount: Int
    /// Operations that this node does not accept: their authors are no members as far as it knows.
    public var refusedOperationCount: Int
    /// Files in the bundle that are not here completely: wrong ones, and those that this node does not fetch.
    public var refusedBlobCount: Int
    public var byteCount: UInt64
}

/// An album for the web whose pieces were written.
public struct WrittenWebAlbum: Codable, Sendable, Equatable {
    public var name: String
    public var photoCount: Int
    public var pieceCount: Int
    /// The bytes of all thumbnails, previews and originals in it.
    public var plaintextByteCount: UInt64
    /// Photos whose originals have not arrived, and photos that are sealed until the reveal.
    public var lackingCount: Int
    public var sealedCount: Int
}
