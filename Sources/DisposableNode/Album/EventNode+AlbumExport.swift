// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation
internal import Glibc

/// What makes an album of exported photos: thumbnails, the operations that prove whose they are, and a signed list.
extension EventNode {
    /// One photo of an album, written already.
    struct AlbumEntry: Sendable {
        let photo: DescribedPhoto
        let original: OriginalManifest
        let fileName: String
    }

    func writeAlbum(of entries: [AlbumEntry], to folder: String) async throws {
        guard let charter = replica.state.charter,
            let digest = replica.state.digest
        else { throw NodeError.stopped }
        let state = replica.state
        try await readers.run { [store] in
            try Self.writeThumbnails(of: entries, from: store, to: folder)
            try Self.writeOperations(showing: entries, of: state, from: store, to: folder)
        }
        let manifest = AlbumManifest(
            format: AlbumManifest.format,
            event: AlbumManifest.Event(
                id: event.description, key: state.eventKey.description, name: charter.name,
                organizer: charter.organizerName, startsAt: charter.startsAtMilliseconds,
                endsAt: charter.endsAtMilliseconds),
            digest: digest.description, exportedAt: Timestamps.iso8601(now.wallClockMilliseconds),
            signer: DeviceID(store.keys.device.verifyingKey).description,
            photos: entries.map { entry in
                let photo = entry.photo
                return AlbumManifest.Photo(
                    file: "\(AlbumManifest.photosFolderName)/\(entry.fileName)",
                    thumbnail: photo.manifest == nil ? nil : Self.thumbnailName(of: entry),
                    sha256: entry.original.sha256.description, byteCount: entry.original.original.byteCount,
                    mediaType: entry.original.mediaType.rawValue, id: photo.photo.id.description,
                    author: photo.photo.author.description, authorName: photo.author,
                    frame: photo.photo.status.frame ?? 0,
                    takenAt: photo.manifest?.takenAtMilliseconds.map(Timestamps.iso8601),
                    addedAt: Timestamps.iso8601(photo.photo.timestamp.milliseconds))
            })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let bytes = [UInt8](try encoder.encode(manifest))
        let signature = store.keys.device.signature(for: AlbumManifest.signedBytes(manifest: bytes, event: event))
        try await readers.run {
            try Data(bytes).write(to: Self.url(AlbumManifest.fileName, in: folder), options: .atomic)
            try Data((signature.bytes.hex + "\n").utf8)
                .write(to: Self.url(AlbumManifest.signatureFileName, in: folder), options: .atomic)
        }
    }

    private static func url(_ name: String, in folder: String) -> URL { URL(fileURLWithPath: "\(folder)/\(name)") }

    private static func thumbnailName(of entry: AlbumEntry) -> String {
        "\(AlbumManifest.thumbnailsFolderName)/\(entry.fileName.prefix { $0 != "-" }).jpg"
    }

    /// A photo without one is shown by its name.
    private static func writeThumbnails(of entries: [AlbumEntry], from store: EventStore, to folder: String) throws {
        let thumbnails = url(AlbumManifest.thumbnailsFolderName, in: folder)
        try FileManager.default.createDirectory(at: thumbnails, withIntermediateDirectories: true)
        for entry in entries {
            guard let reference = entry.photo.manifest?.thumbnail, let bytes = try? store.blobs.plaintext(of: reference)
            else { continue }
            try Data(bytes).write(to: url(thumbnailName(of: entry), in: folder), options: .atomic)
        }
    }

    /// All headers, so that the album can be folded to the gallery's digest; bodies of the album's photos and of what
    /// people are called, and of nothing that was taken back.
    private static func writeOperations(
        showing entries: [AlbumEntry], of state: EventState, from store: EventStore, to folder: String
    ) throws {
        var shown = Set(entries.map(\.photo.photo.id.operationID))
        for entry in entries { shown.formUnion(state.album.originals(of: entry.photo.photo.id).prefix(1)) }
        let target = url(AlbumManifest.operationsFileName, in: folder)
        let temporary = url(".operations.part", in: folder)
        guard FileManager.default.createFile(atPath: temporary.path, contents: nil) else {
            throw NodeError.system("create \(temporary.path)", code: errno)
        }
        let file = try FileHandle(forWritingTo: temporary)
        defer { try? file.close() }
        try store.forEachOperation(bodies: { _ in true }) { operations in
            var records: [UInt8] = []
            for operation in operations {
                let kind = operation.kind
                let keepsBody = kind?.foldReadsBody == true || kind == .name || shown.contains(operation.id)
                records += try OperationFile.record(of: operation, keepsBody: keepsBody)
            }
            try file.write(contentsOf: Data(records))
        }
        try file.synchronize()
        guard rename(temporary.path, target.path) == 0 else {
            throw NodeError.system("write \(target.path)", code: errno)
        }
    }
}
