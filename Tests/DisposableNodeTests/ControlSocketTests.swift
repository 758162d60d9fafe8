// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import Foundation
import Glibc
import Testing

/// Where commands reach a node whose data folder has a path that is too long for a socket.
@Suite struct ControlSocketTests {
    private let folder: TestFolder
    private var shared: String { folder.path("shared") }
    private var runtime: String { folder.path("runtime") }
    private let long = "/" + String(repeating: "x", count: 120)

    init() throws {
        folder = try TestFolder()
        for path in [shared, runtime] {
            guard mkdir(path, 0o700) == 0 else { throw POSIXError(.EIO) }
        }
    }

    private func socket(runtime: String? = nil) -> ControlSocket {
        ControlSocket(dataFolder: long, runtimeFolder: runtime, sharedFolder: shared)
    }

    @Test("a data folder with a short path has its socket itself")
    func short() throws {
        let socket = ControlSocket(dataFolder: "/data", runtimeFolder: runtime, sharedFolder: shared)
        #expect(try socket.make() == "/data/node.sock")
        #expect(socket.paths == ["/data/node.sock"])
    }

    @Test("the folder of the socket is made for this user alone, and used again")
    func made() throws {
        let first = try socket().make()
        let parent = (first as NSString).deletingLastPathComponent
        #expect((parent as NSString).deletingLastPathComponent == shared)
        #expect(try FileManager.default.attributesOfItem(atPath: parent)[.posixPermissions] as? Int == 0o700)
        #expect(try socket().make() == first)
        #expect(socket().paths == [first])
        #expect(first.utf8.count <= 107)
    }

    @Test(
        "a folder that somebody else may have made first is refused, and no command looks into it",
        arguments: ["open to others", "a symbolic link", "a file", "another user's"])
    func foreign(what: String) throws {
        let path = socket().folders[0]
        switch what {
        case "open to others":
            mkdir(path, 0o700)
            chmod(path, 0o777)
        case "a symbolic link":
            mkdir(folder.path("elsewhere"), 0o700)
            Glibc.symlink(folder.path("elsewhere"), path)
        case "a file": try Data().write(to: URL(fileURLWithPath: path))
        default:
            mkdir(path, 0o700)
            // Only root gives files away; for everybody else the case cannot be made.
            guard chown(path, 12_345, 12_345) == 0 else { return }
        }
        let error = #expect(throws: NodeError.self) { try socket().make() }
        guard case .unsafeSocketFolder(path, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(socket().paths == [])
    }

    @Test("the user's runtime folder is preferred where nobody else may enter it; commands look into both")
    func runtimeFolder() throws {
        #expect(try socket(runtime: runtime).make().hasPrefix(runtime + "/disposable-"))
        let inShared = try socket().make()
        let paths = socket(runtime: runtime).paths
        #expect(paths.count == 2 && paths[0].hasPrefix(runtime) && paths[1] == inShared)
        chmod(runtime, 0o755)
        #expect(try socket(runtime: runtime).make() == inShared)
        #expect(try socket(runtime: "relative").make() == inShared)
    }

    @Test("a node whose socket folder is another's does not start, and says why")
    func node() async throws {
        let data = folder.data(String(repeating: "y", count: 110))
        let place = data.controlSocket.folders[0]
        defer { try? FileManager.default.removeItem(atPath: place) }
        mkdir(place, 0o700)
        chmod(place, 0o755)
        let node = try folder.node(String(repeating: "y", count: 110), .loopback)
        let error = await #expect(throws: NodeError.self) { try await node.run() }
        #expect(error?.description.contains("other users may enter it") == true)
    }
}
