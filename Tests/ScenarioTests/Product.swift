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

    /// `DISPOSABLE_BIN`, else `disposable` beside the test's own program, where one build puts both.
    static var disposable: String {
        get throws {
            let path =
                ProcessInfo.processInfo.environment["DISPOSABLE_BIN"]
                ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
                .appending(path: "disposable").path
            guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing(path: path) }
            return path
        }
    }

    /// The helper that paints demo photos; it lies beside `disposable`.
    static var imageWorker: String {
        get throws {
            let path = URL(fileURLWithPath: try disposable).deletingLastPathComponent()
                .appending(path: "disposable-image-worker").path
            guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing(path: path) }
            return path
        }
    }

    /// A file of the repository, by its path there.
    static func file(_ path: String, here: String = #filePath) -> String {
        URL(fileURLWithPath: here).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: path).path
    }
}
