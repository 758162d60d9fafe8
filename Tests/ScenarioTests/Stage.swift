// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

/// A scenario's network, folder and nodes; all are removed when it ends, also after an error.
final class Stage: Sendable {
    let lan: LAN
    let folder: String
    private let nodes = Mutex<[RunningNode]>([])

    private init(lan: LAN, folder: String) {
        self.lan = lan
        self.folder = folder
    }

    static func with(hostCount: Int, _ play: (Stage) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "scenario-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let stage = Stage(lan: try await LAN.up(hostCount: hostCount), folder: folder)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await stage.perform(play)) } catch { outcome = .failure(error) }
        for node in stage.nodes.withLock({ $0 }) { node.killAtOnce() }
        // Not cancelled with the scenario: the cleanup always runs.
        try await Task { try await stage.lan.down() }.value
        try outcome.get()
    }

    /// Runs the scenario, and ends the nodes that still run with Ctrl-C.
    private func perform(_ play: (Stage) async throws -> Void) async throws {
        try await play(self)
        for node in nodes.withLock({ $0 }) where node.isRunning {
            try await node.stop()
        }
    }

    func path(_ name: String) -> String { folder + "/" + name }

    /// Makes a folder of the scenario if it is missing.
    func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        return path(name)
    }

    /// Starts a node on a host. Its data folder is named after it, so that a node started again continues.
    /// - Parameter wrapper: a program, with its arguments, that starts the node.
    func start(
        _ name: String, on host: Int, _ arguments: [String], through wrapper: [String] = []
    ) throws -> RunningNode {
        let count = nodes.withLock { $0.count }
        let node = try RunningNode(
            name: name, on: host,
            arguments: lan.on(host, wrapper + [try Product.disposable] + arguments + ["--json", "--data", path(name)]),
            errorPath: path("\(name).\(count).log"))
        nodes.withLock { $0.append(node) }
        return node
    }

    /// Starts the organizer's node.
    func host(_ name: String, on host: Int, event: String = "Garden party") throws -> RunningNode {
        try start(name, on: host, ["host", event, "--as", name, "--frames", "unlimited"])
    }

    /// Starts the nodes of Ben and Chloe on the hosts 2 and 3, and waits until they are members of Anna's event.
    func join(_ anna: RunningNode, _ options: [String] = []) async throws -> (ben: RunningNode, chloe: RunningNode) {
        let invitation = try await anna.invitation
        let ben = try start("Ben", on: 2, ["join", invitation, "--as", "Ben"] + options)
        let chloe = try start("Chloe", on: 3, ["join", invitation, "--as", "Chloe"] + options)
        for node in [ben, chloe] { try await node.waitUntilIn() }
        return (ben, chloe)
    }

    /// Returns what a photo leaves on disks, learned from a running node.
    func traces(of photo: String, by node: RunningNode) throws -> Traces {
        try node.standingStill { try Traces(of: photo, in: path(node.name), copyingTo: path("copy")) }
    }

    /// Returns which traces are on a running node's disk. The process is stopped while its files are read: data that
    /// moves between two files, such as from the database's log into the database, could otherwise be missed.
    func left(of traces: Traces, on node: RunningNode) throws -> Set<String> {
        traces.left(in: try node.standingStill { try Traces.Files(in: path(node.name)) })
    }

    /// Runs a command on a node's folder, with or without a running node.
    func command(
        _ name: String, on host: Int, _ arguments: [String], through wrapper: [String] = []
    ) async throws -> Command {
        try await Command.run(
            lan.on(host, wrapper + [try Product.disposable] + arguments + ["--json", "--data", path(name)]))
    }

    /// Returns a command's output for people.
    func text(_ name: String, on host: Int, _ arguments: [String]) async throws -> String {
        try await Command.succeed(lan.on(host, [try Product.disposable] + arguments + ["--data", path(name)])).output
            .joined(separator: "\n")
    }

    /// Adds files and expects that all are accepted.
    @discardableResult
    func add(_ paths: [String], _ name: String, on host: Int) async throws -> [Line] {
        let command = try await command(name, on: host, ["add"] + paths)
        try #require(command.exitCode == 0, "\(command.errorText)")
        return try command.lines
    }

    /// Waits until all nodes show the same complete gallery.
    func waitUntilEqual(_ nodes: [RunningNode], photoCount: Int) async throws {
        _ = try await RunningNode.wait(nodes, for: "equal galleries of \(photoCount) photos") {
            let statuses = nodes.compactMap(\.latestStatus)
            let areEqual =
                statuses.count == nodes.count && statuses[0].digest != nil
                && statuses.allSatisfy { $0.digest == statuses[0].digest && $0.completeCount == photoCount }
            return areEqual ? true : nil
        }
    }

    /// Listens on a host until the advertised nodes satisfy a condition. The time depends on lost packets and on the
    /// load.
    @discardableResult
    func hear(
        _ what: String, on host: Int, as name: String = "somebody", until isWanted: @escaping @Sendable ([Line]) -> Bool
    ) async throws -> [Line] {
        let nearby = try start(name, on: host, ["nearby", "--for", "3600s"])
        let heard = try await nearby.waitFor(what) { lines in isWanted(lines) ? lines : nil }
        try await nearby.kill()
        return heard
    }

    /// Waits until `find`, which asks a node, returns this value. For what no status line of the node tells.
    static func wait<Value: Equatable>(
        for what: String, toBe wanted: Value, _ find: () async throws -> Value
    ) async throws {
        let end = ContinuousClock.now + .patience
        var found = try await find()
        while found != wanted, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(200))
            found = try await find()
        }
        #expect(found == wanted, "\(what)")
    }

    /// Waits until all nodes have all operations, which no digest covers, and satisfy a condition. Asks the nodes,
    /// because their latest status line may be older.
    func waitUntilHeard(by nodes: [RunningNode], where isWanted: (Line) -> Bool = { _ in true }) async throws {
        let end = ContinuousClock.now + .patience
        while true {
            var statuses: [Line] = []
            for node in nodes { statuses += try await command(node.name, on: node.host, ["status"]).lines.prefix(1) }
            if statuses.count == nodes.count, Set(statuses.map(\.operationCount)).count == 1,
                statuses.allSatisfy(isWanted)
            {
                return
            }
            try #require(ContinuousClock.now < end, "not all have heard it: \(statuses)")
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    /// Waits as `waitUntilHeard` does, and until no purge is pending.
    func waitUntilDestroyed(_ nodes: [RunningNode], photoCount: Int = 1) async throws {
        try await waitUntilHeard(by: nodes) { $0.photoCount == photoCount && $0.toDestroyCount == 0 }
    }

    private struct People: Decodable {
        struct Person: Decodable {
            let name: String?
            let roles: [String]
        }
        let people: [Person]
    }

    /// Waits until these nodes know that a member has a role; no digest covers it.
    func waitForRole(_ role: String, of member: String, on nodes: [(name: String, host: Int)]) async throws {
        for (name, host) in nodes {
            let end = ContinuousClock.now + .patience
            while true {
                let shown = try await command(name, on: host, ["event", "show"])
                let known = try JSONDecoder().decode(People.self, from: Data(shown.output.joined().utf8)).people
                if known.contains(where: { $0.name == member && $0.roles.contains(role) }) { break }
                try #require(ContinuousClock.now < end, "\(name) does not know that \(member) is \(role)")
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Expects the same gallery on all nodes: equal digests, equal lists of hashes, equal exports, and files that have
    /// the listed hashes.
    func expectSameGallery(_ names: [(name: String, host: Int)], photoCount: Int) async throws {
        var digests: Set<String?> = []
        var hashes: Set<[String]> = []
        var exports: [String] = []
        for (name, host) in names {
            digests.insert(try await command(name, on: host, ["status"]).lines.first?.digest)
            let gallery = try await command(name, on: host, ["gallery"]).lines
            #expect(gallery.allSatisfy { $0.state == "complete" })
            hashes.insert(gallery.compactMap(\.sha256))
            let export = path("export of \(name)")
            let exported = try await command(name, on: host, ["export", export])
            #expect(exported.exitCode == 0, "\(exported.errorText)")
            exports.append(export)
        }
        #expect(digests.count == 1 && digests.first != .some(nil))
        let listed = try #require(hashes.first)
        #expect(hashes.count == 1 && listed.count == photoCount)
        for export in exports {
            #expect(try await Self.hashes(ofFilesIn: export) == listed)
            #expect(try await Command.run(["/usr/bin/diff", "-r", exports[0], export]).exitCode == 0)
        }
    }

    /// Returns the SHA-256 of the files in the order of their names, computed by another program.
    static func hashes(ofFilesIn folder: String) async throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { folder + "/" + $0 }
        guard !files.isEmpty else { return [] }
        return try await Command.succeed(["/usr/bin/sha256sum"] + files).output.map { String($0.prefix(64)) }
    }
}
