// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation
internal import Glibc

/// Albums of exported photos: thumbnails, the operations that prove the authors, and a signed manifest.
extension EventNode {
    /// One photo of an album, already written.
    struct AlbumEntry: Sendable {
        let photo: DescribedPhoto
        let original: OriginalManifest
        let fileName: String
    }

    func writeAlbum(of entries: [AlbumEntry], _ names: ShownNames, to folder: String) async throws {
        guard let charter = replica.state.charter,
            let digest = replica.state.digest
        else { throw NodeError.stopped }
        let state = replica.state
        let opener = opener
        let pictures = try await readers.run { [store] in
            try Self.writeOperations(showing: entries, of: state, from: store, to: folder)
            return try Self.writePictures(of: entries, opener, from: store, to: folder)
        }
        let manifest = AlbumManifest(
            format: AlbumManifest.format,
            event: AlbumManifest.Event(
                id: event.description, key: state.eventKey.description, name: charter.name,
                organizer: charter.organizer.name, startsAt: charter.schedule.startsAtMilliseconds,
                endsAt: charter.endsAtMilliseconds, theme: charter.options.theme.word,
                cover: state.picture(.cover).flatMap { cover in
                    entries.contains { $0.photo.photo.id == cover.id } ? cover.id.description : nil
                }),
            digest: digest.description, exportedAt: Timestamps.iso8601(now.wallClockMilliseconds),
            signer: DeviceID(store.keys.device.verifyingKey).description,
            photos: zip(entries, pictures).map { Self.listed($0, $1, names, in: state.album) })
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

    private static func listed(
        _ entry: AlbumEntry, _ pictures: Pictures, _ names: ShownNames, in album: Album
    ) -> AlbumManifest.Photo {
        let (photo, id) = (entry.photo, entry.photo.photo.id)
        let comments = names.comments(on: id, in: album)
        return AlbumManifest.Photo(
            file: "\(AlbumManifest.photosFolderName)/\(entry.fileName)", thumbnail: pictures.thumbnail,
            preview: pictures.preview, sha256: entry.original.sha256.description,
            byteCount: entry.original.original.byteCount, mediaType: entry.original.mediaType.rawValue,
            id: id.description, author: photo.photo.author.description, authorName: names[photo.photo.author],
            frame: photo.photo.status.frame ?? 0,
            takenAt: photo.manifest?.takenAtMilliseconds.map(Timestamps.iso8601),
            addedAt: Timestamps.iso8601(photo.photo.timestamp.milliseconds), caption: photo.remarks.caption?.text,
            mission: photo.mission?.text, zone: photo.zone, turn: photo.turn == .none ? nil : photo.turn.degrees,
            reactions: photo.remarks.reactions.isEmpty ? nil : photo.remarks.reactions,
            comments: comments.isEmpty ? nil : comments)
    }

    /// The paths in the album of a photo's available JPEGs.
    private struct Pictures: Sendable {
        var thumbnail: String?
        var preview: String?
    }

    private static func writePictures(
        of entries: [AlbumEntry], _ opener: PhotoOpener, from store: EventStore, to folder: String
    ) throws -> [Pictures] {
        let folders = [AlbumManifest.thumbnailsFolderName, AlbumManifest.previewsFolderName]
        for name in folders {
            try FileManager.default.createDirectory(at: url(name, in: folder), withIntermediateDirectories: true)
        }
        return try entries.map { entry in
            func write(_ reference: BlobReference?, to subfolder: String) throws -> String? {
                guard let reference, let opened = opener.open(reference, released: entry.photo.released),
                    let bytes = try? store.blobs.plaintext(of: opened)
                else { return nil }
                let name = "\(subfolder)/\(entry.fileName.prefix { $0 != "-" }).jpg"
                try Data(bytes).write(to: url(name, in: folder), options: .atomic)
                return name
            }
            return Pictures(
                thumbnail: try write(entry.photo.manifest?.thumbnail, to: folders[0]),
                preview: try write(entry.photo.manifest?.preview, to: folders[1]))
        }
    }

    /// Returns all headers, so that the album can be folded to the gallery's digest, and the bodies of the album's
    /// photos and of people's names, but no withdrawn ones.
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
