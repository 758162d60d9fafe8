// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import Foundation
import Glibc

/// A `disposable` process on loopback: its output and its cost in processor time and memory.
final class BenchNode {
    private let process = Process()
    private let output = Pipe()
    private var buffer = Data()
    private let clock = ContinuousClock()
    private let startedAt: ContinuousClock.Instant

    /// The measured program is in the same folder: one build produces both.
    private static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("disposable")

    init(data: String, _ arguments: [String]) throws {
        process.executableURL = Self.executable
        process.arguments =
            arguments + ["--data", data, "--json", "--interface", "lo", "--listen", "127.0.0.1:0"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        startedAt = clock.now
        try Self.requireExecutable()
        try process.run()
    }

    private static func requireExecutable() throws {
        guard FileManager.default.isExecutableFile(atPath: executable.path) else {
            throw Failure(
                "\(executable.path) is missing", hint: "build it: swift build -c release --product disposable")
        }
    }

    /// Returns the next line of the type that satisfies the condition. Throws if the process ends before.
    @discardableResult
    func waitUntil(_ type: String, _ condition: ([String: Any]) -> Bool = { _ in true }) async throws -> [String: Any] {
        while true {
            while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[..<end]
                buffer = Data(buffer[buffer.index(after: end)...])
                guard let fields = try JSONSerialization.jsonObject(with: line) as? [String: Any] else { continue }
                if fields["type"] as? String == type, condition(fields) { return fields }
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure("the measured node ended early") }
            buffer.append(more)
        }
    }

    /// The time since the process was started.
    var seconds: Double {
        let elapsed = clock.now - startedAt
        return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    }

    /// User and system time so far, without image workers.
    var cpuSeconds: Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return 0 }
        let fields = text[end...].split(separator: " ")
        return ((Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The largest resident size so far.
    var peakMemoryMegabytes: Double { megabytes("VmHWM:") }

    /// The resident size now.
    var memoryMegabytes: Double { megabytes("VmRSS:") }

    private func megabytes(_ field: String) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(field) }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) / 1_024
    }

    /// Resets the peak to the present size.
    func resetPeakMemory() {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(process.processIdentifier)/clear_refs"))
    }

    func stop() {
        process.interrupt()
        process.waitUntilExit()
    }

    /// A benchmark that fails leaves no node behind.
    deinit { if process.isRunning { process.interrupt() } }

    static func runToEnd(data: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments + ["--data", data]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try requireExecutable()
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure("`\(arguments[0])` failed in the measured node") }
    }
}
