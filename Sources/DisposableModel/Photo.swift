// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The three sizes in which a photo is kept, in the order in which they are transferred.
public enum BlobClass: UInt8, CaseIterable, Comparable, Sendable {
    case thumbnail = 1
    case preview = 2
    case original = 3

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The largest plaintext of the class in bytes (protocol/disposable-v1.md §11.1).
    public var byteCountMax: UInt64 {
        switch self {
        case .thumbnail: 24 << 10
        case .preview: 512 << 10
        case .original: 256 << 20
        }
    }
}

/// A blob as an operation describes it: its root together with its class and length.
///
/// Anyone may describe any root, even wrongly. Two descriptions that differ in anything are two blobs, so a wrong one
/// does not affect the right one.
public struct BlobID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let root: BlobRoot
    public let blobClass: BlobClass
    /// Length of the plaintext in bytes, from 1.
    public let byteCount: UInt64

    public init(root: BlobRoot, blobClass: BlobClass, byteCount: UInt64) {
        self.root = root
        self.blobClass = blobClass
        self.byteCount = byteCount
    }

    public var layout: ChunkLayout { ChunkLayout(plaintextByteCount: byteCount) }
    public var short: String { root.short }
    public var description: String { "\(root) (\(blobClass), \(byteCount) bytes)" }

    public static func < (left: Self, right: Self) -> Bool {
        (left.root, left.blobClass, left.byteCount) < (right.root, right.blobClass, right.byteCount)
    }
}

/// The description of a blob: enough to request it from any peer, to verify it and to read it.
///
/// Two references are the same if they name the same blob; the key follows from the plaintext.
public struct BlobReference: Equatable, Sendable, CustomStringConvertible {
    public let id: BlobID
    /// The binary logarithm of the plaintext bytes in a chunk: 18 for 256 KiB.
    public let chunkLog2: UInt8
    /// Length of a sealed key in bytes.
    public static let sealedKeyByteCount = 32 + SealedBox.overheadByteCount

    /// The form of the key in the operation's body.
    package enum Content: Sendable {
        // Plain bytes, as in the operation's body. Guarded memory needs four mappings for each value, of which a
        // process has 65,530: the keys of 5,000 photos would exhaust them.
        case plain(Bytes32)
        /// Sealed to the event's reveal key, 80 bytes.
        case sealed([UInt8])
    }
    package let content: Content

    /// Returns `nil` if a value is out of its range for `blobClass`.
    public init?(root: BlobRoot, byteCount: UInt64, chunkLog2: UInt8, key: SecretBytes, blobClass: BlobClass) {
        let bytes = key.withSpan { span in Bytes32((0..<span.count).map { span[$0] }) }
        guard let bytes else { return nil }
        self.init(
            root: root, byteCount: byteCount, chunkLog2: chunkLog2, content: .plain(bytes), blobClass: blobClass)
    }

    /// Used by the codec, which reads many references and needs few of their keys.
    package init?(root: BlobRoot, byteCount: UInt64, chunkLog2: UInt8, content: Content, blobClass: BlobClass) {
        guard (1...blobClass.byteCountMax).contains(byteCount), chunkLog2 == ChunkLayout.chunkLog2 else { return nil }
        self.init(
            id: BlobID(root: root, blobClass: blobClass, byteCount: byteCount), chunkLog2: chunkLog2, content: content)
    }

    init(id: BlobID, chunkLog2: UInt8, content: Content) {
        self.id = id
        self.chunkLog2 = chunkLog2
        self.content = content
    }

    /// The content key, 32 bytes, in new guarded memory for each call; `nil` while it is sealed. Any holder can read
    /// the blob; if all nodes forget the key, the blob is erased.
    public var key: SecretBytes? {
        guard case .plain(let bytes32) = content else { return nil }
        var bytes = bytes32.bytes
        return SecretBytes(consuming: &bytes)
    }

    public var isSealed: Bool { if case .sealed = content { true } else { false } }

    public var root: BlobRoot { id.root }
    public var byteCount: UInt64 { id.byteCount }
    public var layout: ChunkLayout { id.layout }

    public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

    /// Names the blob and never the key.
    public var description: String { "BlobReference(\(id.short), \(byteCount) bytes)" }
}

/// The division of a blob: fixed chunks of plaintext, each sealed to ciphertext with a tag of 16 bytes.
public struct ChunkLayout: Equatable, Sendable {
    public static let chunkLog2: UInt8 = 18
    /// 256 KiB of plaintext a chunk.
    public static let chunkPlaintextByteCount = 1 << Int(chunkLog2)
    public static let chunkCiphertextByteCount = chunkPlaintextByteCount + ChaCha20Poly1305.tagByteCount

    public let plaintextByteCount: UInt64

    public init(plaintextByteCount: UInt64) { self.plaintextByteCount = plaintextByteCount }

    public var chunkCount: Int {
        Int((plaintextByteCount + UInt64(Self.chunkPlaintextByteCount) - 1) >> UInt64(Self.chunkLog2))
    }
    public var ciphertextByteCount: UInt64 {
        plaintextByteCount + UInt64(chunkCount * ChaCha20Poly1305.tagByteCount)
    }
    /// Returns the range of chunk `index` in the ciphertext file.
    public func ciphertextRange(ofChunk index: Int) -> Range<UInt64> {
        let start = UInt64(index) * UInt64(Self.chunkCiphertextByteCount)
        return start..<min(start + UInt64(Self.chunkCiphertextByteCount), ciphertextByteCount)
    }
    public func plaintextRange(ofChunk index: Int) -> Range<UInt64> {
        let start = UInt64(index) << UInt64(Self.chunkLog2)
        return start..<min(start + UInt64(Self.chunkPlaintextByteCount), plaintextByteCount)
    }
}

/// The media types that are accepted, recognized by their first bytes.
public enum MediaType: String, CaseIterable, Sendable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"
    case heic = "image/heic"
    case avif = "image/avif"
    case gif = "image/gif"
    case tiff = "image/tiff"
    case mp4 = "video/mp4"
    case quicktime = "video/quicktime"
    case webm = "video/webm"
    /// A type named by a later version; shown as a file.
    case other = "application/octet-stream"
}

/// The body of a photo operation: enough to show the photo before the original arrives.
public struct PhotoManifest: Equatable, Sendable {
    /// Absent if the author's node could not decode the file.
    public var thumbnail: BlobReference?
    public var preview: BlobReference?
    /// Milliseconds since 1970 UTC, by the camera; absent if the file does not say.
    public var takenAtMilliseconds: UInt64?
    /// Pixels after orientation, 0 if unknown.
    public var width: UInt32
    public var height: UInt32
    public var mediaType: MediaType
    /// Whether a guest's page has sealed the photo: the node that signed it did not see it (§9.26).
    public var isPageSealed: Bool

    public init(
        thumbnail: BlobReference?, preview: BlobReference?, takenAtMilliseconds: UInt64?, width: UInt32, height: UInt32,
        mediaType: MediaType, isPageSealed: Bool = false
    ) {
        self.thumbnail = thumbnail
        self.preview = preview
        self.takenAtMilliseconds = takenAtMilliseconds
        self.width = width
        self.height = height
        self.mediaType = mediaType
        self.isPageSealed = isPageSealed
    }
}

/// The body of an original operation: the shared file.
public struct OriginalManifest: Equatable, Sendable {
    public var original: BlobReference
    /// SHA-256 of the shared bytes, as `sha256sum` prints it for the exported file.
    public var sha256: Bytes32
    public var mediaType: MediaType

    public init(original: BlobReference, sha256: Bytes32, mediaType: MediaType) {
        self.original = original
        self.sha256 = sha256
        self.mediaType = mediaType
    }
}
