// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Forgetting an event whole.
extension EventFolder {
    /// Overwrites the keys, then removes the folder with everything in it. Interrupted at any moment it is to be called
    /// again; a folder that is gone is in order.
    ///
    /// What is sealed in the database and the blobs cannot be read without the keys, also where the disk keeps deleted
    /// blocks. No store may have the folder open.
    public func destroy() throws(StoreError) {
        // The key that opens all the others' bodies goes first.
        for path in [keyPath(.storage)] + (try FileSystem.names(in: keysPath).map { "\(keysPath)/\($0)" }) {
            guard try FileSystem.byteCount(of: path) != nil else { continue }
            try OpenFile(path, flags: O_WRONLY).erase()
        }
        try FileSystem.removeTree(path)
        if try FileSystem.isFolder(eventsPath) { try FileSystem.synchronizeFolder(eventsPath) }
    }
}
