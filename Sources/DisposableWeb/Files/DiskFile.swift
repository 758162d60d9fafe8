// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// An open file for its owner only, closed with the last reference. Every call blocks on the disk.
package final class DiskFile: Sendable {
    package enum Opening: Sendable {
        case reading, updating
        /// Fails if the name is taken.
        case creating
    }

    package let path: String
    private let descriptor: Int32

    package init(_ path: String, _ opening: Opening) throws(DiskError) {
        let flags =
            switch opening {
            case .reading: O_RDONLY
            case .updating: O_RDWR
            case .creating: O_RDWR | O_CREAT | O_EXCL
            }
        let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .now("open", path) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Writes all of `bytes`; after an error some of them may be written.
    package func write(_ bytes: [UInt8], at offset: UInt64) throws(DiskError) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset) + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .now("write", path) }
            done += count
        }
    }

    /// Reads up to `byteCount` bytes from `offset`, fewer only at the end of the file.
    package func read(_ byteCount: Int, at offset: UInt64) throws(DiskError) -> [UInt8] {
        var hasFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, done in
            while done < byteCount {
                let count = pread(descriptor, buffer.baseAddress! + done, byteCount - done, off_t(offset) + off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    hasFailed = count < 0
                    return
                }
                done += count
            }
        }
        guard !hasFailed else { throw .now("read", path) }
        return bytes
    }

    /// Overwrites the whole file with zeros; durable when this returns.
    package func erase() throws(DiskError) {
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .now("examine", path) }
        var offset: UInt64 = 0
        while offset < UInt64(status.st_size) {
            let count = min(UInt64(zeros.count), UInt64(status.st_size) - offset)
            try write(Array(zeros.prefix(Int(count))), at: offset)
            offset += count
        }
        try synchronize()
    }

    package func cut(toByteCount byteCount: UInt64) throws(DiskError) {
        guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw .now("cut", path) }
    }

    /// Returns once contents and length are durable.
    /// - Important: after an error it is unknown which of the bytes written since the last success are durable.
    package func synchronize() throws(DiskError) {
        guard fdatasync(descriptor) == 0 else { throw .now("synchronize", path) }
    }

    /// Sets the file's modification time to now.
    package func touch() throws(DiskError) {
        guard futimens(descriptor, nil) == 0 else { throw .now("touch", path) }
    }
}

/// A system error of a file operation.
package struct DiskError: Error, Equatable, Sendable, CustomStringConvertible {
    package let operation: String
    package let path: String
    package let code: Int32

    package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }
    package var isFileMissing: Bool { code == ENOENT }
    package var description: String { "could not \(operation) \(path): \(String(cString: strerror(code)))" }

    /// Returns the error of `errno`. Call it immediately after the failed call.
    package static func now(_ operation: String, _ path: String) -> DiskError {
        DiskError(operation: operation, path: path, code: errno)
    }
}

/// Operations on files by name.
package enum Disk {
    package struct FileStatus: Sendable {
        package let name: String
        package let byteCount: UInt64
        /// The time since the last modification, at least 0.
        package let age: Duration
    }

    /// Makes a folder for its owner only, if it is missing; its name is durable when this returns.
    package static func makeFolder(_ path: String, in parent: String) throws(DiskError) {
        if mkdir(path, 0o700) == 0 { return try synchronizeFolder(parent) }
        guard errno == EEXIST else { throw .now("make the folder", path) }
    }

    /// Returns once the names in the folder are durable.
    package static func synchronizeFolder(_ path: String) throws(DiskError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .now("open the folder", path) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw .now("synchronize the folder", path) }
    }

    /// Replaces `newPath` if it exists.
    package static func rename(_ path: String, to newPath: String) throws(DiskError) {
        guard Glibc.rename(path, newPath) == 0 else { throw .now("rename", path) }
    }

    /// Removes a file; a missing file is not an error.
    package static func remove(_ path: String) throws(DiskError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .now("remove", path) }
    }

    /// Overwrites a file, then removes its name; a missing file is not an error.
    ///
    /// After this the blocks of the file contain zeros. Copies elsewhere remain: in copy-on-write file systems,
    /// snapshots, backups and flash memory. Only an encrypted disk protects those.
    package static func erase(_ path: String) throws(DiskError) {
        do throws(DiskError) { try DiskFile(path, .updating).erase() } catch  where error.isFileMissing { return }
        try remove(path)
    }

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

    /// Returns the size of the disk of `path`, and the space that unprivileged users can still use.
    package static func volume(of path: String) throws(DiskError) -> (byteCount: UInt64, freeByteCount: UInt64) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw .now("examine the disk of", path) }
        let blockByteCount = UInt64(status.f_frsize)
        return (UInt64(status.f_blocks) * blockByteCount, UInt64(status.f_bavail) * blockByteCount)
    }
}
