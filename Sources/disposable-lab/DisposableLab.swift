// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole

@main
struct DisposableLab: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disposable-lab",
        abstract: "Simulate, measure and check Disposable: tools for testers.",
        discussion: """
              disposable-lab simulate --peers 20 --photos 200 --faults all     a whole event in one process
              disposable-lab bench transfer                                    figures of this machine
              disposable-lab conformance message                               this implementation against vectors

            Exit codes: 0 done, 1 failed, 2 wrong usage.
            """,
        version: ProgramVersion.text,
        subcommands: [SimulateCommand.self, BenchCommand.self, ConformanceCommand.self, CrashCommand.self])

    static func main() async { await runAndExit() }
}
