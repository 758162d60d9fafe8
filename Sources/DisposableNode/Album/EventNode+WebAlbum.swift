// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Foundation
internal import Glibc

/// Albums for the web: sealed pieces instead of photos. No plaintext touches the target's disk.
extension EventNode {
    /// - Parameters:
    ///   - folder: an existing folder, to which the folder of the pieces is added.
    ///   - key: the album's key, 32 random bytes.
    ///   - twins: events whose photos are shown with this one's, where guests may save them.
    func exportWebAlbum(
        to folder: String, key: SecretBytes, hasOriginals: Bool, only wanted: Set<PhotoID>? = nil,
        with twins: [EventNode] = [], reply: (ControlReply) async -> Void
    ) async throws {
        guard let charter = replica.state.charter else { throw NodeError.stopped }
        let (own, sealedCount) = try await webEntries(hasOriginals: hasOriginals, only: wanted)
        var joined: [WebEntry] = []
        for twin in twins { joined += try await twin.webEntriesForTwin(hasOriginals: hasOriginals) }
        let entries = joined.isEmpty ? own : (own + joined).sorted { $0.place < $1.place }
        let album = WebAlbum(
            name: charter.name, organizer: charter.organizer.name, startsAt: charter.schedule.startsAtMilliseconds,
            exportedAt: Timestamps.iso8601(now.wallClockMilliseconds), authorCount: Set(entries.map(\.author)).count,
            photos: [])
        let (steps, sink) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        async let written = Self.write(entries, of: album, key, to: folder, on: readers) {
            guard let done = $0 else { return sink.finish() }
            // The stream ends with the task that reads it.
            if case .terminated = sink.yield(done) { throw CancellationError() }
        }
        let total = 3 * entries.count
        for await done in steps { await reply(.progress(done: done, total: total)) }
        var result = try await written
        result.lackingCount = entries.count { $0.isLackingOriginal }
        result.sealedCount = sealedCount
        await reply(.webAlbum(result))
        await reply(
            .finished(exitCode: result.photoCount == 0 ? 3 : result.lackingCount + result.sealedCount > 0 ? 1 : 0))
    }

    /// A photo and its blobs, with their keys and the store that has them.
    struct WebEntry: Sendable {
        var photo: WebAlbum.Photo
        let author: AuthorID
        let place: DisplayPlace
        let store: EventStore
        let blobs: [BlobReference?]
        let isLackingOriginal: Bool
    }

    private func webEntries(
        hasOriginals: Bool, only wanted: Set<PhotoID>? = nil
    ) async throws -> (entries: [WebEntry], sealedCount: Int) {
        let all = try await gallery(onlyMine: false)
        let names = ShownNames(of: all, in: replica.state.album)
        var entries: [WebEntry] = []
        for (index, photo) in all.enumerated() where wanted?.contains(photo.photo.id) != false {
            guard photo.state != "sealed" else { continue }
            let name = Self.exportedName(of: photo, by: names[photo.photo.author], number: index + 1, of: all.count)
            entries.append(entry(for: photo, name, names, hasOriginals: hasOriginals))
        }
        return (entries, all.count { $0.state == "sealed" })
    }

    /// Returns the photos as they are shown in another event's album, with this event's name; none where guests may not
    /// save them.
    func webEntriesForTwin(hasOriginals: Bool) async throws -> [WebEntry] {
        guard mayBeSaved else { return [] }
        let folder = FileName.component(
            name.precomposedStringWithCanonicalMapping, byteCountMax: 60, orElse: event.short)
        let entries = try await webEntries(hasOriginals: hasOriginals, only: shownToAll).entries
        return entries.map { entry in
            var entry = entry
            entry.photo.name = "\(folder)-\(entry.photo.name)"
            entry.photo.authorName += " · \(name)"
            (entry.photo.mission, entry.photo.zone) = (nil, nil)
            return entry
        }
    }

    private func entry(
        for photo: DescribedPhoto, _ name: String, _ names: ShownNames, hasOriginals: Bool
    ) -> WebEntry {
        let id = photo.photo.id
        let comments = names.comments(on: id, in: replica.state.album)
        func opened(_ reference: BlobReference?) -> BlobReference? {
            reference.flatMap { opener.open($0, released: photo.released) }
        }
        let isHere = replica.isComplete(.original, of: id)
        return WebEntry(
            photo: WebAlbum.Photo(
                name: name, mediaType: (photo.original?.mediaType ?? .other).rawValue,
                authorName: names[photo.photo.author],
                takenAt: photo.manifest?.takenAtMilliseconds.map(Timestamps.iso8601),
                addedAt: Timestamps.iso8601(photo.photo.timestamp.milliseconds), caption: photo.remarks.caption?.text,
                mission: photo.mission?.text, zone: photo.zone, turn: photo.turn == .none ? nil : photo.turn.degrees,
                reactions: photo.remarks.reactions.isEmpty ? nil : photo.remarks.reactions,
                comments: comments.isEmpty ? nil : comments),
            author: photo.photo.author, place: replica.state.displayPlace(of: photo.photo), store: store,
            blobs: [
                opened(photo.manifest?.thumbnail), opened(photo.manifest?.preview),
                hasOriginals && isHere ? opened(photo.original?.original) : nil,
            ],
            isLackingOriginal: hasOriginals && !isHere)
    }

    /// Thumbnails first, then previews: a page needs many of the first at once, and no original before a tap.
    private static func write(
        _ entries: [WebEntry], of album: WebAlbum, _ key: SecretBytes, to folder: String, on queue: DispatchQueue,
        step: @escaping @Sendable (Int?) throws -> Void
    ) async throws -> WrittenWebAlbum {
        defer { try? step(nil) }
        return try await queue.run {
            let needed = entries.reduce(0) { sum, entry in
                sum + entry.blobs.reduce(0) { $0 + ($1?.byteCount ?? 0) }
            }
            do { try DiskRoom(at: folder).check(for: needed / 3 * 4) } catch { throw NodeError.storage("\(error)") }
            let pieces = "\(folder)/\(WebAlbum.folderName)"
            try FileManager.default.createDirectory(atPath: pieces, withIntermediateDirectories: true)
            let keys = WebAlbum.Keys(key)
            var files = WebAlbumWriter(.files, keys: keys, folder: pieces)
            var photos = entries.map(\.photo)
            for part in 0..<3 {
                for (index, entry) in entries.enumerated() {
                    let found = try entry.blobs[part].flatMap { try append($0, from: entry.store, to: &files) }
                    switch part {
                    case 0: photos[index].thumbnail = found
                    case 1: photos[index].preview = found
                    default: photos[index].original = found
                    }
                    try step(part * entries.count + index + 1)
                }
            }
            try files.finish()
            var album = album
            album.photos = photos
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.withoutEscapingSlashes]
            let list = [UInt8](try encoder.encode(album))
            var index = WebAlbumWriter(.list, keys: keys, folder: pieces)
            try index.append((0..<8).map { UInt8(truncatingIfNeeded: UInt64(list.count) >> (56 - 8 * $0)) } + list)
            try index.finish()
            return WrittenWebAlbum(
                name: album.name, photoCount: photos.count, pieceCount: files.pieceCount + index.pieceCount,
                plaintextByteCount: files.byteCount, lackingCount: 0, sealedCount: 0)
        }
    }

    /// Returns `nil` for a blob that is not completely here.
    private static func append(
        _ blob: BlobReference, from store: EventStore, to files: inout WebAlbumWriter
    ) throws -> WebAlbum.Part? {
        let start = files.byteCount
        for chunk in 0..<blob.layout.chunkCount {
            let bytes: [UInt8]
            do { bytes = try store.blobs.plaintext(of: blob, range: blob.layout.plaintextRange(ofChunk: chunk)) } catch
            {
                // The bytes already written stay in the stream; the list does not name them.
                switch error {
                case .notHere, .incomplete, .damaged, .unreadable: return nil
                default: throw NodeError.storage("\(error)")
                }
            }
            try files.append(bytes)
        }
        return WebAlbum.Part(start: start, byteCount: blob.byteCount)
    }
}
