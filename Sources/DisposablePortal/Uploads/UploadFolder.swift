// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import Dispatch
internal import DisposableSystem
internal import DisposableWeb

/// The folder of the uploads: `<gallery's folder>/uploads/`.
///
/// ```
/// <session>-<upload>       an unfinished upload (`UploadFile`)
/// <session>-<upload>.done  what became of a settled one
/// <session>-<upload>.taken what the node needs to finish an upload without its client (`TakenUpload`)
/// tmp-<16 bytes>           plaintext on its way to the gallery, or a file not yet in its place; none outlives the
/// process
/// ```
/// The session's part is its hash, under which the node stores it anyway.
package struct UploadFolder: Sendable {
    package let path: String

    private static let settledSuffix = ".done"
    private static let takenSuffix = ".taken"
    private static let temporaryPrefix = "tmp-"

    struct Found: Sendable {
        let name: UploadName
        let isSettled: Bool
        /// Whether the node finishes it without its client.
        let isTaken: Bool
        let fileByteCount: UInt64
        let age: Duration
    }

    package init(in parent: String) { path = parent + "/uploads" }

    /// Makes the folder if it is missing, removes the remains of a stopped process, and lists the uploads.
    func open() throws -> [Found] {
        let end = path.lastIndex(of: "/")!  // by construction
        try Disk.makeFolder(path, in: String(path[..<end]))
        var found: [UploadName: Found] = [:]
        let files = try Disk.files(in: path)
        let taken = Set(
            files.filter { $0.name.hasSuffix(Self.takenSuffix) }
                .compactMap { Self.parse($0.name.dropLast(Self.takenSuffix.count)) }.filter { !$0.isSettled }.map(\.0))
        for file in files where !file.name.hasSuffix(Self.takenSuffix) {
            guard let (name, isSettled) = Self.parse(file.name) else {
                if file.name.hasPrefix(Self.temporaryPrefix) { try Disk.erase("\(path)/\(file.name)") }
                continue
            }
            // Stopped between the two steps of finishing: the outcome is there, the data is not needed.
            if let other = found[name] {
                try Disk.remove(self.path(of: name, isSettled: false))
                if other.isSettled { continue }
            }
            found[name] = Found(
                name: name, isSettled: isSettled, isTaken: taken.contains(name) && !isSettled,
                fileByteCount: file.byteCount, age: file.age)
        }
        // Stopped after settling, or between the two steps of dropping.
        for name in taken where found[name]?.isTaken != true { try Disk.remove(takenPath(of: name)) }
        return Array(found.values)
    }

    func path(of name: UploadName, isSettled: Bool) -> String {
        "\(path)/\(name.session)-\(name.upload)" + (isSettled ? Self.settledSuffix : "")
    }

    private func takenName(of name: UploadName) -> String { "\(name.session)-\(name.upload)\(Self.takenSuffix)" }
    private func takenPath(of name: UploadName) -> String { "\(path)/\(takenName(of: name))" }

    /// Returns once the description of a taken upload is on disk.
    func write(_ taken: TakenUpload, of name: UploadName, with nodeKey: SecretBytes) throws(FileError) {
        try DurableFile.write(taken.sealed(for: name, with: nodeKey), to: takenName(of: name), in: path)
    }

    /// Returns `nil` if there is none that opens.
    func taken(_ name: UploadName, with nodeKey: SecretBytes) throws(FileError) -> TakenUpload? {
        TakenUpload(
            opening: try DurableFile.read(takenName(of: name), in: path, byteCountMax: TakenUpload.byteCountMax),
            of: name, with: nodeKey)
    }

    func removeTaken(_ name: UploadName) throws(FileError) { try Disk.remove(takenPath(of: name)) }

    /// A path that nothing has; the caller that makes a file there removes it.
    func temporaryPath() -> String { "\(path)/\(Self.temporaryPrefix)\(UploadID())" }

    /// Overwrites and removes a file of plaintext. On a thread that may block, and also if the task was cancelled. If
    /// it fails, the next start repeats it.
    func eraseTemporary(_ path: String) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                do { try Disk.erase(path) } catch {}
                continuation.resume()
            }
        }
    }

    /// Returns once the names are durable.
    func synchronize() throws(FileError) { try Disk.synchronizeFolder(path) }

    func remove(_ name: UploadName, isSettled: Bool) throws(FileError) {
        try Disk.remove(path(of: name, isSettled: isSettled))
    }

    private static func parse(_ fileName: some StringProtocol) -> (UploadName, isSettled: Bool)? {
        let isSettled = fileName.hasSuffix(settledSuffix)
        let parts = fileName.dropLast(isSettled ? settledSuffix.count : 0).split(
            separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let session = Bytes32(hex: parts[0]), let upload = UploadID(hex: parts[1]) else {
            return nil
        }
        return (UploadName(session: session, upload: upload), isSettled)
    }
}
