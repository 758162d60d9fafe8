// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableSystem
internal import Foundation
internal import Glibc

/// Exports photos as plain files with names that are the same on every node.
extension EventNode {
    /// - Parameters:
    ///   - isAlbum: the photos go into a subfolder of `folder`, with the other files of an album.
    ///   - hasSidecars: whether an XMP file is written beside each photo.
    ///   - only: the photos to export, under their numbers among all; `nil` for all.
    func export(
        to target: String, isAlbum: Bool, hasSidecars: Bool = false, only wanted: Set<PhotoID>? = nil,
        reply: (ControlReply) async -> Void
    ) async throws {
        // An album is signed for the present gallery.
        if isAlbum, replica.state.needsNewerVersion { throw NodeError.olderVersion }
        let photos = try await gallery(onlyMine: false)
        let names = ShownNames(of: photos, in: replica.state.album)
        let folder = isAlbum ? "\(target)/\(AlbumManifest.photosFolderName)" : target
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var entries: [AlbumEntry] = []
        var problemCount = 0
        let numbered = photos.enumerated().filter { wanted?.contains($0.element.photo.id) != false }
        for (done, (index, photo)) in numbered.enumerated() {
            try Task.checkCancellation()
            let (file, original) = try await export(
                photo, by: names[photo.photo.author], number: index + 1, of: photos.count, from: store, to: folder)
            if let original {
                if hasSidecars {
                    let comments = names.comments(on: photo.photo.id, in: replica.state.album)
                    let sidecar = Sidecar(of: photo, by: names[photo.photo.author], comments)
                    try await readers.run { try sidecar.write(beside: file.file) }
                }
                entries.append(
                    AlbumEntry(photo: photo, original: original, fileName: (file.file as NSString).lastPathComponent))
            } else {
                problemCount += 1
            }
            await reply(.exported(file))
            await reply(.progress(done: done + 1, total: numbered.count))
        }
        if isAlbum { try await writeAlbum(of: entries, names, to: target) }
        await reply(.finished(exitCode: problemCount > 0 ? 1 : numbered.isEmpty ? 3 : 0))
    }

    /// Writes the photos that are shown into `folder`, and returns the outcome of each.
    package func exportPhotos(to folder: String) async throws -> [ExportedFile] {
        var files: [ExportedFile] = []
        try await export(to: folder, isAlbum: false) { if case .exported(let file) = $0 { files.append(file) } }
        return files
    }

    /// Writes one photo under a name that begins with its number.
    /// - Parameter author: the author's name in the file name.
    /// - Returns: the outcome, with the decrypted original, if it is written.
    func export(
        _ photo: DescribedPhoto, by author: String, number: Int, of count: Int, from store: EventStore,
        to folder: String
    ) async throws -> (file: ExportedFile, original: OriginalManifest?) {
        let name = Self.exportedName(of: photo, by: author, number: number, of: count)
        var file = ExportedFile(
            file: "\(folder)/\(name)", photo: photo.photo.id.description,
            byteCount: photo.original?.original.byteCount ?? 0, sha256: photo.original?.sha256.description ?? "",
            isNew: true, problem: nil)
        do {
            guard photo.state != "sealed" else {
                throw LeftOut(reason: "it is sealed until the photos are revealed")
            }
            guard var original = photo.original,
                replica.isComplete(.original, of: photo.photo.id) == true
            else { throw LeftOut(reason: "its original has not arrived here yet") }
            guard let opened = opener.open(original.original, released: photo.released) else {
                throw LeftOut(reason: "the key that opens it is not here")
            }
            original.original = opened
            let path = file.file
            file.isNew = try await readers.run { [original] in
                try Self.write(original, from: store, to: path, folder: folder)
            }
            return (file, original)
        } catch let error as LeftOut {
            file.problem = error.reason
            return (file, nil)
        }
    }

    /// Returns `<number>-<author>-<frame>.<extension>`.
    static func exportedName(of photo: DescribedPhoto, by author: String, number: Int, of count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(4, String(count).count) - digits.count) + digits + "-"
            + FileName.component(author.precomposedStringWithCanonicalMapping, byteCountMax: 60, orElse: "guest")
            + "-\(photo.photo.status.frame ?? 0).\((photo.original?.mediaType ?? .other).pathExtension)"
    }

    /// Writes a file. Returns false if the same file is there already; a different file of the name is not overwritten.
    private static func write(
        _ original: OriginalManifest, from store: EventStore, to path: String, folder: String
    ) throws -> Bool {
        switch try presence(of: original, at: path) {
        case .same: return false
        case .other: throw LeftOut(reason: "another file has this name; export to an empty folder")
        case .absent: try copy(original, from: store, to: path, folder: folder)
        }
        return true
    }

    /// Writes a file whose name is free. It is on the disk when this returns.
    static func copy(
        _ original: OriginalManifest, from store: EventStore, to path: String, folder: String
    ) throws {
        do { try DiskRoom(at: folder).check(for: original.original.byteCount) } catch {
            throw NodeError.storage("\(error)")
        }
        let temporary = "\(folder)/.\(original.original.id.short).part"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw NodeError.system("create \(temporary)", code: errno) }
        defer { close(descriptor) }
        do {
            try store.blobs.copyPlaintext(of: original.original, toDescriptor: descriptor, path: temporary)
        } catch {
            unlink(temporary)
            if error.isDiskFull { throw NodeError.storage("\(error)") }
            if case .damaged = error {
                throw LeftOut(reason: "it is corrupt on this disk; it is fetched again from other nodes")
            }
            throw LeftOut(reason: "\(error)")
        }
        do throws(FileError) {
            guard fsync(descriptor) == 0 else { throw .now("write", path) }
            try Disk.rename(temporary, toUnused: path)
        } catch {
            unlink(temporary)
            throw NodeError.system("write \(path)", code: error.code)
        }
    }

    /// The reason why a file is not written, for people.
    struct LeftOut: Error {
        let reason: String
    }

    /// A name in a folder, compared with a file.
    enum Presence {
        case absent, same, other
    }

    /// Reads the whole file at `path`.
    static func presence(of original: OriginalManifest, at path: String) throws -> Presence {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw LeftOut(reason: String(cString: strerror(errno))) }
            return .absent
        }
        defer { close(descriptor) }
        var status = stat()
        // The name was reserved when the machine lost power, before the rename.
        if fstat(descriptor, &status) == 0, status.st_size == 0 {
            unlink(path)
            return .absent
        }
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while case let count = Glibc.read(descriptor, &buffer, buffer.count), count > 0 {
            let part = buffer[..<count]
            hash.update(part.span)
        }
        return hash.finalize() == original.sha256 ? .same : .other
    }
}
