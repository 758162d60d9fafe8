// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import DisposableModel
import DisposableNode
import DisposableWire
import Foundation
import Logging
import Synchronization
import Testing

/// A folder for the data of nodes and for pictures, gone with the test.
final class TestFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("nodes-\(UUID().uuidString)").path
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { path + "/" + name }
    func data(_ name: String) -> DataFolder { DataFolder(path: path(name)) }

    /// The node whose data are under this name.
    func node(_ name: String, _ configuration: NodeConfiguration = .offline) throws -> Node {
        try Node(folder: data(name), configuration: configuration, logger: logger)
    }

    /// A real JPEG, another one for each seed.
    func picture(_ seed: UInt64) async throws -> String {
        // Hundreds of tests and their helpers share the machine.
        let pool = ImageWorkerPool(timeout: .seconds(600))
        let bytes = try await pool.jpeg(
            of: DemoPhoto(seed: seed, width: 640, height: 480, capturedAtMilliseconds: 1_700_000_000_000))
        await pool.stop()
        try Data(bytes).write(to: URL(fileURLWithPath: path("\(seed).jpg")))
        return path("\(seed).jpg")
    }
}

extension NodeConfiguration {
    static var loopback: Self {
        NodeConfiguration(listen: .address(host: "127.0.0.1", port: 0), usesMulticast: false, interface: "lo")
    }
}

/// The replies, in order.
final class Replies: Sendable {
    private let list = Mutex<[ControlReply]>([])
    func append(_ reply: ControlReply) { list.withLock { $0.append(reply) } }
    var all: [ControlReply] { list.withLock { $0 } }
}

/// Returns the output for the command line.
@discardableResult
func ask(_ node: Node, _ request: ControlRequest) async -> [ControlReply] {
    let replies = Replies()
    await node.answer(request) { replies.append($0) }
    return replies.all
}

/// Runs nodes while `body` does, and stops them.
func running(_ nodes: [Node], _ body: () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for node in nodes { group.addTask { try await node.run() } }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        for node in nodes { await node.stop() }
        try await group.waitForAll()
        try outcome.get()
    }
}

func wait(_ what: String, until isSo: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < end {
        if try await isSo() { return }
        try await Task.sleep(for: .milliseconds(100))
    }
    // It may have come about while this test waited for its turn.
    guard try await !isSo() else { return }
    Issue.record("in vain: \(what)")
}

/// The guest dials the host, at the address that the host's own invitation names.
func dial(_ host: Node, from guest: Node, for event: EventID) async throws {
    try await wait("the host listens") { try await !host.event(event).invitation.addresses.isEmpty }
    let address = try #require(PeerAddress(try await host.event(event).invitation.addresses[0]))
    try await guest.event(event).dial([address])
}
