// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSystem
internal import DisposableValues
internal import Foundation
internal import Glibc

/// A photo that a guest's page has sealed, as one file (protocol/guest-api.md §19):
///
/// ```
/// package = "disposable/1 sealed photo" || 0x00 || u32(length of the head) || head
///           || ciphertext of the thumbnail || of the preview || of the original
/// head    = JSON
/// ```
package struct SealedPackage: Sendable {
    static let magic = Array("disposable/1 sealed photo".utf8) + [0]
    /// The longest head in bytes.
    static let headByteCountMax = 4_096
    /// The most pixels of a side.
    static let sideMax: UInt32 = 1 << 16

    private struct Head: Decodable {
        struct Blob: Decodable {
            let byteCount: UInt64
            let root: String
            let key: String
            let sha256: String
        }
        let width: UInt32
        let height: UInt32
        let thumbnail: Blob
        let preview: Blob
        let original: Blob
    }

    /// A blob of the package.
    struct Part: Sendable {
        let blob: BlobStore.SealedPart
        let root: BlobRoot
        /// The offset of its ciphertext in the file.
        let start: UInt64
    }

    let width: UInt32
    let height: UInt32
    let thumbnail: Part
    let preview: Part
    let original: Part

    /// Whether the file begins as a package does. No photo does, nor a file that cannot be read.
    package static func isOne(at path: String) -> Bool {
        // A pipe is not waited for.
        guard let file = try? OpenFile<StoreError>(path, flags: O_RDONLY | O_NONBLOCK) else { return false }
        return (try? file.read(magic.count, at: 0)) == magic
    }

    /// Reads the head. Throws `Refusal.refusedFile` for a file that is no well-formed package, and errors of the disk.
    package init(at path: String) throws {
        let file = try OpenFile<StoreError>(path, .reading)
        let lengthEnd = UInt64(Self.magic.count + 4)
        let start = try file.read(Int(lengthEnd), at: 0)
        guard start.count == Int(lengthEnd), start.starts(with: Self.magic) else {
            throw Self.malformed("it does not begin as one")
        }
        let headByteCount = start.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        guard (1...Self.headByteCountMax).contains(headByteCount) else {
            throw Self.malformed("its head has \(headByteCount) bytes")
        }
        let bytes = try file.read(headByteCount, at: lengthEnd)
        guard bytes.count == headByteCount,
            let head = try? JSONDecoder().decode(Head.self, from: Data(JSONNesting.checked(bytes)))
        else {
            throw Self.malformed("its head is not the description of a photo")
        }
        guard (1...Self.sideMax).contains(head.width), (1...Self.sideMax).contains(head.height) else {
            throw Self.malformed("it has no size in pixels")
        }
        (width, height) = (head.width, head.height)
        var offset = lengthEnd + UInt64(headByteCount)
        thumbnail = try Self.part(head.thumbnail, .thumbnail, &offset)
        preview = try Self.part(head.preview, .preview, &offset)
        original = try Self.part(head.original, .original, &offset)
        guard try file.regularByteCount() == offset else { throw Self.malformed("its length is not that of its parts") }
    }

    private static func part(_ blob: Head.Blob, _ blobClass: BlobClass, _ offset: inout UInt64) throws -> Part {
        guard (1...blobClass.byteCountMax).contains(blob.byteCount) else {
            throw malformed("its \(blobClass) has \(blob.byteCount) bytes")
        }
        guard let root = Bytes32(hex: blob.root), let sha256 = Bytes32(hex: blob.sha256),
            let key = [UInt8](hex: blob.key), key.count == BlobReference.sealedKeyByteCount
        else { throw malformed("its \(blobClass) has no root, hash or sealed key") }
        defer { offset += ChunkLayout(plaintextByteCount: blob.byteCount).ciphertextByteCount }
        return Part(
            blob: BlobStore.SealedPart(
                blobClass: blobClass, byteCount: blob.byteCount, sealedKey: key, sha256: sha256),
            root: BlobRoot(root), start: offset)
    }

    static func malformed(_ reason: String) -> Refusal {
        .refusedFile(reason: "not a photo sealed by a page: \(reason)")
    }
}

extension PhotoIngest {
    /// Prepares a package as a photo. Nothing of it is decoded: this node cannot open it. Throws `Refusal.refusedFile`,
    /// `StoreError`.
    /// - Parameter check: may throw before anything is kept.
    func prepare(packageAt path: String, check: (OriginalManifest) async throws -> Void) async throws -> Prepared {
        let (prepared, blobs) = try await queue.run { [store] in
            let contents = try SealedPackage(at: path)
            var blobs: [PreparedBlob] = []
            func prepare(_ part: SealedPackage.Part) throws -> BlobReference {
                let blob = try store.blobs.prepare(part.blob, in: path, at: part.start)
                guard blob.reference.root == part.root else {
                    throw SealedPackage.malformed("its \(part.blob.blobClass) is not what its root names")
                }
                blobs.append(blob)
                return blob.reference
            }
            let (thumbnail, preview) = (try prepare(contents.thumbnail), try prepare(contents.preview))
            let original = try prepare(contents.original)
            let prepared = Prepared(
                photo: PhotoManifest(
                    thumbnail: thumbnail, preview: preview, takenAtMilliseconds: nil, width: contents.width,
                    height: contents.height, mediaType: .jpeg, isPageSealed: true),
                original: OriginalManifest(
                    original: original, sha256: contents.original.blob.sha256, mediaType: .jpeg),
                sourceSha256: nil, roots: blobs.map(\.reference.root), warnings: [])
            return (prepared, blobs)
        }
        try await check(prepared.original)
        try await queue.run { [store] in try store.blobs.commit(blobs) }
        return prepared
    }
}
