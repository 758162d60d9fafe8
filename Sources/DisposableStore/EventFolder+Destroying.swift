// SPDX-License-Identifier: Apache-2.0
internal import DisposableSystem
internal import Glibc

/// Forgetting a whole event.
extension EventFolder {
    /// Overwrites the keys, then removes the folder with everything in it. Call it again after an interruption at any
    /// moment; a missing folder is no error.
    ///
    /// Sealed data in the database and the blobs cannot be read without the keys, even if the disk keeps deleted
    /// blocks. No store may have the folder open.
    public func destroy() throws(StoreError) {
        // The key that opens all bodies goes first.
        for path in [keyPath(.storage)] + (try StoreFileSystem.names(in: keysPath).map { "\(keysPath)/\($0)" }) {
            guard try StoreFileSystem.byteCount(of: path) != nil else { continue }
            try StoreFile(path, flags: O_WRONLY).erase()
        }
        try StoreFileSystem.removeTree(path)
        if try StoreFileSystem.isFolder(eventsPath) { try StoreFileSystem.synchronizeFolder(eventsPath) }
    }
}
