// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// The measurements of a party.
extension Party {
    package var report: PartyReport {
        let needed = neededBytes
        let taken = pictures.filter { swarm.nodes[$0.node].person.authored[$0.ticket] != nil }
        let spreads = taken.filter { !$0.isRemoved }.map { $0.lastSeenAt - $0.takenAt }
        return PartyReport(
            command: options.command, peers: options.peerCount - options.absentPeers.count, photos: taken.count,
            faults: Dictionary(uniqueKeysWithValues: faults.counts.map { ($0.key.rawValue, $0.value) }),
            trace: String(swarm.trace, radix: 16),
            times: .init(ended: elapsedMilliseconds, converged: convergedAt, lowerBound: lowerBoundMilliseconds),
            spread: .init(spreads),
            traffic: .init(
                sent: swarm.network.sentByteCount, needed: needed.all, connections: swarm.network.links.count),
            work: .init(swarm.nodes),
            verdict: .init(
                hasConverged: convergedAt != nil, wasInterrupted: isInterrupted,
                invariants: isInterrupted ? [] : Invariant.allCases.map(\.rawValue),
                violations: violations.map(\.description)))
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

    // Progress

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
            sentByteCount: swarm.network.sentByteCount, connections: swarm.openConnectionCount,
            faults: presentFaults.map(\.trouble.words), peers: peers, steps: swarm.stepCount)
    }
}
