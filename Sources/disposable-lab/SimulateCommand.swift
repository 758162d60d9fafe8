// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Dispatch
import DisposableConsole
import DisposableModel
import DisposableSimulation
import Foundation

extension FaultKind: ExpressibleByArgument {}
extension Topology: ExpressibleByArgument {}

/// A comma-separated list on the command line.
struct CommaList<Element: ExpressibleByArgument>: ExpressibleByArgument {
    let elements: [Element]
    init?(argument: String) {
        let words = argument.split(separator: ",").map(String.init)
        elements = words.compactMap(Element.init(argument:))
        guard elements.count == words.count else { return nil }
    }
}

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Simulate a whole event in this process: many peers, one seed, and faults.",
        discussion: """
            Real peers, a simulated network, disks and clocks. Everything follows from the seed: the same options give the \
            same run, on every machine and every number of cores. Photos have a fiftieth of camera sizes.

              disposable-lab simulate --peers 20 --photos 200 --faults partition,crash,loss

            Faults: partition (networks that do not reach each other, connections that are dead on one side), loss, crash \
            (power cuts), clock (wrong, jumping, asleep), disk (full, failing, flipped bits), byzantine (dishonest members), \
            churn (leaving, returning, changing address), radio (slow and far), roles (members removed and reinstated, \
            ranks granted and revoked, photos hidden, shown and erased), guests (of pages, from node to node), \
            rotation (the event's secret replaced, by one organizer or two at once), all.
            """)

    @Option(help: "The number of peers (1 to 500).")
    var peers = 8
    @Option(help: "The number of photos that they take (at most 200000).")
    var photos = 100
    @Option(help: "The seed of all random choices.")
    var seed: UInt64 = 1
    @Option(help: "Simulated minutes in which photos are taken and faults happen (1 to 1440).")
    var minutes = 5
    @Option(help: ArgumentHelp("Kinds of faults, separated by commas; all for every kind.", valueName: "kinds"))
    var faults: String = ""
    @Option(help: "lan, two-rooms or one-ap.")
    var topology = Topology.lan
    @Option(help: "The number of runs, each with the next seed.")
    var runs = 1
    @Flag(help: "Let peers fetch originals as well as thumbnails.")
    var originals = false
    @Option(help: ArgumentHelp("Write one line an event to this file (of the last run).", valueName: "file"))
    var trace: String?
    @Flag(help: "Look for the smallest run that fails the same way.")
    var shrink = false
    @Option(help: ArgumentHelp("Peers to exclude, as printed by a shrunk run.", valueName: "list"))
    var withoutPeers: CommaList<Int>?
    @Option(help: ArgumentHelp("Faults to exclude, as printed by a shrunk run.", valueName: "list"))
    var withoutFaults: CommaList<Int>?
    @Flag(help: "Print one JSON object a run; texts for people go to standard error.")
    var json = false

    private var console: Console { Console(isJSON: json) }

    func validate() throws {
        guard (1...500).contains(peers) else { throw ValidationError("--peers is 1 to 500, not \(peers)") }
        guard (0...200_000).contains(photos) else { throw ValidationError("--photos is 0 to 200000, not \(photos)") }
        guard (1...1_440).contains(minutes) else { throw ValidationError("--minutes is 1 to 1440, not \(minutes)") }
        guard runs > 0 else { throw ValidationError("--runs is at least 1, not \(runs)") }
        _ = try kinds()
    }

    private func kinds() throws -> [FaultKind] {
        guard faults != "all" else { return FaultKind.allCases }
        return try faults.split(separator: ",").map { word in
            guard let kind = FaultKind(rawValue: String(word)) else {
                let names = FaultKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("there is no fault \(word); there are \(names)")
            }
            return kind
        }
    }

    private func options(seed: UInt64) throws -> PartyOptions {
        var options = PartyOptions(
            peerCount: peers, photoCount: photos, seed: seed, minutes: minutes, faults: try kinds(), topology: topology,
            keptClasses: originals ? [.thumbnail, .original] : [.thumbnail])
        options.absentPeers = Set(withoutPeers?.elements ?? [])
        options.absentFaults = Set(withoutFaults?.elements ?? [])
        return options
    }

    func run() async throws {
        // From here on Ctrl-C ends the run with a report.
        Signals.count()
        var failures = 0
        for number in 0..<runs {
            let options = try options(seed: seed &+ UInt64(number))
            let (report, seconds) = try run(options, isTraced: trace != nil && number == runs - 1)
            tell(report, seconds)
            if report.verdict.wasInterrupted {
                if runs > 1 { Console.say("\(Show.count(number, "run")) of \(runs) finished, \(failures) failed") }
                throw Failure("interrupted", exitCode: 130)
            }
            guard !report.verdict.violations.isEmpty else { continue }
            failures += 1
            if shrink { tellSmallest(options) }
        }
        if runs > 1 { Console.say("\(runs) runs, \(failures) failed") }
        guard failures == 0 else {
            throw Failure("\(Show.count(failures, "run")) broke an invariant")
        }
    }

    private func run(_ options: PartyOptions, isTraced: Bool) throws -> (PartyReport, seconds: Double) {
        let party = Party(options)
        party.swarm.concurrently = Self.concurrently
        let file = try isTraced ? trace.map(TraceFile.init) : nil
        if let file { party.log = file.write }
        let clock = ContinuousClock()
        let began = clock.now
        var drawnAt = began
        let picture = PartyPicture()
        while party.advance(steps: 1_000) {
            if Signals.isInterrupted { party.interrupt() }
            guard clock.now - drawnAt > .milliseconds(150) else { continue }
            drawnAt = clock.now
            picture.draw(party)
        }
        picture.clear()
        file?.close()
        let elapsed = clock.now - began
        return (party.report, Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18)
    }

    /// Runs a few at a time on every core; small numbers are not worth the overhead.
    private static let concurrently: Swarm.Concurrently = { count, body in
        guard count >= 8 else {
            for index in 0..<count { body(index) }
            return
        }
        let batch = 4
        DispatchQueue.concurrentPerform(iterations: (count + batch - 1) / batch) { place in
            for index in place * batch..<min((place + 1) * batch, count) { body(index) }
        }
    }

    private func tellSmallest(_ options: PartyOptions) {
        var tried = 0
        let smallest = Shrinker.smallest(options) { smaller in
            tried += 1
            Console.progress("shrinking, \(tried) runs ...")
            let party = Party(smaller)
            party.swarm.concurrently = Self.concurrently
            while party.advance() {}
            return !party.violations.isEmpty
        }
        Console.endProgress()
        Console.say("smallest failing run: \(smallest.command)")
    }

    private struct Result: Encodable {
        let report: PartyReport
        let seconds: Double
        let stepsPerSecond: Int
        let peakMegabytes: Int
    }

    private func tell(_ report: PartyReport, _ seconds: Double) {
        let stepsPerSecond = Int(Double(report.work.steps) / max(seconds, 0.001))
        console.json(
            "simulation",
            Result(
                report: report, seconds: seconds, stepsPerSecond: stepsPerSecond, peakMegabytes: Self.peakMegabytes))
        for line in PartyPicture.lines(report) { console.result(line) }
        console.result(
            "  speed           \(String(format: "%.1f s", seconds)), \(stepsPerSecond) steps/s, peak \(Self.peakMegabytes) MB"
        )
        for violation in report.verdict.violations { Console.say("disposable: error: \(violation)") }
        if !report.verdict.violations.isEmpty { Console.say("disposable: hint: run it again with: \(report.command)") }
    }

    private static var peakMegabytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
    }
}

/// Writes the lines of a trace in large pieces.
private final class TraceFile {
    private let handle: FileHandle
    private var buffer = Data()

    init(_ path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw Failure("the trace cannot be written to \(path)", hint: "name a file in a folder that exists") }
        self.handle = handle
    }

    func write(_ line: String) {
        buffer.append(Data((line + "\n").utf8))
        if buffer.count > 1 << 20 { flush() }
    }

    func close() {
        flush()
        try? handle.close()
    }

    private func flush() {
        handle.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
