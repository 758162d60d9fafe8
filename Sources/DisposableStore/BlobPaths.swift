// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSystem

/// The paths of blobs: `ab/cd/<root>`, from the root's first two bytes, so that no folder grows large.
struct BlobPaths {
    let base: String

    enum Suffix: String {
        case whole = ""
        /// Written at offsets; not complete.
        case part = ".part"
    }

    func folder(of root: BlobRoot) -> String {
        let hex = root.description
        return "\(base)/\(hex.prefix(2))/\(hex.dropFirst(2).prefix(2))"
    }

    func path(of root: BlobRoot, _ suffix: Suffix = .whole) -> String {
        "\(folder(of: root))/\(root)\(suffix.rawValue)"
    }

    /// Creates the blob's folder if it is missing.
    /// - Returns: the folders whose names must be synchronized before a file in the blob's folder is durable.
    func makeFolder(of root: BlobRoot) throws(StoreError) -> Set<String> {
        let folder = folder(of: root)
        let parent = String(folder.dropLast(3))
        var changed: Set<String> = [folder]
        if try StoreFileSystem.makeFolder(parent) { changed.insert(base) }
        if try StoreFileSystem.makeFolder(folder) { changed.insert(parent) }
        return changed
    }

    /// Visits every file with the name and location of a blob.
    func forEachFile(_ body: (BlobRoot, Suffix) throws(StoreError) -> Void) throws(StoreError) {
        try forEachPath { (path, blob) throws(StoreError) in if let blob { try body(blob.root, blob.suffix) } }
    }

    /// Visits every file, with its blob if it has one.
    func forEachPath(
        _ body: (_ path: String, _ blob: (root: BlobRoot, suffix: Suffix)?) throws(StoreError) -> Void
    ) throws(StoreError) {
        for first in try StoreFileSystem.names(in: base) {
            for second in try StoreFileSystem.names(in: "\(base)/\(first)") {
                for name in try StoreFileSystem.names(in: "\(base)/\(first)/\(second)") {
                    let path = "\(base)/\(first)/\(second)/\(name)"
                    if let root = BlobRoot(hex: name.prefix(64)),
                        let suffix = Suffix(rawValue: String(name.dropFirst(64))), self.path(of: root, suffix) == path
                    {
                        try body(path, (root, suffix))
                    } else {
                        try body(path, nil)
                    }
                }
            }
        }
    }
}
