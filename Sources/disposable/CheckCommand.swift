// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Foundation
import Synchronization

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fsck", abstract: "Check all data of the events, and repair it.",
        discussion: """
            Checks the keys, the database, every operation's signature and every byte of every photo, and repairs \
            corrupt data: a corrupt database is set aside and rebuilt; the valid parts of a corrupt photo are kept. \
            Other nodes provide the rest once this one runs. While a node runs on the folder, that node does the work.

            Exit codes: 0 no problem is left, 1 a problem remains, 3 there is no event.
            """)

    @Flag(name: .customLong("check"), help: "Check only, without repairs; exit code 1 if there is a problem.")
    var onlyLooks = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        let exitCode = Mutex<ControlReply?>(nil)
        do {
            try await FolderCheck.run(common.folder, event: event.event, onlyLooks: onlyLooks) { reply in
                switch reply {
                case .progress(let done, let total):
                    if total > 0 { Console.progress("checking \(done) of \(total) MiB") }
                case .finding(let finding): show(finding, console)
                case .checked(let summary): show(summary, console)
                case .finished, .failed: exitCode.withLock { $0 = reply }
                default: break
                }
            }
        } catch let error as NodeError {
            throw Failure(error)
        }
        Console.endProgress()
        switch exitCode.withLock(\.self) {
        case .failed(let message, let hint, let exitCode): throw Failure(message, hint: hint, exitCode: exitCode)
        case .finished(let exitCode) where exitCode != 0: throw ExitCode(exitCode)
        default: break
        }
    }

    private func show(_ finding: CheckFinding, _ console: Console) {
        Console.endProgress()
        console.json("finding", finding)
        let sign =
            switch finding.state {
            case .found, .remains: "WRONG   "
            case .repaired: "repaired"
            case .incomplete: "to fetch"
            case .note: "note    "
            }
        console.result("\(sign)  \(finding.text)")
        if let hint = finding.hint { console.result("          -> \(hint)") }
    }

    private func show(_ summary: CheckSummary, _ console: Console) {
        Console.endProgress()
        console.json("fsck", summary)
        let looked =
            "\(summary.name ?? String(summary.event.prefix(8))): \(Show.count(summary.operationCount, "operation")), "
            + "\(Show.count(summary.blobCount, "file")) of \(Show.bytes(summary.byteCount))"
        var results: [String] = []
        if summary.repairedCount > 0 { results.append("\(summary.repairedCount) repaired") }
        if summary.incompleteCount > 0 { results.append("\(summary.incompleteCount) to fetch from other nodes") }
        let wrongCount = summary.foundCount + summary.remainsCount
        if wrongCount > 0 { results.append("\(Show.count(wrongCount, "thing")) wrong") }
        console.result("\(looked); \(results.isEmpty ? "no problems" : results.joined(separator: ", "))")
    }
}
