// SPDX-License-Identifier: Apache-2.0
public import DisposableModel

/// The reason why the store could not complete a request: the environment failed, or the stored data is corrupt.
public enum StoreError: Error, Equatable, Sendable {
    // The environment
    /// The volume of `path` is full, or the disk quota is used up. Retry once there is room.
    case diskFull(path: String)
    /// The request would leave less free on the volume of `path` than the reserve (`DiskReserve`).
    case belowReserve(path: String, freeByteCount: UInt64, reserveByteCount: UInt64)
    /// A system call on `path` failed; `reason` is the system's text.
    case file(operation: String, path: String, code: Int32, reason: String)
    /// Another process, or another store of this one, has the event's folder open.
    case inUse(path: String)
    /// SQLite's result code and message.
    case database(path: String, code: Int32, message: String)

    // Stored data
    case eventExists(path: String)
    case keyMissing(path: String)
    case keyByteCount(path: String, byteCount: Int)
    /// The key file does not belong to the event of this folder.
    case keyMismatch(path: String)
    /// An event's folder without its database, or with an empty file instead.
    case databaseMissing(path: String)
    case foreignDatabase(path: String, applicationID: Int32)
    /// Written by a later version of this program.
    case newerDatabase(path: String, version: Int32)
    /// Written before version 1 was frozen.
    case olderDatabase(path: String)
    /// The row at this position is no operation, or, without a reason, does not match its id.
    case corruptOperation(position: Int64, OperationError?)
    /// The storage key does not open the stored body, or the body was changed.
    case bodyDoesNotOpen(OperationID)

    // Blobs
    /// This node does not have the chunk.
    case notHere(BlobRoot, chunk: Int)
    /// The blob is incomplete.
    case incomplete(BlobRoot)
    /// The bytes on disk are not those that were stored, or cannot be read. Taking the blob back and fetching the
    /// missing chunks repairs it.
    case damaged(BlobRoot)
    /// The bytes are the blob's, but the reference's key or length does not fit: fetching again would change nothing.
    case unreadable(BlobRoot)
    /// A chunk whose list does not give the root, or whose index or length is not in the layout.
    case malformedChunk(BlobRoot, chunk: Int)
    case blobByteCount(UInt64, limit: UInt64)

    // Files to import
    case notRegularFile(path: String)
    /// The file was written to during its import.
    case changedWhileReading(path: String)
}

extension StoreError {
    /// Whether the only cause is lack of disk space.
    public var isDiskFull: Bool {
        switch self {
        case .diskFull, .belowReserve: true
        default: false
        }
    }
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .diskFull(let path): "no room left on the volume of \(path)"
        case .belowReserve(let path, let free, let reserve):
            "\(free >> 20) MiB are free on the volume of \(path), of which \(reserve >> 20) MiB are kept free"
        case .file(let operation, let path, _, let reason): "could not \(operation) \(path): \(reason)"
        case .inUse(let path): "the folder \(path) is in use by another process or store"
        case .database(let path, let code, let message): "database \(path): \(message) (code \(code))"
        case .eventExists(let path): "the folder \(path) already contains the event"
        case .keyMissing(let path): "the key file \(path) is missing"
        case .keyByteCount(let path, let byteCount): "the key file \(path) has \(byteCount) bytes instead of 32"
        case .keyMismatch(let path): "the key file \(path) belongs to another event"
        case .databaseMissing(let path): "the database \(path) is missing or empty"
        case .foreignDatabase(let path, let id): "\(path) is the database of another program (application id \(id))"
        case .newerDatabase(let path, let version): "\(path) was written by a later version (schema \(version))"
        case .olderDatabase(let path): "\(path) was written before version 1, whose events this version cannot read"
        case .corruptOperation(let position, let reason):
            "the stored operation at position \(position) is corrupt" + (reason.map { ": \($0)" } ?? "")
        case .bodyDoesNotOpen(let id): "the stored body of operation \(id.short) does not open with this storage key"
        case .notHere(let root, let chunk): "chunk \(chunk) of blob \(root.short) is not here"
        case .incomplete(let root): "blob \(root.short) is not complete"
        case .damaged(let root): "blob \(root.short) is corrupt on disk"
        case .unreadable(let root): "blob \(root.short) does not open with its reference"
        case .malformedChunk(let root, let chunk): "chunk \(chunk) does not fit blob \(root.short)"
        case .blobByteCount(let byteCount, let limit): "blob of \(byteCount) bytes; allowed are 1 to \(limit)"
        case .notRegularFile(let path): "\(path) is not a regular file"
        case .changedWhileReading(let path): "\(path) changed while it was being read"
        }
    }
}
