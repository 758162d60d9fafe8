// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableSystem
internal import Foundation
internal import Synchronization

/// A node's state on disk: its events, its ports, and the socket of the running node.
public struct DataFolder: Sendable, Equatable {
    public let path: String

    public init(path: String) { self.path = URL(fileURLWithPath: path).standardizedFileURL.path }

    /// The folder in `DISPOSABLE_DATA`, or else `disposable` in the XDG data folder.
    public static var standard: DataFolder {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["DISPOSABLE_DATA"], !path.isEmpty { return DataFolder(path: path) }
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") {
            return DataFolder(path: base + "/disposable")
        }
        return DataFolder(path: NSHomeDirectory() + "/.local/share/disposable")
    }

    /// Creates the folder, readable by its owner only.
    public func make() throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    public var events: [EventID] {
        get throws { try EventFolder.all(in: path).map(\.event) }
    }

    /// The credentials with which the events of this folder are recognized on the network.
    var credentials: [EventCredentials] {
        get throws {
            try EventFolder.all(in: path).flatMap { folder in
                let keys = try EventKeys(loadingFrom: folder)
                return Keyring(
                    invited: keys.eventSecret, eventKey: keys.eventKey, deviceKey: keys.device,
                    operations: EventInspection.operations(of: folder, Keyring.kinds)
                ).all
            }
        }
    }

    /// The socket on which a running node listens for the command line.
    package var controlSocket: ControlSocket {
        ControlSocket(dataFolder: path, runtimeFolder: ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"])
    }

    // The port is kept for the next start, so that addresses in invitations and on posters stay valid.

    var rememberedPort: UInt16? { port(in: "port") }
    func remember(port: UInt16) throws { try keep(port, in: "port") }

    /// The port of the guests' pages.
    public var rememberedPagePort: UInt16? { port(in: "page-port") }
    func remember(pagePort: UInt16) throws { try keep(pagePort, in: "page-port") }

    /// The same of the pages over HTTPS.
    public var rememberedSecurePagePort: UInt16? { port(in: "page-port-tls") }
    func remember(securePagePort: UInt16) throws { try keep(securePagePort, in: "page-port-tls") }

    /// The certificate that this program has made for the pages, with its key.
    public var pageCertificatePath: String { "\(path)/page-certificate.pem" }

    /// The address of the pages on posters: this machine must have that address at the event.
    public var plannedPages: PeerAddress? {
        (try? String(contentsOfFile: "\(path)/page-address", encoding: .utf8)).flatMap {
            PeerAddress($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }
    public func plan(pages: PeerAddress) throws {
        try "\(pages)\n".write(toFile: "\(path)/page-address", atomically: true, encoding: .utf8)
    }

    private func port(in file: String) -> UInt16? {
        (try? String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)).flatMap {
            UInt16($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    private func keep(_ port: UInt16, in file: String) throws {
        guard self.port(in: file) != port else { return }
        try "\(port)\n".write(toFile: "\(path)/\(file)", atomically: true, encoding: .utf8)
    }
}

/// The lock that lets only one node run on a data folder, until it releases the folder or its process ends.
final class FolderLock: Sendable {
    /// `nil` once the folder is released.
    private let held: Mutex<DiskFile?>

    /// Returns `nil` if another process has the lock.
    init?(_ folder: DataFolder) throws {
        let file: DiskFile
        do throws(FileError) { file = try DiskFile(folder.path + "/lock", flags: DiskFile.readWriteCreating) } catch {
            throw NodeError.system("open \(folder.path)/lock", code: error.code)
        }
        do { try file.lock() } catch { return nil }
        held = Mutex(file)
    }

    deinit { release() }

    func release() {
        held.withLock { file in
            file?.unlock()
            file = nil
        }
    }
}
