// SPDX-License-Identifier: Apache-2.0
package import DisposableSystem
internal import Glibc

/// An open regular file, closed when it is released.
///
/// Opening by path does not follow a link in the last component and does not block, so a planted link or a named pipe
/// cannot make the process read another file, or hang.
package struct RegularFile: ~Copyable {
    private let file: OpenFile<ImagingError>
    package let byteCount: Int
    package var descriptor: Int32 { file.descriptor }

    package enum Access { case reading, updating }

    /// Throws `unreadable`, `notARegularFile` or `tooLarge`.
    package init(path: String, for access: Access) throws(ImagingError) {
        let mode = access == .reading ? O_RDONLY : O_RDWR
        try self.init(OpenFile(path, flags: mode | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY))
    }

    /// Takes ownership of an open descriptor, and closes it if this throws: `unreadable`, `notARegularFile` or
    /// `tooLarge`.
    package init(takingOver descriptor: Int32) throws(ImagingError) {
        try self.init(OpenFile(takingOver: descriptor, at: ""))
    }

    private init(_ file: OpenFile<ImagingError>) throws(ImagingError) {
        let byteCount = Int(try file.regularByteCount())
        guard byteCount <= ImagingLimits.fileByteCountMax else {
            throw .tooLarge(byteCount: byteCount, limit: ImagingLimits.fileByteCountMax)
        }
        (self.file, self.byteCount) = (file, byteCount)
    }

    /// Returns the bytes of `range`, fewer at the end of the file.
    package func bytes(in range: Range<Int>) throws(ImagingError) -> [UInt8] {
        try file.read(range.count, at: UInt64(range.lowerBound))
    }

    /// Overwrites the bytes at `offset`. The range is inside the file: this never extends it.
    func write(_ bytes: [UInt8], at offset: Int) throws(ImagingError) {
        precondition(offset >= 0 && offset + bytes.count <= byteCount, "write at \(offset) beyond \(byteCount)")
        try file.write(bytes, at: UInt64(offset))
    }
}

extension ImagingError: FileFailure {
    package init(_ error: FileError) {
        if case .notRegular = error { self = .notARegularFile } else { self = .unreadable(code: error.code) }
    }
}

extension MediaFormat {
    /// Returns the type of the file at `path`; nil if it is not accepted. Throws `unreadable`, `notARegularFile` or
    /// `tooLarge`.
    public static func sniff(fileAt path: String) throws(ImagingError) -> MediaFormat? {
        MediaFormat(sniffing: try RegularFile(path: path, for: .reading).bytes(in: 0..<sniffedByteCount))
    }
}
