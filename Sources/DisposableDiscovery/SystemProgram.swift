// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Programs of the system, for what it does better than a library could.
package enum SystemProgram {
    /// What a program prints; `nil` where there is none of that name, or it fails, as it does for who may not look.
    package static func output(of arguments: [String]) async -> String? {
        let folders = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"].map { "\($0)/\(arguments[0])" }
        guard let path = folders.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
        return await withCheckedContinuation { continuation in
            // Of its own, because it waits for the program.
            Thread.detachNewThread {
                let process = Process()
                let pipe = Pipe()
                process.executableURL = URL(fileURLWithPath: path)
                process.arguments = Array(arguments.dropFirst())
                process.standardOutput = pipe
                process.standardError = FileHandle.nullDevice
                process.standardInput = FileHandle.nullDevice
                do { try process.run() } catch { return continuation.resume(returning: nil) }
                let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
                process.waitUntilExit()
                let hasSucceeded = process.terminationReason == .exit && process.terminationStatus == 0
                continuation.resume(returning: hasSucceeded ? String(decoding: data, as: UTF8.self) : nil)
            }
        }
    }
}
