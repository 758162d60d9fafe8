// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
internal import Dispatch

/// Whose upload, and which.
package struct UploadName: Hashable, Sendable {
    package let session: Bytes32
    package let upload: UploadID

    package init(session: Bytes32, upload: UploadID) {
        self.session = session
        self.upload = upload
    }
}

/// Where uploads lie: `<gallery's folder>/uploads/`.
///
/// ```
/// <session>-<upload>       an unfinished upload (`UploadFile`)
/// <session>-<upload>.done  what became of a settled one
/// tmp-<16 bytes>           plaintext on its way to the gallery, or a file not yet in its place; none outlives the
/// process
/// ```
/// The session's part is its hash, under which the node keeps it anyway.
package struct UploadFolder: Sendable {
    package let path: String

    private static let settledSuffix = ".done"
    private static let temporaryPrefix = "tmp-"

    struct Found: Sendable {
        let name: UploadName
        let isSettled: Bool
        let fileByteCount: UInt64
        let age: Duration
    }

    package init(in parent: String) { path = parent + "/uploads" }

    /// Makes the folder unless it is there, clears what a stopped process has left in it, and lists the uploads.
    func open() throws -> [Found] {
        let end = path.lastIndex(of: "/")!  // by construction
        try Disk.makeFolder(path, in: String(path[..<end]))
        var found: [UploadName: Found] = [:]
        for file in try Disk.files(in: path) {
            guard let (name, isSettled) = Self.parse(file.name) else {
                if file.name.hasPrefix(Self.temporaryPrefix) { try Disk.erase("\(path)/\(file.name)") }
                continue
            }
            // Stopped between the two steps of settling: the outcome is there, the data is not needed.
            if let other = found[name] {
                try Disk.remove(self.path(of: name, isSettled: false))
                if other.isSettled { continue }
            }
            found[name] = Found(name: name, isSettled: isSettled, fileByteCount: file.byteCount, age: file.age)
        }
        return Array(found.values)
    }

    func path(of name: UploadName, isSettled: Bool) -> String {
        "\(path)/\(name.session)-\(name.upload)" + (isSettled ? Self.settledSuffix : "")
    }

    /// A path that nothing has; whoever makes a file there removes it.
    func temporaryPath() -> String { "\(path)/\(Self.temporaryPrefix)\(UploadID())" }

    /// Overwrites and removes a file of plaintext. On a thread that may block, and even where the task was cancelled.
    /// What fails, the next start clears.
    func eraseTemporary(_ path: String) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                do { try Disk.erase(path) } catch {}
                continuation.resume()
            }
        }
    }

    /// Returns once the names are on disk.
    func synchronize() throws(DiskError) { try Disk.synchronizeFolder(path) }

    func remove(_ name: UploadName, isSettled: Bool) throws(DiskError) {
        try Disk.remove(path(of: name, isSettled: isSettled))
    }

    private static func parse(_ fileName: String) -> (UploadName, isSettled: Bool)? {
        let isSettled = fileName.hasSuffix(settledSuffix)
        let parts = fileName.dropLast(isSettled ? settledSuffix.count : 0).split(
            separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let session = Bytes32(hex: parts[0]), let upload = UploadID(hex: parts[1]) else {
            return nil
        }
        return (UploadName(session: session, upload: upload), isSettled)
    }
}
