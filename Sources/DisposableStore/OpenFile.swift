// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// An open file, closed when the last reference is released. Reads and writes give their offset, so threads may share
/// one.
final class OpenFile: Sendable {
    /// The path at which the file was opened, for messages; it may have been renamed since.
    let path: String
    private let descriptor: Int32

    /// Children do not inherit the descriptor: a worker that lives longer must not hold a lock or a deleted file.
    init(_ path: String, flags: Int32, mode: mode_t = 0o600) throws(StoreError) {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .system("open", path) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { Glibc.close(descriptor) }

    /// Writes all of `bytes`; after an error some of them may be written.
    func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) {
        try Self.write(bytes, at: offset, descriptor: descriptor, path: path)
    }

    /// Does the same for a file that the caller has opened.
    static func write(
        _ bytes: Span<UInt8>, at offset: UInt64, descriptor: Int32, path: String
    ) throws(StoreError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.extracting(droppingFirst: done).withUnsafeBufferPointer {
                Glibc.pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset) + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system("write", path) }
            done += count
        }
    }

    /// Reads up to `byteCount` bytes from `offset`, fewer only at the end of the file.
    func read(_ byteCount: Int, at offset: UInt64) throws(StoreError) -> [UInt8] {
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
        guard !failed else { throw .system("read", path) }
        return bytes
    }

    /// Makes the contents durable (fdatasync: data and length).
    ///   - Important: after an error it is unknown which of the bytes written since the last success are on disk.
    func synchronize() throws(StoreError) {
        guard Glibc.fdatasync(descriptor) == 0 else { throw .system("synchronize", path) }
    }

    /// Returns the length in bytes. Throws `StoreError.notRegularFile` for folders, pipes and devices.
    func regularByteCount() throws(StoreError) -> UInt64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system("examine", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegularFile(path: path) }
        return UInt64(status.st_size)
    }

    /// Overwrites the whole file with zeros; durable when this returns.
    func erase() throws(StoreError) {
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

    static let readWriteCreating = O_RDWR | O_CREAT
    static let readWrite = O_RDWR
    static let readOnly = O_RDONLY

    /// Takes the exclusive lock of this open file; the system releases it when the file is closed, even if the process
    /// dies.
    func lock() throws(StoreError) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        if errno == EWOULDBLOCK { throw .inUse(path: path) }
        throw .system("lock", path)
    }

    /// Releases the lock now. Closing alone would do so slightly later if a program is just being started, which has
    /// every descriptor of its parent until it runs.
    func unlock() { _ = flock(descriptor, LOCK_UN) }
}

extension StoreError {
    /// Returns the error of the present `errno`. Call it right after the failed call.
    static func system(_ operation: String, _ path: String) -> StoreError {
        let code = errno
        switch code {
        case ENOSPC, EDQUOT: return .diskFull(path: path)
        default: return .file(operation: operation, path: path, code: code, reason: String(cString: strerror(code)))
        }
    }

    /// Whether the disk could not read the bytes.
    var isUnreadableMedium: Bool {
        if case .file("read", _, EIO, _) = self { true } else { false }
    }

    var isFileMissing: Bool {
        if case .file(_, _, ENOENT, _) = self { true } else { false }
    }
}
