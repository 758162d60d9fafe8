// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The programs under test.
enum Product {
    struct Missing: Error, CustomStringConvertible {
        let path: String
        var description: String {
            "\(path) is missing: `swift build --product disposable`, or name it in DISPOSABLE_BIN"
        }
    }

    /// `DISPOSABLE_BIN`, otherwise `disposable` beside the test program, if one build makes both.
    static var disposable: String {
        get throws {
            if let named = ProcessInfo.processInfo.environment["DISPOSABLE_BIN"] { return try present(named) }
            return try present(
                URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
                    .appending(path: "disposable").path)
        }
    }

    /// The program for tests, beside `disposable`.
    static var lab: String { get throws { try beside("disposable-lab") } }

    /// The image worker, which paints demo photos, beside `disposable`.
    static var imageWorker: String { get throws { try beside("disposable-image-worker") } }

    private static func beside(_ name: String) throws -> String {
        try present(URL(fileURLWithPath: try disposable).deletingLastPathComponent().appending(path: name).path)
    }

    private static func present(_ path: String) throws -> String {
        guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing(path: path) }
        return path
    }

    /// Returns the path of a file of the repository.
    static func file(_ path: String, here: String = #filePath) -> String {
        URL(fileURLWithPath: here).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: path).path
    }
}
