// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization
import Testing

/// A `disposable` process that runs a node, and all it has said.
final class RunningNode: Sendable {
    let name: String
    let host: Int
    private let process: ChildProcess
    private let errorPath: String
    private let state = Mutex(State())

    private struct State {
        var lines: [Line] = []
        /// When each of them came.
        var times: [ContinuousClock.Instant] = []
        var unread: [UInt8] = []
        var isSilent = false
        /// Who waits for something new. One is enough in the buffer: it says to look again.
        var observers: [AsyncStream<Void>.Continuation] = []
        var hook: (@Sendable ([Line]) -> Void)?
    }

    struct Ended: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameters:
    ///   - arguments: the program's path and its arguments, `--json` among them.
    ///   - errorPath: a file for what it says to people.
    init(name: String, on host: Int, arguments: [String], errorPath: String) throws {
        self.name = name
        self.host = host
        self.errorPath = errorPath
        process = ChildProcess(arguments)
        try Data().write(to: URL(fileURLWithPath: errorPath))
        let output = Pipe()
        let errors = try FileHandle(forWritingTo: URL(fileURLWithPath: errorPath))
        defer { try? errors.close() }
        try process.start(output: output, errors: errors)
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let bytes = handle.availableData
            if bytes.isEmpty { handle.readabilityHandler = nil }
            self?.take([UInt8](bytes))
        }
    }

    deinit { process.kill() }

    private func take(_ bytes: [UInt8]) {
        let now = ContinuousClock.now
        let (lines, hook) = state.withLock { state in
            state.isSilent = bytes.isEmpty
            state.unread += bytes
            while let end = state.unread.firstIndex(of: UInt8(ascii: "\n")) {
                // What is no line of the contract is in nobody's way here; a wait for what it should have been fails.
                if let line = try? Line(String(decoding: state.unread[..<end], as: UTF8.self)) {
                    state.lines.append(line)
                    state.times.append(now)
                }
                state.unread.removeSubrange(...end)
            }
            for observer in state.observers { observer.yield() }
            return (state.lines, state.hook)
        }
        hook?(lines)
    }

    // What it has said

    var lines: [Line] { state.withLock { $0.lines } }
    var latestStatus: Line? { lines.last { $0.type == "status" } }

    /// When it said the first line that is as wanted, as the thread that hears it has noted it: a test may have to wait
    /// for its turn.
    func time(ofFirst isWanted: (Line) -> Bool) -> ContinuousClock.Instant? {
        state.withLock { state in zip(state.lines, state.times).first { isWanted($0.0) }?.1 }
    }

    var errorText: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

    /// Waits until `find` finds something in what the nodes have said so far. Throws when it takes longer than the
    /// watchdog allows, or when one of the nodes has ended without it.
    static func wait<Found: Sendable>(
        _ nodes: [RunningNode], for what: String, within limit: Duration = .patience,
        _ find: @escaping @Sendable () -> Found?
    ) async throws -> Found {
        let (changes, sink) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        for node in nodes { node.state.withLock { $0.observers.append(sink) } }
        sink.yield()
        let story = { @Sendable in "\(what)\n" + nodes.map(\.story).joined(separator: "\n") }
        do {
            return try await watchdog(limit, story) {
                for await _ in changes {
                    let hasEnded = nodes.contains { $0.state.withLock { $0.isSilent } }
                    if let found = find() { return found }
                    if hasEnded { throw Ended(description: "a node has ended before: \(story())") }
                }
                throw CancellationError()
            }
        } catch let error as TimedOut {
            // It may have come about while this test waited for its turn.
            if let found = find() { return found }
            throw error
        }
    }

    func waitFor<Found: Sendable>(
        _ what: String, within limit: Duration = .patience, _ find: @escaping @Sendable ([Line]) -> Found?
    ) async throws -> Found {
        try await Self.wait([self], for: what, within: limit) { find(self.lines) }
    }

    /// Waits until it has said so much to people, which no line announces.
    func waitForText(_ words: String...) async throws {
        let end = ContinuousClock.now + .patience
        while !words.allSatisfy(errorText.contains) {
            try #require(ContinuousClock.now < end, "\(name) has not said \(words), but:\n\(errorText.suffix(2_000))")
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Waits until the newest status is as wanted.
    @discardableResult
    func waitForStatus(
        _ what: String, within limit: Duration = .patience, where isWanted: @escaping @Sendable (Line) -> Bool
    ) async throws -> Line {
        try await waitFor(what, within: limit) { $0.last { $0.type == "status" }.flatMap { isWanted($0) ? $0 : nil } }
    }

    /// The invitation that it has shown.
    var invitation: String {
        get async throws { try await waitFor("ready") { $0.first { $0.type == "ready" }?.invitation } }
    }

    /// Waits until it has been let in and knows what event it is in: before, it adds and says nothing.
    func waitUntilIn() async throws {
        try await waitForStatus("being in") { $0.isAdmitted == true && $0.digest != nil }
    }

    /// Waits until it looks for others in this way.
    func waitForMode(_ mode: String) async throws {
        _ = try await waitFor("mDNS mode \(mode)") { $0.last { $0.type == "discovery" }?.mode == mode ? true : nil }
    }

    /// For the report of a wait in vain.
    private var story: String {
        let status = latestStatus.map {
            "\($0.completeCount ?? 0) of \($0.photoCount ?? 0) complete, digest \($0.digest ?? "-"), "
                + "\($0.peers?.count ?? 0) peers, problems \($0.problems ?? [])"
        }
        let end = process.exitCode.map { ", ended with \($0)" } ?? ""
        return "  \(name)\(end): \(status ?? "no status"); it said:\n\(errorText.suffix(2_000))"
    }

    // Its end

    var isRunning: Bool { process.isRunning }
    /// When it ended, once `end` has been waited for.
    var endedAt: ContinuousClock.Instant? { process.endedAt }

    /// Ctrl-C, which ends it with 0.
    func stop(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        process.interrupt()
        let exitCode = try await end
        guard exitCode != 0 else { return }
        // Of a crash the first lines say why, and hundreds more where.
        let text = errorText
        let crash = text.range(of: "Program crashed").map { text[$0.lowerBound...].prefix(2_000) }
        Issue.record(
            "\(name), stopped, ended with \(exitCode): \(crash ?? text.suffix(2_000))", sourceLocation: sourceLocation)
    }

    /// As a power cut of the machine, except for what the kernel still writes.
    func kill() async throws {
        process.kill()
        _ = try await end
    }

    /// Kills another node as soon as this one has said so much. On the thread that hears it: a test waits for its turn
    /// among all others, and this one would have said much more by then.
    func kill(_ other: RunningNode, once isTime: @escaping @Sendable ([Line]) -> Bool) {
        let hook = { @Sendable (lines: [Line]) in if isTime(lines) { other.killAtOnce() } }
        state.withLock { $0.hook = hook }
        hook(lines)
    }

    /// Has it crash, as by a failed assertion.
    func crash() { process.send(SIGABRT) }

    /// Has it stand still, as if its machine slept, until `resume`.
    func suspend() { process.send(SIGSTOP) }
    func resume() { process.send(SIGCONT) }

    /// Its files as they would be after a power cut: it stands still while `body` copies them.
    func standingStill<Result>(_ body: () throws -> Result) throws -> Result { try process.standingStill(body) }

    func killAtOnce() { process.kill() }

    var end: Int32 {
        get async throws {
            try await watchdog(.patience, { "the end of \(self.story)" }) { try await self.process.end }
        }
    }
}
