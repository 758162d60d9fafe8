// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Foundation
internal import Glibc

/// Keeps a folder, usually on a USB disk, equal to the gallery. A file's name does not change with the number of photos.
extension EventNode {
    /// Files written by one request, so that a command that is interrupted ends soon.
    private static let mirroredMax = 16

    /// Does a part of the work: deletes files of photos that are gone, then writes some of those that are missing or
    /// differ. The last reply has what is left.
    /// - Parameters:
    ///   - creates: an empty folder becomes a mirror.
    ///   - rereads: compares every file with the photo's hash, not just its size and time.
    func mirror(
        to folder: String, creates: Bool, rereads: Bool, reply: (ControlReply) async -> Void
    ) async throws {
        let photos = try await gallery(onlyMine: false).filter { $0.state != "sealed" }
        let names = ShownNames(of: photos, in: replica.state.album)
        let event = event
        var mirror = try await readers.run {
            try MirrorFolder(folder, event: event, creates: creates, rereads: rereads)
        }
        let present = Set(photos.map(\.photo.id.description))
        for id in mirror.files.keys.sorted() where !present.contains(id) {
            if let file = try mirror.remove(id) { await reply(.mirrorRemoved(file: file)) }
        }
        var (writtenCount, left) = (0, MirrorState())
        for photo in photos {
            let id = photo.photo.id.description
            if mirror.isIntact(id) {
                left.fileCount += 1
            } else if writtenCount == Self.mirroredMax {
                left.remainingCount += 1
            } else if let (file, isNew) = try await write(photo, by: names[photo.photo.author], to: &mirror) {
                writtenCount += 1
                left.fileCount += 1
                if isNew { await reply(.exported(file)) }
            } else {
                left.awaitedCount += 1
            }
        }
        mirror = try await readers.run { [mirror] in
            var mirror = mirror
            try mirror.save()
            return mirror
        }
        await reply(.mirrored(left))
        await reply(.finished(exitCode: 0))
    }

    /// Writes or compares one file. Returns `nil` if the original is not here yet.
    private func write(
        _ photo: DescribedPhoto, by author: String, to mirror: inout MirrorFolder
    ) async throws -> (file: ExportedFile, isNew: Bool)? {
        let id = photo.photo.id.description
        guard var original = photo.original, replica.isComplete(.original, of: photo.photo.id) == true,
            let opened = opener.open(original.original, released: photo.released)
        else { return nil }
        original.original = opened
        let name = mirror.files[id]?.name ?? Self.mirrorName(of: photo, original, by: author)
        let (folder, path) = (mirror.path, "\(mirror.path)/\(name)")
        do {
            let isNew = try await readers.run { [original, store] in
                switch try Self.presence(of: original, at: path) {
                case .same: return false
                case .other: unlink(path)
                case .absent: break
                }
                try Self.copy(original, from: store, to: path, folder: folder)
                return true
            }
            mirror.note(name, for: id)
            return (
                ExportedFile(
                    file: path, photo: id, byteCount: original.original.byteCount, sha256: original.sha256.description,
                    isNew: isNew, problem: nil), isNew
            )
        } catch is EventNode.LeftOut {
            // Damaged here and fetched again, or unreadable there and tried again.
            return nil
        }
    }

    /// Returns `20261124-180533-Anna-1f2e3d4c.jpg`, by UTC: sorted by name, files are in the order of the photos.
    private static func mirrorName(of photo: DescribedPhoto, _ original: OriginalManifest, by author: String) -> String {
        let time = Date(timeIntervalSince1970: Double(photo.photo.timestamp.milliseconds) / 1_000)
        let text = time.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
        let digits = text.filter(\.isNumber)
        return "\(digits.prefix(8))-\(digits.dropFirst(8).prefix(6))-"
            + FileName.component(author.precomposedStringWithCanonicalMapping, byteCountMax: 60, orElse: "guest")
            + "-\(photo.photo.id.description.prefix(8)).\(original.mediaType.pathExtension)"
    }
}
