// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// The result of a party.
package struct PartyReport: Encodable, Sendable {
    package var command = ""
    package var hasConverged = false
    /// Whether it was interrupted before it converged; then nothing was checked.
    package var wasInterrupted = false
    /// Simulated milliseconds from the beginning to the end.
    package var endedAtMilliseconds: UInt64 = 0
    /// Simulated milliseconds from the beginning until every node had everything.
    package var convergedAtMilliseconds: UInt64?
    package var peers = 0
    package var photos = 0
    /// Milliseconds from the signing of a photo until the last peer had its thumbnail.
    package var spreadMillisecondsP50: UInt64?
    package var spreadMillisecondsP95: UInt64?
    package var spreadMillisecondsP99: UInt64?
    package var sentByteCount: UInt64 = 0
    package var neededByteCount: UInt64 = 0
    package var bytesSentPerByteNeeded = 0.0
    /// A lower bound for any protocol, with these bytes over this network.
    package var lowerBoundMilliseconds: UInt64 = 0
    package var timePerLowerBound: Double?
    package var steps = 0
    package var largestRoundCount = 0
    package var connections = 0
    /// By kind.
    package var faults: [String: Int] = [:]
    /// By name: the maximum, and its limit.
    package var queues: [String: [Int]] = [:]
    package var invariants: [String] = []
    package var violations: [String] = []
    /// Hexadecimal; the same for one seed in every process.
    package var trace = ""
}

extension Party {
    package var report: PartyReport {
        var report = PartyReport()
        report.command = options.command
        report.hasConverged = convergedAt != nil
        report.wasInterrupted = isInterrupted
        report.endedAtMilliseconds = elapsedMilliseconds
        report.convergedAtMilliseconds = convergedAt
        report.peers = options.peerCount - options.absentPeers.count
        let taken = pictures.filter { swarm.nodes[$0.node].authored[$0.ticket] != nil }
        report.photos = taken.count
        let spreads = taken.filter { !$0.isRemoved }.map { $0.lastSeenAt - $0.takenAt }.sorted()
        func percentile(_ share: Int) -> UInt64? {
            spreads.isEmpty ? nil : spreads[min(spreads.count - 1, spreads.count * share / 100)]
        }
        report.spreadMillisecondsP50 = percentile(50)
        report.spreadMillisecondsP95 = percentile(95)
        report.spreadMillisecondsP99 = percentile(99)
        report.sentByteCount = swarm.sentByteCount
        report.neededByteCount = neededBytes.all
        report.bytesSentPerByteNeeded = Double(swarm.sentByteCount) / Double(max(neededBytes.all, 1))
        report.lowerBoundMilliseconds = lowerBoundMilliseconds
        report.timePerLowerBound = convergedAt.map { Double($0) / Double(max(lowerBoundMilliseconds, 1)) }
        report.steps = swarm.stepCount
        report.connections = swarm.links.count
        for (kind, count) in faultCounts { report.faults[kind.rawValue] = count }
        for node in swarm.nodes {
            node.noteLoad()
            for row in node.largestLoad.rows {
                report.queues[row.name] = [max(row.value, report.queues[row.name]?[0] ?? 0), row.limit]
            }
        }
        report.largestRoundCount = report.queues["reconciliation rounds"]?[0] ?? 0
        report.invariants = isInterrupted ? [] : Invariant.allCases.map(\.rawValue)
        report.violations = violations.map(\.description)
        report.trace = String(swarm.trace, radix: 16)
        return report
    }

    /// The bytes that have to be delivered: of all peers together, of the one with the most, and made by the one that
    /// has made the most.
    private var neededBytes: (all: UInt64, largest: UInt64, mostMade: UInt64) {
        guard let first = swarm.honestNodes.first(where: { $0.replica != nil }) else { return (0, 0, 0) }
        var total: UInt64 = 0
        var made: [DeviceID: UInt64] = [:]
        for operation in first.disk.operations {
            var byteCount = UInt64(UncheckedOperation(operation).byteCount)
            switch operation.content {
            case .photo(let manifest): byteCount += manifest.thumbnail?.byteCount ?? 0
            case .original(let manifest) where options.keptClasses.contains(.original):
                byteCount += manifest.original.byteCount
            default: break
            }
            total += byteCount
            made[operation.header.device, default: 0] += byteCount
        }
        let count = UInt64(max(1, options.peerCount - options.absentPeers.count) - 1)
        return (total * count, total - (made.values.min() ?? 0), made.values.max() ?? 0)
    }

    /// Kumar and Ross: no node sends or receives faster than its share, and all copies have to be sent by some node. A
    /// photo cannot arrive before it is taken.
    var lowerBoundMilliseconds: UInt64 {
        let needed = neededBytes
        let medium = options.medium
        var bound = UInt64(0)
        let hosts = UInt64(max(1, options.peerCount - options.absentPeers.count))
        if let rate = medium.hostRate.map(UInt64.init) {
            bound = max(needed.largest / rate, needed.mostMade / rate, needed.all / (rate * hosts))
        }
        if let rate = medium.radioRate.map(UInt64.init) {
            // The wired machine's copies use the radio once, the others' twice, unless they are for it.
            bound = max(bound, needed.all / rate)
        }
        return max(bound, pictures.last?.takenAt ?? 0)
    }

    /// The contents of the progress display.
    package struct Progress: Sendable {
        package var milliseconds: UInt64
        package var photos: Int
        package var photosEverywhere: Int
        package var sentByteCount: UInt64
        package var connections: Int
        package var faults: [String]
        /// For each peer the share of photos whose thumbnails it has, 0 to 1; `nil` while it is away.
        package var peers: [Double?]
        package var steps: Int
    }

    package var progress: Progress {
        let count = options.peerCount - options.absentPeers.count
        var seen = [Int](repeating: 0, count: options.peerCount)
        var everywhere = 0
        for picture in pictures {
            for node in picture.seenBy where node < seen.count { seen[node] += 1 }
            seen[picture.node] += 1
            if picture.seenBy.count + 1 >= count { everywhere += 1 }
        }
        let peers = (0..<options.peerCount).map { index -> Double? in
            guard swarm.nodes[index].replica != nil else { return nil }
            return pictures.isEmpty ? 0 : min(1, Double(seen[index]) / Double(pictures.count))
        }
        return Progress(
            milliseconds: elapsedMilliseconds, photos: pictures.count, photosEverywhere: everywhere,
            sentByteCount: swarm.sentByteCount, connections: swarm.openConnectionCount,
            faults: presentFaults.map(\.trouble.words), peers: peers, steps: swarm.stepCount)
    }
}
