// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// An open regular file, closed when it is released.
///
/// Opening by path does not follow a link in the last component and does not block, so a planted link or a named pipe
/// cannot make the process read another file, or hang.
package struct RegularFile: ~Copyable {
    package let descriptor: Int32
    package let byteCount: Int

    package enum Access { case reading, updating }

    /// Throws `unreadable`, `notARegularFile` or `tooLarge`.
    package init(path: String, for access: Access) throws(ImagingError) {
        let mode = access == .reading ? O_RDONLY : O_RDWR
        let descriptor = open(path, mode | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .unreadable(code: errno) }
        do throws(ImagingError) {
            byteCount = try Self.checkedByteCount(of: descriptor)
            self.descriptor = descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Takes ownership of an open descriptor, and closes it if this throws: `unreadable`, `notARegularFile` or
    /// `tooLarge`.
    package init(takingOver descriptor: Int32) throws(ImagingError) {
        do throws(ImagingError) {
            byteCount = try Self.checkedByteCount(of: descriptor)
            self.descriptor = descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func checkedByteCount(of descriptor: Int32) throws(ImagingError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile }
        let byteCount = Int(status.st_size)
        guard byteCount <= ImagingLimits.fileByteCountMax else {
            throw .tooLarge(byteCount: byteCount, limit: ImagingLimits.fileByteCountMax)
        }
        return byteCount
    }

    deinit { close(descriptor) }

    /// Returns the bytes of `range`, fewer at the end of the file.
    package func bytes(in range: Range<Int>) throws(ImagingError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + count, $0.count - count, off_t(range.lowerBound + count))
            }
            if read < 0 {
                if errno == EINTR { continue }
                throw .unreadable(code: errno)
            }
            if read == 0 { break }
            count += read
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Overwrites the bytes at `offset`. The range is inside the file: this never extends it.
    func write(_ bytes: [UInt8], at offset: Int) throws(ImagingError) {
        precondition(offset >= 0 && offset + bytes.count <= byteCount, "write at \(offset) beyond \(byteCount)")
        var count = 0
        while count < bytes.count {
            let written = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress! + count, $0.count - count, off_t(offset + count))
            }
            if written < 0 {
                if errno == EINTR { continue }
                throw .unreadable(code: errno)
            }
            count += written
        }
    }
}

extension MediaType {
    /// Returns the type of the file at `path`; nil if it is not accepted. Throws `unreadable`, `notARegularFile` or
    /// `tooLarge`.
    public static func sniff(fileAt path: String) throws(ImagingError) -> MediaType? {
        MediaType(sniffing: try RegularFile(path: path, for: .reading).bytes(in: 0..<sniffedByteCount))
    }
}
