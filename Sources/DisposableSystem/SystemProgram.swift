// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization

/// Programs of the system, used where they are better than a library.
///
/// Each runs with its own environment, in the root folder, without core dumps and ambient capabilities, with limits of
/// processor time and memory, and with a time limit. This is no sandbox: a program can read, write and connect to
/// everything that the user can, because these are the system's tools, which need that.
package enum SystemProgram {
    private static let folders = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"]
    private static let environment = ["PATH": folders.joined(separator: ":"), "LC_ALL": "C.UTF-8"]
    private static let outputByteCountMax = 16 << 20
    /// Processor time in seconds, and address space in bytes: a poster of 150 dots an inch needs a tenth of it.
    private static let limits = ["--core=0", "--cpu=60", "--as=\(4 << 30)"]

    /// Returns the output of a program. Nil if there is none of that name, if it fails, for example for lack of
    /// permission, and if it prints more than 16 MiB or takes longer than `timeout`: then it is killed.
    package static func output(of arguments: [String], timeout: Duration = .seconds(120)) async -> String? {
        guard let path = path(of: arguments[0]) else { return nil }
        return await withCheckedContinuation { continuation in
            // On its own thread, because it waits for the program.
            Thread.detachNewThread {
                continuation.resume(returning: run(path, Array(arguments.dropFirst()), timeout: timeout))
            }
        }
    }

    package static func exists(_ program: String) -> Bool { path(of: program) != nil }

    private static func path(of program: String) -> String? {
        folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func run(_ path: String, _ arguments: [String], timeout: Duration) -> String? {
        let process = Process()
        let pipe = Pipe()
        // Without util-linux the program runs without limits.
        let limiter = Self.path(of: "prlimit")
        process.executableURL = URL(fileURLWithPath: limiter ?? path)
        process.arguments = (limiter == nil ? [] : limits + ["--", path]) + arguments
        process.environment = environment
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        Capabilities.keepFromPrograms()
        do { try process.run() } catch { return nil }
        let timer = DispatchSource.makeTimerSource(queue: .global())
        let isLate = Mutex(false)
        let id = process.processIdentifier
        timer.schedule(deadline: .now() + .milliseconds(Int(timeout.components.seconds) * 1_000 + 1))
        timer.setEventHandler {
            isLate.withLock { $0 = true }
            kill(id, SIGKILL)
        }
        timer.resume()
        var output = Data()
        while let part = try? pipe.fileHandleForReading.read(upToCount: 1 << 16), !part.isEmpty {
            output += part
            guard output.count <= outputByteCountMax else {
                kill(id, SIGKILL)
                break
            }
        }
        process.waitUntilExit()
        timer.cancel()
        let hasSucceeded = process.terminationReason == .exit && process.terminationStatus == 0
        guard hasSucceeded, output.count <= outputByteCountMax, !isLate.withLock({ $0 }) else { return nil }
        return String(decoding: output, as: UTF8.self)
    }
}
