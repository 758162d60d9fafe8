// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import Glibc

/// The socket on which a running node listens for the command line: `node.sock` in the data folder, or, since the path
/// of a socket has at most 107 bytes, in a separate folder for a data folder with a long path.
///
/// That folder has a name that other users can guess, and data on the socket is secret. So it is used only if it
/// belongs to this user, no other user may enter it, and it is not a symbolic link.
package struct ControlSocket: Sendable {
    private static let pathByteCountMax = 100

    /// The folders that a node may use, in order of preference; a command tries all of them, since it may have another
    /// environment.
    package let folders: [String]
    /// Whether the folders belong to the data folder, so that no check is needed.
    private let isInDataFolder: Bool

    /// - Parameters:
    ///   - dataFolder: the path of the data folder.
    ///   - runtimeFolder: `XDG_RUNTIME_DIR`; used if it belongs to this user alone.
    ///   - sharedFolder: a folder in which every user may create folders.
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

    /// Creates the folder and returns the path for a node to listen at. Throws `NodeError.unsafeSocketFolder`.
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

    /// The paths at which a node of this user may listen. Folders of other users are skipped.
    package var paths: [String] {
        folders.filter { isInDataFolder || (try? Self.check($0)) != nil }.map(Self.path)
    }

    /// Throws `NodeError.unsafeSocketFolder` unless `path` is a folder, not a symbolic link, that belongs to this user
    /// and that no other user may enter.
    private static func check(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = errno == ENOTDIR || errno == ELOOP ? "not a folder, or a symbolic link" : Self.text(errno)
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
