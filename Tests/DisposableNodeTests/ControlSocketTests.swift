// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import Foundation
import Glibc
import Testing

/// The control socket of a node whose data folder has a path that is too long for a socket.
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

    @Test("a client that ends its side after the request, and reads slowly, gets the whole of a long answer")
    func longAnswer() async throws {
        let node = try folder.node("host", .loopback)
        _ = try await node.host(
            Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000, frames: 2), organizerName: nil)
        // An answer names the event that is asked for: more than any socket holds.
        let name = String(repeating: "x", count: 2 << 20)
        var request = try JSONEncoder().encode(ControlRequest.event(event: name))
        request.append(UInt8(ascii: "\n"))
        let path = folder.data("host").controlSocket.paths[0]
        try await running([node]) {
            try await wait("the node takes commands") { FileManager.default.fileExists(atPath: path) }
            let answer = try await slowAnswer(to: request, at: path)
            #expect(answer.last == UInt8(ascii: "\n"))
            let reply = try JSONDecoder().decode(ControlReply.self, from: answer)
            guard case .failed(let message, _, _) = reply else {
                Issue.record("another answer than expected")
                return
            }
            #expect(message.hasSuffix(name))
        }
    }

    @Test("a client that does not read its answer does not keep the node from stopping")
    func unreadAnswer() async throws {
        let node = try folder.node("host", .loopback)
        let name = String(repeating: "x", count: 2 << 20)
        let request = try JSONEncoder().encode(ControlRequest.event(event: name)) + [UInt8(ascii: "\n")]
        let path = folder.data("host").controlSocket.paths[0]
        var socket: CInt = -1
        defer { close(socket) }
        try await running([node]) {
            try await wait("the node takes commands") { FileManager.default.fileExists(atPath: path) }
            socket = try await Self.detached { try Self.ask(request, at: path) }
            try await wait("an answer has begun") {
                var byte: UInt8 = 0
                return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 1
            }
        }
    }

    /// The reply to a client that closes its side after the request and reads 1,000 bytes at a time.
    private func slowAnswer(to request: Data, at path: String) async throws -> Data {
        try await Self.detached {
            let socket = try Self.ask(request, at: path)
            defer { close(socket) }
            // The node answers into a socket that nobody reads yet.
            usleep(300_000)
            var answer = Data()
            var piece = [UInt8](repeating: 0, count: 1_000)
            while true {
                let count = recv(socket, &piece, piece.count, 0)
                guard count >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
                guard count > 0 else { return answer }
                answer.append(contentsOf: piece.prefix(count))
            }
        }
    }

    /// A socket on which the request has been sent, and the end of it.
    private static func ask(_ request: Data, at path: String) throws -> CInt {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { throw POSIXError(.ECONNREFUSED) }
        try FileHandle(fileDescriptor: socket).write(contentsOf: request)
        shutdown(socket, Int32(SHUT_WR))
        return socket
    }

    /// On a thread of its own, which may wait.
    private static func detached<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
