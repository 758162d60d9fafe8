// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization
import Testing

/// A `disposable` process that runs a node, and all its output.
final class RunningNode: Sendable {
    let name: String
    let host: Int
    private let process: ChildProcess
    private let errorPath: String
    private let state = Mutex(State())

    private struct State {
        var lines: [Line] = []
        /// The arrival time of each line.
        var times: [ContinuousClock.Instant] = []
        var unread: [UInt8] = []
        var isSilent = false
        /// The tests that wait for new lines. A buffer of one is enough: an element means only that there is something
        /// new.
        var observers: [AsyncStream<Void>.Continuation] = []
        var hook: (@Sendable ([Line]) -> Void)?
    }

    struct Ended: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameters:
    ///   - arguments: the program's path and its arguments, `--json` among them.
    ///   - errorPath: a file for its standard error.
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
            self?.receive([UInt8](bytes))
        }
    }

    deinit { process.kill() }

    private func receive(_ bytes: [UInt8]) {
        let now = ContinuousClock.now
        let (lines, hook) = state.withLock { state in
            state.isSilent = bytes.isEmpty
            state.unread += bytes
            while let end = state.unread.firstIndex(of: UInt8(ascii: "\n")) {
                // Lines that do not decode are ignored here; a wait for them fails.
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

    /// The arrival time of the first line that satisfies `isWanted`, noted by the thread that reads it: the test itself
    /// may be scheduled later.
    func time(ofFirst isWanted: (Line) -> Bool) -> ContinuousClock.Instant? {
        state.withLock { state in zip(state.lines, state.times).first { isWanted($0.0) }?.1 }
    }

    var errorText: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

    /// Waits until `find` finds something in the nodes' output so far. Throws if it takes longer than the watchdog
    /// allows, or if one of the nodes has ended without it.
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
                    if hasEnded { throw Ended(description: "a node has ended: \(story())") }
                }
                throw CancellationError()
            }
        } catch let error as TimedOut {
            // It may have arrived while this test waited to be scheduled.
            if let found = find() { return found }
            throw error
        }
    }

    func waitFor<Found: Sendable>(
        _ what: String, within limit: Duration = .patience, _ find: @escaping @Sendable ([Line]) -> Found?
    ) async throws -> Found {
        try await Self.wait([self], for: what, within: limit) { find(self.lines) }
    }

    /// Waits until the standard error contains this text, which no JSON line announces.
    func waitForText(_ words: String...) async throws {
        let end = ContinuousClock.now + .patience
        while !words.allSatisfy(errorText.contains) {
            try #require(ContinuousClock.now < end, "\(name) did not print \(words), but:\n\(errorText.suffix(2_000))")
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Waits until the latest status satisfies a condition.
    @discardableResult
    func waitForStatus(
        _ what: String, within limit: Duration = .patience, where isWanted: @escaping @Sendable (Line) -> Bool
    ) async throws -> Line {
        try await waitFor(what, within: limit) { $0.last { $0.type == "status" }.flatMap { isWanted($0) ? $0 : nil } }
    }

    /// The invitation that the node has printed.
    var invitation: String {
        get async throws { try await waitFor("ready") { $0.first { $0.type == "ready" }?.invitation } }
    }

    /// Waits until the node is admitted and knows its event: before that, `add` is refused.
    func waitUntilIn() async throws {
        try await waitForStatus("being in") { $0.isAdmitted == true && $0.digest != nil }
    }

    /// Waits until discovery uses this mode.
    func waitForMode(_ mode: String) async throws {
        _ = try await waitFor("mDNS mode \(mode)") { $0.last { $0.type == "discovery" }?.mode == mode ? true : nil }
    }

    /// A description of the node's state for the report of a failed wait.
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
    /// The time of the end, once `end` has been awaited.
    var endedAt: ContinuousClock.Instant? { process.endedAt }

    /// Sends Ctrl-C, and expects exit code 0.
    func stop(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        process.interrupt()
        let exitCode = try await end
        guard exitCode != 0 else { return }
        // The first lines of a crash give the reason; hundreds more give the stack.
        let text = errorText
        let crash = text.range(of: "Program crashed").map { text[$0.lowerBound...].prefix(2_000) }
        Issue.record(
            "\(name), stopped, ended with \(exitCode): \(crash ?? text.suffix(2_000))", sourceLocation: sourceLocation)
    }

    /// Kills the process, like a power cut of the machine except for the writes that the kernel completes.
    func kill() async throws {
        process.kill()
        _ = try await end
    }

    /// Kills another node as soon as this one has printed a line. Runs on the thread that reads the output: the test
    /// itself may be scheduled too late.
    func kill(_ other: RunningNode, once isTime: @escaping @Sendable ([Line]) -> Bool) {
        let hook = { @Sendable (lines: [Line]) in if isTime(lines) { other.killAtOnce() } }
        state.withLock { $0.hook = hook }
        hook(lines)
    }

    func send(_ signal: Int32) { process.send(signal) }

    /// Crashes the process, as a failed assertion does.
    func crash() { process.send(SIGABRT) }

    /// Stops the process, as if its machine slept, until `resume`.
    func suspend() { process.send(SIGSTOP) }
    func resume() { process.send(SIGCONT) }

    /// Copies the node's files in their state after a power cut: the process is stopped while `body` runs.
    func standingStill<Result>(_ body: () throws -> Result) throws -> Result { try process.standingStill(body) }

    func killAtOnce() { process.kill() }

    var end: Int32 {
        get async throws {
            try await watchdog(.patience, { "the end of \(self.story)" }) { try await self.process.end }
        }
    }
}
