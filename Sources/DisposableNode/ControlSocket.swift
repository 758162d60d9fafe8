// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import Glibc

/// Where a running node listens for the command line: `node.sock` in the data folder, or, as the path of a socket has at
/// most 107 bytes, in a folder of its own for a data folder with a long path.
///
/// That folder has a name that others on this machine can guess, and what goes through the socket is secret. So it is
/// used only where it belongs to this user, nobody else may enter it, and it is no symbolic link.
package struct ControlSocket: Sendable {
    private static let pathByteCountMax = 100

    /// The folders that a node may use, the one that it prefers first; a command looks into all of them, as it may have
    /// another environment.
    package let folders: [String]
    /// Whether the folders are ones of the data folder's own, so that nothing of this has to be checked.
    private let isInDataFolder: Bool

    /// - Parameters:
    ///   - dataFolder: the path of the data folder.
    ///   - runtimeFolder: `XDG_RUNTIME_DIR`; used where it belongs to this user alone.
    ///   - sharedFolder: where everybody may make folders.
    package init(dataFolder: String, runtimeFolder: String?, sharedFolder: String = "/tmp") {
        guard Self.path(in: dataFolder).utf8.count > Self.pathByteCountMax else {
            (folders, isInDataFolder) = ([dataFolder], true)
            return
        }
        let hash = BLAKE2b.hash(Array(Self.path(in: dataFolder).utf8)).short
        var folders = ["\(sharedFolder)/disposable-\(getuid())-\(hash)"]
        if let runtimeFolder, runtimeFolder.hasPrefix("/"), (try? Self.check(runtimeFolder)) != nil {
            let folder = "\(runtimeFolder)/disposable-\(hash)"
            if Self.path(in: folder).utf8.count <= Self.pathByteCountMax { folders.insert(folder, at: 0) }
        }
        (self.folders, isInDataFolder) = (folders, false)
    }

    static func path(in folder: String) -> String { folder + "/node.sock" }

    /// The path for a node to listen at; its folder is there. Throws `NodeError.unsafeSocketFolder`.
    package func make() throws -> String {
        let folder = folders[0]
        if !isInDataFolder {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                throw NodeError.system("mkdir \(folder)", code: errno)
            }
            try Self.check(folder)
        }
        return Self.path(in: folder)
    }

    /// The paths at which a node of this user may listen. A folder of anybody else's is passed over.
    package var paths: [String] {
        folders.filter { isInDataFolder || (try? Self.check($0)) != nil }.map(Self.path)
    }

    /// Throws `NodeError.unsafeSocketFolder` unless `path` is a folder, itself and not by a symbolic link, of this user
    /// that nobody else may enter.
    private static func check(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = errno == ENOTDIR || errno == ELOOP ? "it is no folder, or a symbolic link" : Self.text(errno)
            throw NodeError.unsafeSocketFolder(path: path, reason: reason)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw NodeError.unsafeSocketFolder(path: path, reason: Self.text(errno))
        }
        guard status.st_uid == geteuid() else {
            throw NodeError.unsafeSocketFolder(path: path, reason: "it belongs to another user")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw NodeError.unsafeSocketFolder(path: path, reason: "other users may enter it")
        }
    }

    private static func text(_ code: CInt) -> String { String(cString: strerror(code)) }
}
