// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure this machine, one JSON object a line.",
        discussion: """
            Figures of one machine at one moment: compare ratios within one run, not numbers between machines. Nodes use \
            loopback only.
            """)

    enum Part: String, ExpressibleByArgument, CaseIterable {
        case operations, fold, reveal, reconciliation, start, desk, transfer, junk, photo, discovery, album
    }

    @Argument(help: "What to measure (default: all).")
    var parts: [Part] = Part.allCases

    @Option(help: "Operations to create, verify and merge; five times as many are folded.")
    var operations = 20_000

    @Option(help: "Photos of the node whose start, desk and album are measured; half as many are revealed.")
    var photos = 10_000

    @Option(help: "Files sent from node to node, of 4 MB each.")
    var files = 64

    @Option(help: "Seconds of junk in which memory is measured.")
    var seconds = 10

    @Option(help: "Times that a node is looked for, and the desk at, and photos that are followed from node to node.")
    var runs = 30

    func run() async throws {
        for part in parts {
            Console.say("measuring \(part.rawValue) ...")
            switch part {
            case .operations: try OperationBench(count: operations).run()
            case .fold: try FoldBench(count: 5 * operations).run()
            case .reveal: try RevealBench(photoCount: photos / 2).run()
            case .reconciliation: try ReconciliationBench().run()
            case .start: try await StartBench(photoCount: photos).run()
            case .desk: try await DeskBench(photoCount: photos, runCount: runs).run()
            case .transfer: try await TransferBench(fileCount: files).run()
            case .photo: try await PhotoBench(photoCount: runs).run()
            case .album: try await AlbumBench(photoCount: photos).run()
            case .discovery: try await DiscoveryBench(runCount: runs).run()
            case .junk: try await JunkBench(fileCount: files, seconds: seconds).run()
            }
        }
    }
}
