// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The three sizes in which a photo is kept, in the order in which they travel.
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
/// Anybody may describe anybody's root, and wrongly. Two descriptions that differ in anything are two blobs, so a wrong
/// one stands for itself and takes nothing from the right one.
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

/// Where the bytes of a blob are described: enough to ask anyone for it, to check it and to read it.
///
/// Two references are the same if they name the same blob; the key follows from the plaintext.
public struct BlobReference: Equatable, Sendable, CustomStringConvertible {
    public let id: BlobID
    /// Logarithm of the plaintext bytes a chunk: 18 for 256 KiB.
    public let chunkLog2: UInt8
    /// Length of a sealed key in bytes.
    public static let sealedKeyByteCount = 32 + SealedBox.overheadByteCount

    /// How the key stands in the operation's body.
    package enum Content: Sendable {
        // Plain bytes, as in the operation's body beside it. Guarded memory takes four mappings a value, of which a
        // process has 65,530: the keys of 5,000 photos would use them up.
        case plain(Bytes32)
        /// Sealed to the event's reveal key, 80 bytes.
        case sealed([UInt8])
    }
    package let content: Content

    /// Throws nothing, returns `nil` when a value is out of its range for `blobClass`.
    public init?(root: BlobRoot, byteCount: UInt64, chunkLog2: UInt8, key: SecretBytes, blobClass: BlobClass) {
        let bytes = key.withSpan { span in Bytes32((0..<span.count).map { span[$0] }) }
        guard let bytes else { return nil }
        self.init(
            root: root, byteCount: byteCount, chunkLog2: chunkLog2, content: .plain(bytes), blobClass: blobClass)
    }

    /// For the codec, which reads many references and wants few of their keys.
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

    /// The content key, 32 bytes, in guarded memory of its own each time; `nil` while it is sealed. Whoever holds it
    /// can read the blob; forgetting it everywhere erases the blob.
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

/// How a blob is cut: fixed chunks of plaintext, each sealed to ciphertext with a tag of 16 bytes.
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
    /// Length of chunk `index` as ciphertext, where it starts in the ciphertext file.
    public func ciphertextRange(ofChunk index: Int) -> Range<UInt64> {
        let start = UInt64(index) * UInt64(Self.chunkCiphertextByteCount)
        return start..<min(start + UInt64(Self.chunkCiphertextByteCount), ciphertextByteCount)
    }
    public func plaintextRange(ofChunk index: Int) -> Range<UInt64> {
        let start = UInt64(index) << UInt64(Self.chunkLog2)
        return start..<min(start + UInt64(Self.chunkPlaintextByteCount), plaintextByteCount)
    }
}

/// The families of files that are accepted, by their first bytes.
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

/// The body of a photo operation: what can be shown before the original is there.
public struct PhotoManifest: Equatable, Sendable {
    /// Absent where the author's node could not decode the file.
    public var thumbnail: BlobReference?
    public var preview: BlobReference?
    /// Milliseconds since 1970 UTC, by the camera; absent where the file does not say.
    public var takenAtMilliseconds: UInt64?
    /// Pixels after orientation, 0 where unknown.
    public var width: UInt32
    public var height: UInt32
    public var mediaType: MediaType

    public init(
        thumbnail: BlobReference?, preview: BlobReference?, takenAtMilliseconds: UInt64?, width: UInt32, height: UInt32,
        mediaType: MediaType
    ) {
        self.thumbnail = thumbnail
        self.preview = preview
        self.takenAtMilliseconds = takenAtMilliseconds
        self.width = width
        self.height = height
        self.mediaType = mediaType
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
