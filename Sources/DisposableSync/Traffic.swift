// SPDX-License-Identifier: Apache-2.0
public import DisposableModel

/// The bytes of a connection, or of all.
public struct Traffic: Equatable, Sendable {
    public internal(set) var receivedByteCount: UInt64 = 0
    /// Bytes that the network has taken.
    public internal(set) var sentByteCount: UInt64 = 0
}

/// The bytes of chunks, encrypted as on the wire, by the class of their blobs. Sent ones include those that wait for
/// the network; files that carry an event are not counted.
public struct ChunkTraffic: Equatable, Sendable {
    private var thumbnails = Traffic()
    private var previews = Traffic()
    private var originals = Traffic()

    public internal(set) subscript(blobClass: BlobClass) -> Traffic {
        get {
            switch blobClass {
            case .thumbnail: thumbnails
            case .preview: previews
            case .original: originals
            }
        }
        set {
            switch blobClass {
            case .thumbnail: thumbnails = newValue
            case .preview: previews = newValue
            case .original: originals = newValue
            }
        }
    }
}
