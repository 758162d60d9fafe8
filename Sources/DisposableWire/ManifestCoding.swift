// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import Foundation

extension BlobReference {
    var message: Disposable_V1_BlobReference {
        var message = Disposable_V1_BlobReference()
        message.root = Data(root.bytes)
        message.byteCount = byteCount
        message.chunkLog2 = UInt32(chunkLog2)
        switch content {
        case .plain(let key): message.key = Data(key.bytes)
        case .sealed(let box): message.sealedKey = Data(box)
        }
        return message
    }

    init?(_ message: Disposable_V1_BlobReference, blobClass: BlobClass) {
        guard let root = BlobRoot(message.root), let chunkLog2 = UInt8(exactly: message.chunkLog2),
            let content = Self.content(key: message.key, sealedKey: message.sealedKey)
        else { return nil }
        self.init(
            root: root, byteCount: message.byteCount, chunkLog2: chunkLog2, content: content, blobClass: blobClass)
    }

    /// Returns the one of the two that is present with its length.
    private static func content(key: Data, sealedKey: Data) -> Content? {
        if sealedKey.isEmpty { return Bytes32(key).map(Content.plain) }
        return key.isEmpty && sealedKey.count == sealedKeyByteCount ? .sealed([UInt8](sealedKey)) : nil
    }
}

extension PhotoManifest {
    var message: Disposable_V1_PhotoBody {
        var message = Disposable_V1_PhotoBody()
        if let thumbnail { message.thumbnail = thumbnail.message }
        if let preview { message.preview = preview.message }
        message.takenAtMs = takenAtMilliseconds ?? 0
        message.width = width
        message.height = height
        message.mediaType = mediaType.rawValue
        message.pageSealed = isPageSealed
        return message
    }

    init?(_ message: Disposable_V1_PhotoBody) {
        var thumbnail: BlobReference?
        var preview: BlobReference?
        if message.hasThumbnail {
            guard let reference = BlobReference(message.thumbnail, blobClass: .thumbnail) else { return nil }
            thumbnail = reference
        }
        if message.hasPreview {
            guard let reference = BlobReference(message.preview, blobClass: .preview) else { return nil }
            preview = reference
        }
        self.init(
            thumbnail: thumbnail, preview: preview,
            takenAtMilliseconds: message.takenAtMs == 0 ? nil : min(message.takenAtMs, HybridTimestamp.millisecondsMax),
            width: message.width, height: message.height, mediaType: MediaType(rawValue: message.mediaType) ?? .other,
            isPageSealed: message.pageSealed)
    }
}

extension OriginalManifest {
    var message: Disposable_V1_OriginalBody {
        var message = Disposable_V1_OriginalBody()
        message.original = original.message
        message.sha256 = Data(sha256.bytes)
        message.mediaType = mediaType.rawValue
        return message
    }

    init?(_ message: Disposable_V1_OriginalBody) {
        guard message.hasOriginal, let original = BlobReference(message.original, blobClass: .original),
            let sha256 = Bytes32(message.sha256)
        else { return nil }
        self.init(original: original, sha256: sha256, mediaType: MediaType(rawValue: message.mediaType) ?? .other)
    }
}
