// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The failure of an operation on a file.
package enum FileError: Error, Equatable, Sendable {
    /// A system call failed; `code` is its `errno`.
    case system(operation: String, path: String, code: Int32)
    /// A folder, pipe or device where a file is needed.
    case notRegular(path: String)
    /// Another process, or another open file of this one, has the lock.
    case inUse(path: String)

    /// Returns the error of the present `errno`. Call it right after the failed call.
    package static func now(_ operation: String, _ path: String) -> FileError {
        .system(operation: operation, path: path, code: errno)
    }

    package var code: Int32 {
        switch self {
        case .system(_, _, let code): code
        case .notRegular: EINVAL
        case .inUse: EWOULDBLOCK
        }
    }

    /// The system's text for the code.
    package var reason: String { String(cString: strerror(code)) }
    package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }
    package var isFileMissing: Bool { code == ENOENT }
}

extension FileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let operation, let path, _): "could not \(operation) \(path): \(reason)"
        case .notRegular(let path): "\(path) is not a regular file"
        case .inUse(let path): "\(path) is in use"
        }
    }
}

/// A layer's own error type, which its files throw. It maps every `FileError`.
package protocol FileFailure: Error {
    init(_ error: FileError)
}

extension FileError: FileFailure {
    package init(_ error: FileError) { self = error }
}

/// For layers without an error type of their own.
package typealias DiskFile = OpenFile<FileError>
/// For layers without an error type of their own.
package typealias Disk = FileSystem<FileError>
