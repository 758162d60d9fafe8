// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConformance
import DisposableConsole
import DisposableSync
import Foundation

struct ConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance", abstract: "Compare this implementation with vectors and with others.",
        usage: """
            disposable-lab conformance AREA [FILE ...]
            disposable-lab conformance negentropy
            """,
        discussion: """
            Areas: \(areas).

            The answer to each vector is one JSON object on one line: name, outcome ("success", or the failure's \
            name), values (what the file says should come of it), agrees, and, where they differ, expected. The last \
            line counts them. Exit code 1 when one does not agree. The README of protocol/vectors tells the format.

              disposable-lab conformance message                   the committed vectors, from the project's folder
              disposable-lab conformance operation mine/*.json     yours, in the same format
              disposable-lab conformance noise cacophony.txt       a public set of Noise vectors
            """,
        subcommands: [VectorsCommand.self, NegentropyConformanceCommand.self], defaultSubcommand: VectorsCommand.self)

    static let areas = Conformance.Area.allCases.map(\.rawValue).joined(separator: ", ")
}

/// The vectors of one area: `disposable-lab conformance AREA`.
struct VectorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vectors", abstract: "Answer the vectors of an area, one JSON object a line, then count them.",
        shouldDisplay: false)

    @Argument(
        help: "The area of the vectors: \(ConformanceCommand.areas).",
        transform: { text in
            guard let area = Conformance.Area(rawValue: text) else {
                throw ValidationError("unknown area \(text); the areas are \(ConformanceCommand.areas)")
            }
            return area
        })
    var area: Conformance.Area

    @Argument(help: "Files of vectors; without any, those of protocol/vectors.", completion: .file())
    var files: [String] = []

    func run() async throws {
        var (agreeing, disagreeing, unsupported) = (0 as UInt64, 0 as UInt64, 0 as UInt64)
        for file in try files.isEmpty ? committed() : files {
            guard let data = FileManager.default.contents(atPath: file) else {
                throw Failure(
                    "\(file) cannot be read", hint: "name files of vectors, in the format of protocol/vectors")
            }
            for answer in Conformance.answers(to: data, named: file, in: area) {
                Console.line(answer.json.text)
                switch (answer.agrees, answer.isUnsupported) {
                case (true, _): agreeing += 1
                case (false, true): unsupported += 1
                case (false, false): disagreeing += 1
                }
            }
        }
        let summary: JSON = .object([
            "agree": .number(agreeing), "disagree": .number(disagreeing), "unsupported": .number(unsupported),
        ])
        Console.line(summary.text)
        if disagreeing > 0 { throw ExitCode(1) }
    }

    private func committed() throws -> [String] {
        let folder = "protocol/vectors/\(area.rawValue)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = names.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
        guard !files.isEmpty else {
            throw Failure(
                "there are no vectors in ./\(folder)",
                hint:
                    "run this in the project's folder, or name files: disposable-lab conformance \(area.rawValue) FILE")
        }
        return files
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
