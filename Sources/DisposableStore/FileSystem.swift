// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What is done to files by name.
enum FileSystem {
    /// Makes a folder for its owner only. `false` when it was there already.
    static func makeFolder(_ path: String) throws(StoreError) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw .system("make the folder", path) }
        return false
    }

    /// Returns once the names in the folder are on disk.
    static func synchronizeFolder(_ path: String) throws(StoreError) {
        let folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .system("open the folder", path) }
        defer { Glibc.close(folder) }
        guard fsync(folder) == 0 else { throw .system("synchronize the folder", path) }
    }

    /// Replaces `newPath` where it exists.
    static func rename(_ path: String, to newPath: String) throws(StoreError) {
        guard Glibc.rename(path, newPath) == 0 else { throw .system("rename", path) }
    }

    /// Removes a file's name; one that is not there is in order.
    static func remove(_ path: String) throws(StoreError) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw .system("remove", path)
    }

    /// Overwrites a file, then removes its name; one that is not there is in order.
    ///
    /// After this the blocks of the file hold zeros. Not reached are copies that others keep: a file system that writes
    /// elsewhere (btrfs, ZFS, or ext4 with data in its journal), snapshots and backups, and flash memory, which also
    /// writes elsewhere. Only an encrypted disk helps there.
    static func erase(_ path: String) throws(StoreError) {
        guard let byteCount = try byteCount(of: path) else { return }
        if byteCount > 0 { try OpenFile(path, flags: O_WRONLY | O_NOFOLLOW).erase() }
        try remove(path)
    }

    /// Removes a folder with everything in it, or a file; links are removed, not followed. What is not there is in
    /// order.
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

    /// Length of the file in bytes, `nil` where there is none.
    static func byteCount(of path: String) throws(StoreError) -> UInt64? {
        var status = stat()
        if stat(path, &status) == 0 { return UInt64(status.st_size) }
        guard errno == ENOENT else { throw .system("examine", path) }
        return nil
    }

    /// Takes away what a file has beyond `byteCount`; one that is missing or shorter is in order.
    static func cut(_ path: String, to limit: UInt64) throws(StoreError) {
        guard let present = try byteCount(of: path), present > limit else { return }
        guard truncate(path, off_t(limit)) == 0 else { throw .system("cut", path) }
    }

    /// The names in a folder, in no order; none where there is no folder.
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

    /// Puts a small secret file in place as a whole: written beside it, on disk, renamed. The caller synchronizes the
    /// folder.
    ///
    /// The file that was there is overwritten, once the disk has the new one under its name: a stop in between leaves
    /// the old or the new secret whole, never zeros.
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

    /// Leaves an existing file to its owner alone; one that is missing is in order.
    static func restrictToOwner(_ path: String) throws(StoreError) {
        guard chmod(path, 0o600) == 0 || errno == ENOENT else { throw .system("restrict", path) }
    }

    /// Makes an empty file for its owner only, unless there is one.
    static func makeFile(_ path: String) throws(StoreError) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw .system("make", path) }
            return
        }
        Glibc.close(descriptor)
    }
}
