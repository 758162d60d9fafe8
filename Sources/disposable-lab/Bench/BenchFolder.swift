// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A temporary folder that is removed with the value.
final class BenchFolder: Sendable {
    let path: String
    init() {
        path =
            NSTemporaryDirectory()
            + "disposable-bench-\(ProcessInfo.processInfo.processIdentifier)-\(UInt32.random(in: 0 ... .max))"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
}
