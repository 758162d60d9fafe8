// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import Synchronization

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for what keeps nodes from finding and reaching each other.",
        discussion: """
            Looks at interfaces, mDNS, ports, firewall, clock, disk and what belongs to the installation, and says what to \
            do. Exit code 1 when something is wrong.
            """)

    @Option(name: .customLong("for"), help: "How long to listen to the network, as 5s.")
    var duration: Seconds = Seconds(count: 5)

    @Option(help: ArgumentHelp("Look on this network interface only.", valueName: "name"))
    var interface: String?

    @OptionGroup var common: CommonOptions

    private struct Summary: Encodable { let wrong: Int }

    func run() async throws {
        let console = common.console
        let wrong = Mutex(0)
        let doctor = Doctor(
            folder: common.folder, interface: interface, seconds: duration.count, logger: common.logger)
        await doctor.examine { finding in
            if finding.state == .wrong { wrong.withLock { $0 += 1 } }
            console.json("finding", finding)
            let sign =
                switch finding.state {
                case .good: "ok   "
                case .note: "note "
                case .wrong: "WRONG"
                }
            console.result("\(sign)  \(finding.check): \(finding.text)")
            if let hint = finding.hint { console.result("       -> \(hint)") }
        }
        let count = wrong.withLock { $0 }
        console.json("doctor", Summary(wrong: count))
        console.result(count == 0 ? "nothing is wrong here" : "\(Show.count(count, "thing")) to put right")
        if count > 0 { throw ExitCode(1) }
    }
}
