// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import Foundation
import Testing

/// Disks that break under a node that runs.
@Suite(.timeLimit(.minutes(60))) struct DiskTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// A node that hosts an event, and how many operations that has.
    private func host(in data: DataFolder) async throws -> (node: Node, event: EventID, operationCount: Int) {
        let offline = try Node(folder: data, configuration: .offline, logger: folder.logger)
        let event = try await offline.runOffline {
            try await $0.host(Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000), organizerName: nil)
        }
        let node = try Node(folder: data, configuration: .loopback, logger: folder.logger)
        return (node, event, try await node.event(event).status.operations.operationCount)
    }

    private func database(of event: EventID, _ node: Node) -> String {
        node.folder.path + "/events/\(event)/event.sqlite"
    }

    /// Takes the database from under the node, to where one lies that was set aside, has the node notice, and waits
    /// until it has tried to make another.
    private func loseDatabase(of event: EventID, _ node: Node) async throws {
        let database = database(of: event, node)
        try FileManager.default.moveItem(atPath: database, toPath: database + ".damaged-20260101T000000Z")
        await ask(node, .check(event: nil, onlyLooks: false))
        for await update in node.updates {
            guard case .warning(let text) = update, text.contains("is closed") || text.contains("and rebuilt") else {
                continue
            }
            #expect(text.contains("it is tried again"))
            break
        }
        #expect(await node.events.isEmpty)
    }

    private func expectAgain(_ event: EventID, _ operationCount: Int, _ node: Node) async throws {
        try await wait("the event is open again") { await node.events == [event] }
        let status = try await node.event(event).status
        #expect(status.name == "Party")
        #expect(status.operations.operationCount >= operationCount)
    }

    @Test("a database that could not be rebuilt is tried again after a while")
    func obstacle() async throws {
        let (node, event, operationCount) = try await host(in: folder.data("host"))
        try await running([node]) {
            // A folder, which is not removed as a file would be.
            let obstacle = database(of: event, node) + ".new"
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
            try await loseDatabase(of: event, node)
            try FileManager.default.removeItem(atPath: obstacle)
            try await expectAgain(event, operationCount, node)
        }
    }

    @Test(
        "a database for which there was no room is rebuilt once there is some",
        .enabled(if: SmallVolume.mayMount, "mounting a small volume needs root"))
    func full() async throws {
        let volume = try SmallVolume(byteCount: 16 << 20)
        let (node, event, operationCount) = try await host(in: DataFolder(path: volume.path))
        try await running([node]) {
            let ballast = volume.path + "/ballast"
            try fill(ballast)
            try await wait("the want of room") {
                try await node.event(event).status.problems.contains { $0.contains("until there is room") }
            }
            try await loseDatabase(of: event, node)
            try FileManager.default.removeItem(atPath: ballast)
            try await expectAgain(event, operationCount, node)
        }
        withExtendedLifetime(volume) {}
    }

    /// Until nothing more fits.
    private func fill(_ path: String) throws {
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        var byteCount = 64 << 10
        while byteCount >= 4_096 {
            do { try handle.write(contentsOf: Data(repeating: 1, count: byteCount)) } catch { byteCount /= 2 }
        }
        try handle.close()
    }
}
