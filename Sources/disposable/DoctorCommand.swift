// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import Synchronization

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for problems that prevent nodes from finding and reaching each other.",
        discussion: """
            Checks interfaces, mDNS, ports, whether phones stay on a Wi-Fi without Internet, firewall, clock, disk, \
            the installation and past crashes, and gives advice. Exit code 1 if there is a problem.
            """)

    @Option(name: .customLong("for"), help: "The time to listen to the network, such as 5s.")
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
        console.result(count == 0 ? "no problem found" : "\(Show.count(count, "problem")) to fix")
        if count > 0 { throw ExitCode(1) }
    }
}
