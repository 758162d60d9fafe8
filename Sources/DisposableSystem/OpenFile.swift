// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// An open file, closed when the last reference is released. Reads and writes give their offset, so threads may share
/// one. Every call blocks on the disk.
package final class OpenFile<Failure: FileFailure>: Sendable {
    /// The path at which the file was opened, for messages; it may have been renamed since.
    package let path: String
    package let descriptor: Int32

    /// Creates files for their owner only. Children do not inherit the descriptor: a worker that lives longer must not
    /// hold a lock or a deleted file.
    package init(_ path: String, flags: Int32) throws(Failure) {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(.now("open", path)) }
        self.path = path
        self.descriptor = descriptor
    }

    /// Takes ownership of an open descriptor.
    /// - Parameter path: for messages.
    package init(takingOver descriptor: Int32, at path: String) { (self.descriptor, self.path) = (descriptor, path) }

    /// Opens a file, not a link.
    package convenience init(_ path: String, _ opening: FileOpening) throws(Failure) {
        try self.init(path, flags: opening.flags | O_NOFOLLOW)
    }

    deinit { Glibc.close(descriptor) }

    /// Writes all of `bytes`; after an error some of them may be written.
    package func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(Failure) {
        try Self.write(bytes, at: offset, descriptor: descriptor, path: path)
    }

    package func write(_ bytes: [UInt8], at offset: UInt64) throws(Failure) { try write(bytes.span, at: offset) }

    /// Does the same for a file that the caller has opened.
    package static func write(
        _ bytes: Span<UInt8>, at offset: UInt64, descriptor: Int32, path: String
    ) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let count = bytes.extracting(droppingFirst: done).withUnsafeBufferPointer {
                Glibc.pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset) + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(.now("write", path)) }
            done += count
        }
    }

    /// Reads up to `byteCount` bytes from `offset`, fewer only at the end of the file.
    package func read(_ byteCount: Int, at offset: UInt64) throws(Failure) -> [UInt8] {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, done in
            while done < byteCount {
                let count = Glibc.pread(
                    descriptor, buffer.baseAddress! + done, byteCount - done, off_t(offset) + off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    failed = count < 0
                    return
                }
                done += count
            }
        }
        guard !failed else { throw Failure(.now("read", path)) }
        return bytes
    }

    /// Makes the contents durable (fdatasync: data and length).
    ///   - Important: after an error it is unknown which of the bytes written since the last success are on disk.
    package func synchronize() throws(Failure) {
        guard Glibc.fdatasync(descriptor) == 0 else { throw Failure(.now("synchronize", path)) }
    }

    /// Returns the length in bytes. Throws `FileError.notRegular` for folders, pipes and devices.
    package func regularByteCount() throws(Failure) -> UInt64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(.now("examine", path)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(.notRegular(path: path)) }
        return UInt64(status.st_size)
    }

    /// Overwrites the whole file with zeros; durable when this returns.
    package func erase() throws(Failure) {
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        let byteCount = try regularByteCount()
        var offset: UInt64 = 0
        while offset < byteCount {
            let count = min(UInt64(zeros.count), byteCount - offset)
            try write(zeros.span.extracting(first: Int(count)), at: offset)
            offset += count
        }
        try synchronize()
    }

    package func cut(toByteCount byteCount: UInt64) throws(Failure) {
        guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw Failure(.now("cut", path)) }
    }

    /// Sets the file's modification time to now.
    package func touch() throws(Failure) {
        guard futimens(descriptor, nil) == 0 else { throw Failure(.now("touch", path)) }
    }

    package static var readWriteCreating: Int32 { O_RDWR | O_CREAT }
    package static var readWrite: Int32 { O_RDWR }
    package static var readOnly: Int32 { O_RDONLY }

    /// Takes the exclusive lock of this open file; the system releases it when the file is closed, even if the process
    /// dies. Throws `FileError.inUse` if another has it.
    package func lock() throws(Failure) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        throw Failure(errno == EWOULDBLOCK ? .inUse(path: path) : .now("lock", path))
    }

    /// Releases the lock now. Closing alone would do so slightly later if a program is just being started, which has
    /// every descriptor of its parent until it runs.
    package func unlock() { _ = flock(descriptor, LOCK_UN) }
}

package enum FileOpening: Sendable {
    case reading, updating
    /// Fails if the name is taken.
    case creating

    fileprivate var flags: Int32 {
        switch self {
        case .reading: O_RDONLY
        case .updating: O_RDWR
        case .creating: O_RDWR | O_CREAT | O_EXCL
        }
    }
}
