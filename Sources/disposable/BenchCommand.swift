// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "bench", abstract: "Measure this machine.")
    func run() async throws {}
}
