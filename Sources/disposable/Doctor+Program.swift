// SPDX-License-Identifier: Apache-2.0
import DisposablePortal
import Foundation

/// The checks of the program itself: its files, and its crashes.
extension Doctor {
    func findPageScript() -> Finding {
        let paths = Portal.Configuration.standardScriptPaths
        guard paths.contains(where: { FileManager.default.isReadableFile(atPath: $0) }) else {
            return Finding(
                check: "page script", state: .wrong, text: "the guests' pages lack their signing library",
                hint: "sudo apt install node-tweetnacl")
        }
        return Finding(check: "page script", state: .good, text: "the guests' pages are complete")
    }

    /// Notes, not problems: a past crash does not keep the node from running.
    func findCrashes() -> [Finding] {
        let reports = CrashReports(of: folder).all
        guard !reports.isEmpty else {
            return [Finding(check: "crashes", state: .good, text: "no crash of a node of this folder is on record")]
        }
        return reports.enumerated().map { index, report in
            let origin = report.isOfThisProgram ? ", this program" : ""
            let build = report.build.map { " (build \($0.prefix(12))\(origin))" }
            return Finding(
                check: "crashes", state: .note,
                text: "a node of version \(report.version)\(build ?? "") crashed at \(report.time), by "
                    + "\(report.signal): \(report.path)",
                hint: index > 0
                    ? nil
                    : "nothing was sent: show the files to a developer if you like, they name no person and no photo; "
                        + "delete them when done")
        }
    }
}
