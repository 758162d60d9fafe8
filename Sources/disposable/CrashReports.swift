// SPDX-License-Identifier: Apache-2.0
import CCrash
import DisposableNode
import Foundation
import Glibc
import Logging

/// The reports that crashes have left in the data folder of a node, `crashes/<time>.txt`: version, build, time,
/// signal and backtrace. Nothing sends them.
struct CrashReports {
    /// More are removed, the oldest first.
    static let countMax = 10

    struct Report {
        let path: String
        /// As in the report; the name of the file if it cannot be read.
        let time: String
        let signal: String
        let version: String
        /// The build identifier of the program in hexadecimal, as `readelf -n` prints it; `nil` if the report has none.
        let build: String?
        /// Whether the program that reads the report has left it.
        var isOfThisProgram: Bool { build == String(cString: ccrash_build_id()) }
    }

    private let folder: DataFolder
    private var path: String { folder.path + "/crashes" }

    init(of folder: DataFolder) { self.folder = folder }

    /// Installs a handler that writes a report if this process crashes. A stack overflow on any other thread than the
    /// caller's leaves none. Without a data folder there are no reports; opening the node then fails with the reason.
    /// - Parameter version: that of the program, for the report.
    func begin(version: String, logger: Logger) {
        guard (try? folder.make()) != nil else { return }
        let names = names
        for name in names.dropFirst(Self.countMax) { unlink("\(path)/\(name)") }
        // The handler cannot look for it.
        let oldest = names.count >= Self.countMax ? "crashes/" + names[Self.countMax - 1] : ""
        let code = ccrash_report(folder.path, version, oldest)
        guard code != 0 else { return }
        logger.warning("a crash will leave no report", metadata: ["reason": "\(String(cString: strerror(code)))"])
    }

    /// The newest first.
    var all: [Report] {
        names.map { name in
            let file = "\(path)/\(name)"
            let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            func value(_ key: String) -> String? {
                let line = text.split(separator: "\n").first { $0.hasPrefix("\(key): ") }
                return line.map { String($0.dropFirst(key.count + 2)) }
            }
            return Report(
                path: file, time: value("time") ?? String(name.dropLast(4)),
                signal: value("signal") ?? "an unknown signal", version: value("version") ?? "unknown",
                build: value("build"))
        }
    }

    /// The names of the files, the newest first.
    private var names: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}Z\.txt/) != nil }
            .sorted(by: >)
    }
}
