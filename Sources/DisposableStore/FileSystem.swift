// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Operations on files by name.
enum FileSystem {
    /// Creates a folder for its owner only. Returns `false` if it exists already.
    static func makeFolder(_ path: String) throws(StoreError) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw .system("create the folder", path) }
        return false
    }

    /// Makes the names in the folder durable.
    static func synchronizeFolder(_ path: String) throws(StoreError) {
        let folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .system("open the folder", path) }
        defer { Glibc.close(folder) }
        guard fsync(folder) == 0 else { throw .system("synchronize the folder", path) }
    }

    /// Renames a file, replacing `newPath` if it exists.
    static func rename(_ path: String, to newPath: String) throws(StoreError) {
        guard Glibc.rename(path, newPath) == 0 else { throw .system("rename", path) }
    }

    /// Removes a file's name; a missing file is no error.
    static func remove(_ path: String) throws(StoreError) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw .system("remove", path)
    }

    /// Overwrites a file, then removes its name; a missing file is no error.
    ///
    /// Afterwards the blocks of the file hold zeros. It does not reach copies elsewhere: a file system that writes to
    /// other blocks (btrfs, ZFS, or ext4 with data in its journal), snapshots and backups, and flash memory, which also
    /// writes to other blocks. Only an encrypted disk helps there.
    static func erase(_ path: String) throws(StoreError) {
        guard let byteCount = try byteCount(of: path) else { return }
        if byteCount > 0 { try OpenFile(path, flags: O_WRONLY | O_NOFOLLOW).erase() }
        try remove(path)
    }

    /// Removes a folder with everything in it, or a file; links are removed, not followed. A missing path is no error.
    static func removeTree(_ path: String) throws(StoreError) {
        guard try isFolder(path) else { return try remove(path) }
        for name in try names(in: path) { try removeTree("\(path)/\(name)") }
        guard rmdir(path) == 0 || errno == ENOENT else { throw .system("remove the folder", path) }
    }

    static func isFolder(_ path: String) throws(StoreError) -> Bool {
        var status = stat()
        if lstat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR }
        guard errno == ENOENT else { throw .system("examine", path) }
        return false
    }

    /// Returns the length of the file in bytes, `nil` if there is none.
    static func byteCount(of path: String) throws(StoreError) -> UInt64? {
        var status = stat()
        if stat(path, &status) == 0 { return UInt64(status.st_size) }
        guard errno == ENOENT else { throw .system("examine", path) }
        return nil
    }

    /// Truncates a file to `byteCount`; a missing or shorter one is no error.
    static func cut(_ path: String, to limit: UInt64) throws(StoreError) {
        guard let present = try byteCount(of: path), present > limit else { return }
        guard truncate(path, off_t(limit)) == 0 else { throw .system("truncate", path) }
    }

    /// Returns the names in a folder, unordered; none if there is no folder.
    static func names(in path: String) throws(StoreError) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return [] }
            throw .system("list", path)
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
        guard errno == 0 else { throw .system("list", path) }
        return names
    }

    /// Replaces a small secret file atomically: written to a temporary file, synchronized, renamed. The caller
    /// synchronizes the folder.
    ///
    /// The old file is overwritten once the disk has the new one under its name: after an interruption either the old
    /// or the new secret is complete, never zeros.
    static func replaceFile(_ path: String, with bytes: Span<UInt8>) throws(StoreError) {
        let temporary = path + ".new"
        try erase(temporary)
        let old = try byteCount(of: path) == nil ? nil : OpenFile(path, flags: O_WRONLY | O_NOFOLLOW)
        let file = try OpenFile(temporary, flags: O_WRONLY | O_CREAT | O_EXCL)
        try file.write(bytes, at: 0)
        try file.synchronize()
        try rename(temporary, to: path)
        guard let old else { return }
        try synchronizeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        try old.erase()
    }

    /// Restricts an existing file to its owner; a missing one is no error.
    static func restrictToOwner(_ path: String) throws(StoreError) {
        guard chmod(path, 0o600) == 0 || errno == ENOENT else { throw .system("restrict", path) }
    }

    /// Creates an empty file for its owner only, unless it exists.
    static func makeFile(_ path: String) throws(StoreError) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw .system("create", path) }
            return
        }
        Glibc.close(descriptor)
    }
}
