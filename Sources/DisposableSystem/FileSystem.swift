// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// Operations on files by name.
package enum FileSystem<Failure: FileFailure> {
    /// Creates a folder for its owner only. Returns `false` if it exists already.
    package static func makeFolder(_ path: String) throws(Failure) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw Failure(.now("create the folder", path)) }
        return false
    }

    /// Makes a folder for its owner only, if it is missing; its name is durable when this returns.
    package static func makeFolder(_ path: String, in parent: String) throws(Failure) {
        if try makeFolder(path) { try synchronizeFolder(parent) }
    }

    /// Makes the names in the folder durable.
    package static func synchronizeFolder(_ path: String) throws(Failure) {
        let folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Failure(.now("open the folder", path)) }
        defer { Glibc.close(folder) }
        guard fsync(folder) == 0 else { throw Failure(.now("synchronize the folder", path)) }
    }

    /// Renames a file, replacing `newPath` if it exists.
    package static func rename(_ path: String, to newPath: String) throws(Failure) {
        guard Glibc.rename(path, newPath) == 0 else { throw Failure(.now("rename", path)) }
    }

    /// Renames a file; fails with `EEXIST` if the new name has been taken meanwhile, and does not replace that file.
    package static func rename(_ path: String, toUnused newPath: String) throws(Failure) {
        // An empty file reserves the name first. The file systems of USB sticks have no links.
        let reserved = Glibc.open(newPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard reserved >= 0 else { throw Failure(.now("create", newPath)) }
        Glibc.close(reserved)
        guard Glibc.rename(path, newPath) == 0 else {
            let error = FileError.now("rename", path)
            unlink(newPath)
            throw Failure(error)
        }
    }

    /// Removes a file's name; a missing file is no error.
    package static func remove(_ path: String) throws(Failure) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw Failure(.now("remove", path))
    }

    /// Overwrites a file, then removes its name; a missing file is no error.
    ///
    /// Afterwards the blocks of the file hold zeros. It does not reach copies elsewhere: a file system that writes to
    /// other blocks (btrfs, ZFS, or ext4 with data in its journal), snapshots and backups, and flash memory, which also
    /// writes to other blocks. Only an encrypted disk helps there.
    package static func erase(_ path: String) throws(Failure) {
        guard let byteCount = try byteCount(of: path) else { return }
        if byteCount > 0 {
            do throws(FileError) { try OpenFile<FileError>(path, flags: O_WRONLY | O_NOFOLLOW).erase() } catch {
                // It may have been removed meanwhile.
                if error.isFileMissing { return }
                throw Failure(error)
            }
        }
        try remove(path)
    }

    /// Removes a folder with everything in it, or a file; links are removed, not followed. A missing path is no error.
    package static func removeTree(_ path: String) throws(Failure) {
        guard try isFolder(path) else { return try remove(path) }
        for name in try names(in: path) { try removeTree("\(path)/\(name)") }
        guard rmdir(path) == 0 || errno == ENOENT else { throw Failure(.now("remove the folder", path)) }
    }

    package static func isFolder(_ path: String) throws(Failure) -> Bool {
        var status = stat()
        if lstat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR }
        guard errno == ENOENT else { throw Failure(.now("examine", path)) }
        return false
    }

    /// Returns the length of the file in bytes, `nil` if there is none.
    package static func byteCount(of path: String) throws(Failure) -> UInt64? {
        var status = stat()
        if stat(path, &status) == 0 { return UInt64(status.st_size) }
        guard errno == ENOENT else { throw Failure(.now("examine", path)) }
        return nil
    }

    /// Truncates a file to `byteCount`; a missing or shorter one is no error.
    package static func cut(_ path: String, to limit: UInt64) throws(Failure) {
        guard let present = try byteCount(of: path), present > limit else { return }
        guard truncate(path, off_t(limit)) == 0 else { throw Failure(.now("truncate", path)) }
    }

    /// Returns the names in a folder, unordered; none if there is no folder.
    package static func names(in path: String) throws(Failure) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return [] }
            throw Failure(.now("list", path))
        }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw Failure(.now("list", path)) }
        return names
    }

    /// Replaces a small secret file atomically: written to a temporary file, synchronized, renamed. The caller
    /// synchronizes the folder.
    ///
    /// The old file is overwritten once the disk has the new one under its name: after an interruption either the old
    /// or the new secret is complete, never zeros.
    package static func replaceFile(_ path: String, with bytes: Span<UInt8>) throws(Failure) {
        let temporary = path + ".new"
        try erase(temporary)
        let old = try byteCount(of: path) == nil ? nil : OpenFile<Failure>(path, flags: O_WRONLY | O_NOFOLLOW)
        let file = try OpenFile<Failure>(temporary, flags: O_WRONLY | O_CREAT | O_EXCL)
        try file.write(bytes, at: 0)
        try file.synchronize()
        try rename(temporary, to: path)
        guard let old else { return }
        try synchronizeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        try old.erase()
    }

    /// Restricts an existing file to its owner; a missing one is no error.
    package static func restrictToOwner(_ path: String) throws(Failure) {
        guard chmod(path, 0o600) == 0 || errno == ENOENT else { throw Failure(.now("restrict", path)) }
    }

    /// Creates an empty file for its owner only, unless it exists.
    package static func makeFile(_ path: String) throws(Failure) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw Failure(.now("create", path)) }
            return
        }
        Glibc.close(descriptor)
    }

    /// Returns the regular files in a folder.
    package static func files(in folder: String) throws -> [FileStatus] {
        try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            guard attributes[.type] as? FileAttributeType == .typeRegular,
                let byteCount = (attributes[.size] as? NSNumber)?.uint64Value,
                let changed = attributes[.modificationDate] as? Date
            else { return nil }
            return FileStatus(name: name, byteCount: byteCount, age: .seconds(max(0, -changed.timeIntervalSinceNow)))
        }
    }
}

package struct FileStatus: Sendable {
    package let name: String
    package let byteCount: UInt64
    /// The time since the last modification, at least 0.
    package let age: Duration
}
