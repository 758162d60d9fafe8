// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableSync
import Foundation

struct ConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance", abstract: "Compare this implementation with vectors and with others.",
        subcommands: [NoiseConformanceCommand.self, NegentropyConformanceCommand.self])
}

struct NoiseConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "noise", abstract: "Run a file of Noise vectors, one JSON object a vector, then a summary.",
        discussion: "Reads the format of cacophony and snow, and that of protocol/vectors/noise. Exit code 1 when one fails.")

    @Argument(help: "A file, or several.", completion: .file())
    var files: [String]

    func run() async throws {
        var failedCount = 0
        for file in files {
            let report = try NoiseVectorFile(contentsOf: URL(fileURLWithPath: file)).run()
            for line in report.lines { Console.line(try line.text) }
            Console.line(report.summary)
            failedCount += report.count("failed")
        }
        if failedCount > 0 { throw ExitCode(1) }
    }
}

struct NegentropyConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "negentropy", abstract: "Speak the line protocol of negentropy's test harness on standard input.",
        discussion: "item,TIMESTAMP,ID · seal · initiate · msg,HEX; answers have,ID · need,ID · msg,HEX · done.")

    @Option(help: "The largest message to write in bytes, 0 for no limit.")
    var frameSizeLimit = 0

    func run() async throws {
        guard frameSizeLimit == 0 || frameSizeLimit >= 4_096 else {
            throw ValidationError("--frame-size-limit takes 0 or at least 4096")
        }
        var harness = NegentropyHarness(frameSizeLimit: frameSizeLimit)
        while let line = readLine() { 
            for answer in harness.handle(line: line) { Console.line(answer) }
         }
    }
}
