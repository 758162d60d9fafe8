// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder for one test, gone with it.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "imaging-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    static func bytes(at path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}

/// A program that some tests use as a second opinion.
struct Tool: Sendable {
    static let exiftool = Tool("exiftool")
    static let ffmpeg = Tool("ffmpeg")

    let path: String

    init(_ name: String) { path = "/usr/bin/" + name }

    var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Standard output of a run that has to succeed.
    @discardableResult
    func run(_ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(
                command: arguments, status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    struct Failed: Error {
        var command: [String]
        var status: Int32
        var output: String
    }
}
