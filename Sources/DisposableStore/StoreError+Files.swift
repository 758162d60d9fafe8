// SPDX-License-Identifier: Apache-2.0
package import DisposableSystem
internal import Glibc

typealias StoreFile = DisposableSystem.OpenFile<StoreError>
typealias StoreFileSystem = DisposableSystem.FileSystem<StoreError>

extension StoreError: FileFailure {
    package init(_ error: FileError) {
        switch error {
        case .system(_, let path, _) where error.isDiskFull: self = .diskFull(path: path)
        case .system(let operation, let path, let code):
            self = .file(operation: operation, path: path, code: code, reason: error.reason)
        case .notRegular(let path): self = .notRegularFile(path: path)
        case .inUse(let path): self = .inUse(path: path)
        }
    }

    /// Returns the error of the present `errno`. Call it right after the failed call.
    static func system(_ operation: String, _ path: String) -> StoreError { StoreError(.now(operation, path)) }

    /// Whether the disk could not read the bytes.
    var isUnreadableMedium: Bool {
        if case .file("read", _, EIO, _) = self { true } else { false }
    }

    var isFileMissing: Bool {
        if case .file(_, _, ENOENT, _) = self { true } else { false }
    }
}
