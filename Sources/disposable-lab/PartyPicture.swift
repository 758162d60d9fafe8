// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableSimulation
import Foundation
import Glibc

/// The progress of a party on the terminal: lines that are drawn repeatedly in the same place.
final class PartyPicture {
    private var lineCount = 0

    func draw(_ party: Party) {
        guard Console.isTerminal else { return }
        let width = Self.terminalWidth - 1
        let progress = party.progress
        var lines = Self.head(progress, party.phase)
        lines += Self.bars(progress.peers, width: width)
        lines.append("faults   " + (progress.faults.isEmpty ? "none" : progress.faults.joined(separator: ", ")))
        clear()
        // Wider lines would be wrapped, and not erased.
        Console.draw(lines.map { $0.count <= width ? $0 : $0.prefix(width - 1) + "…" })
        lineCount = lines.count
    }

    func clear() {
        guard lineCount > 0 else { return }
        Console.erase(lines: lineCount)
        lineCount = 0
    }

    /// The columns of the terminal, 80 if unknown.
    private static var terminalWidth: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return max(40, Int(size.ws_col))
    }

    private static func head(_ progress: Party.Progress, _ phase: Party.Phase) -> [String] {
        let up = progress.peers.count { $0 != nil }
        return [
            "time     \(time(progress.milliseconds))" + (phase == .settling ? ", converging" : ""),
            "network  \(up) of \(progress.peers.count) peers up, \(progress.connections) connections, "
                + "\(Show.bytes(progress.sentByteCount)) sent",
            "photos   \(progress.photos) taken, \(progress.photosEverywhere) everywhere",
        ]
    }

    /// Returns one column for each peer, as high as its share of the gallery.
    private static func bars(_ peers: [Double?], width: Int) -> [String] {
        let blocks = Array(" ▁▂▃▄▅▆▇█")
        let columns = peers.map { share -> Character in
            guard let share else { return "×" }
            return blocks[Int((share * Double(blocks.count - 1)).rounded(.down))]
        }
        let count = width - 9
        return stride(from: 0, to: columns.count, by: count).map { start in
            (start == 0 ? "peers    " : "         ") + String(columns[start..<min(start + count, columns.count)])
        }
    }

    private static func time(_ milliseconds: UInt64) -> String {
        String(format: "%d:%02d.%d", milliseconds / 60_000, milliseconds / 1_000 % 60, milliseconds / 100 % 10)
    }

    /// Returns the report in a form for people.
    static func lines(_ report: PartyReport) -> [String] {
        func milliseconds(_ count: UInt64?) -> String { count.map { "\($0) ms" } ?? "-" }
        let (times, spread, traffic) = (report.times, report.spread, report.traffic)
        let (work, verdict) = (report.work, report.verdict)
        var lines = [report.command]
        if let at = times.convergedAtMilliseconds {
            lines.append("  converged       after \(time(at)), with \(report.peers) peers and \(report.photos) photos")
        } else {
            lines.append(
                "  \(verdict.wasInterrupted ? "stopped      " : "NOT converged")   after "
                    + "\(time(times.endedAtMilliseconds)), with \(report.peers) peers and \(report.photos) photos")
        }
        lines.append(
            "  seen by all     p50 \(milliseconds(spread.spreadMillisecondsP50)), "
                + "p95 \(milliseconds(spread.spreadMillisecondsP95)), p99 \(milliseconds(spread.spreadMillisecondsP99))"
        )
        lines.append(
            "  bytes           \(Show.bytes(traffic.sentByteCount)) sent, "
                + String(format: "%.2f", traffic.bytesSentPerByteNeeded) + " for each one needed")
        if let ratio = times.timePerLowerBound {
            lines.append(
                "  lower bound     \(time(times.lowerBoundMilliseconds)), needed "
                    + String(format: "%.2f", ratio) + " times as long")
        }
        lines.append(
            "  work            \(work.steps) steps, \(traffic.connections) connections, "
                + "\(report.faults.values.reduce(0, +)) faults, "
                + "at most \(work.largestRoundCount) rounds to reconcile")
        let queues = work.queues.sorted { $0.key < $1.key }.filter { $0.value[0] > 0 }
            .map { "\($0.key) \($0.value[0]) of \($0.value[1])" }
        lines.append("  largest queues  \(queues.joined(separator: ", "))")
        lines.append(
            "  invariants      "
                + (verdict.wasInterrupted
                    ? "not checked"
                    : "\(verdict.invariants.count) checked, "
                        + (verdict.violations.isEmpty ? "all hold" : "\(verdict.violations.count) violated")))
        lines.append("  trace           \(report.trace)")
        return lines
    }
}
