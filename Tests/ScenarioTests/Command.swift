// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization

/// A finished run of a command.
struct Command: Sendable {
    /// The exit code; for a killed command 128 plus the number of the signal, as in a shell.
    let exitCode: Int32
    let output: [String]
    let errorText: String

    /// The output, for commands with `--json`.
    var lines: [Line] { get throws { try output.map(Line.init) } }

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs `arguments`, of which the first is the program's path. Throws if it cannot be started or hangs.
    static func run(_ arguments: [String], within limit: Duration = .patience) async throws -> Command {
        // Files, not pipes: a pipe that is full, or held open by another process, would hang.
        // Close explicitly instead of with the last reference: Foundation keeps a process that has ended, and its
        // files, and crashes with a thousand of them open.
        let (output, errors) = (try TemporaryFile(), try TemporaryFile())
        defer { for file in [output, errors] { try? file.handle.close() } }
        let process = ChildProcess(arguments)
        try process.start(output: output.handle, errors: errors.handle)
        defer { process.kill() }
        let exitCode: Int32
        do {
            let story = { @Sendable in
                let said = [output, errors].map { ((try? $0.text) ?? "").suffix(2_000) }.joined(separator: "\n")
                return "the end of \(arguments.joined(separator: " ")); its output:\n\(said)"
            }
            exitCode = try await watchdog(limit, story) { try await process.end }
        } catch let error as TimedOut {
            // It may have ended while this test waited to be scheduled.
            guard let code = process.exitCode else { throw error }
            exitCode = code
        }
        return Command(
            exitCode: exitCode, output: try output.text.split(separator: "\n").map(String.init),
            errorText: try errors.text)
    }

    /// Runs a command that is only a means of the test: throws if it fails.
    @discardableResult
    static func succeed(_ arguments: [String], within limit: Duration = .patience) async throws -> Command {
        let command = try await run(arguments, within: limit)
        guard command.exitCode == 0 else {
            throw Failed(
                description: "\(arguments.joined(separator: " ")): exit code \(command.exitCode): \(command.errorText)")
        }
        return command
    }
}

/// A process that this test started. Signals go to its process id only.
final class ChildProcess: Sendable {
    private let process = Process()
    private let ends: AsyncStream<Int32>
    private let endTime = Mutex<ContinuousClock.Instant?>(nil)

    init(_ arguments: [String]) {
        let (ends, sink) = AsyncStream.makeStream(of: Int32.self)
        self.ends = ends
        process.executableURL = URL(fileURLWithPath: arguments[0])
        process.arguments = Array(arguments.dropFirst())
        process.standardInput = FileHandle.nullDevice
        process.terminationHandler = { [weak self] process in
            self?.endTime.withLock { $0 = .now }
            sink.yield(Self.exitCode(of: process))
            sink.finish()
        }
    }

    func start(output: Any, errors: Any) throws {
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    /// The exit code, after a wait for the end. Read it only once.
    var end: Int32 {
        get async throws {
            for await code in ends { return code }
            throw CancellationError()
        }
    }

    var isRunning: Bool { process.isRunning }
    var id: Int32 { process.processIdentifier }
    /// The time of the end, as observed by the thread that waits for it.
    var endedAt: ContinuousClock.Instant? { endTime.withLock { $0 } }

    /// The exit code; `nil` while the process runs.
    var exitCode: Int32? { process.isRunning ? nil : Self.exitCode(of: process) }

    private static func exitCode(of process: Process) -> Int32 {
        process.terminationStatus + (process.terminationReason == .exit ? 0 : 128)
    }

    func interrupt() { process.interrupt() }

    /// Stops all threads of the process while `body` runs.
    func standingStill<Result>(_ body: () throws -> Result) throws -> Result {
        send(SIGSTOP)
        defer { send(SIGCONT) }
        let tasks = "/proc/\(process.processIdentifier)/task"
        func isStopped(_ task: String) -> Bool {
            // The state follows the name, which may contain any character.
            guard let text = try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8) else { return true }
            return text[(text.lastIndex(of: ")") ?? text.startIndex)...].dropFirst(2).first == "T"
        }
        while process.isRunning, try !FileManager.default.contentsOfDirectory(atPath: tasks).allSatisfy(isStopped) {
            usleep(1_000)
        }
        return try body()
    }

    /// Kills the process without warning, as a power cut would. Does nothing if it has ended.
    func kill() { send(SIGKILL) }

    func send(_ signal: Int32) { if process.isRunning { Glibc.kill(process.processIdentifier, signal) } }
}

/// An unlinked file.
private final class TemporaryFile: Sendable {
    let handle: FileHandle

    init() throws {
        let path = NSTemporaryDirectory() + "scenario-" + UUID().uuidString
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
    }

    /// The current content. Opens the file again: the program's writes move the offset of this handle.
    var text: String {
        get throws {
            let path = "/proc/self/fd/\(handle.fileDescriptor)"
            return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        }
    }
}
