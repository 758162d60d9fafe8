// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CCrash
import DisposableConsole
import Dispatch
import Glibc

/// Ends as a program with a defect does: for the test of crash reports.
struct CrashCommand: ParsableCommand {
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        /// The runtime finds a broken rule.
        case trap
        case abort
        case overflow
        /// Several threads at once.
        case together
    }

    static let configuration = CommandConfiguration(
        commandName: "crash", abstract: "End as a program with a defect does, and leave a report.",
        shouldDisplay: false)

    @Argument(help: "The defect.")
    var kind: Kind

    @Argument(help: "The folder of the report.")
    var folder: String

    func run() throws {
        let code = ccrash_report(folder, ProgramVersion.text, "")
        guard code == 0 else { throw Failure("no report: \(String(cString: strerror(code)))") }
        switch kind {
        case .trap: Self.trap()
        case .abort: Glibc.abort()
        case .overflow: Self.overflow()
        case .together: DispatchQueue.concurrentPerform(iterations: 4) { _ in Self.trap() }
        }
    }

    /// Reads beyond the end of an array.
    private static func trap() {
        let numbers = [1, 2]
        Console.say("\(numbers[CommandLine.arguments.count + numbers.count])")
    }

    private static func overflow() {
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { bytes in
            bytes[0] = 1
            overflow()
            bytes[1] = bytes[0]
        }
    }
}
