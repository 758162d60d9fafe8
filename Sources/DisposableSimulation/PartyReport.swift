// SPDX-License-Identifier: Apache-2.0
internal import DisposableSync

/// The result of a party. Its encoded form is one flat object with the fields of all parts.
package struct PartyReport: Encodable, Sendable {
    /// A command that runs the same party.
    package var command: String
    package var peers: Int
    package var photos: Int
    /// The number of faults, by kind.
    package var faults: [String: Int]
    /// Hexadecimal; the same for one seed in every process.
    package var trace: String
    package var times: Times
    package var spread: Spread
    package var traffic: Traffic
    package var work: Work
    package var verdict: Verdict

    /// Simulated times in milliseconds from the beginning.
    package struct Times: Encodable, Sendable {
        package let endedAtMilliseconds: UInt64
        /// The time at which every node had everything.
        package let convergedAtMilliseconds: UInt64?
        /// A lower bound for any protocol, with these bytes over this network.
        package let lowerBoundMilliseconds: UInt64
        package let timePerLowerBound: Double?

        init(ended: UInt64, converged: UInt64?, lowerBound: UInt64) {
            endedAtMilliseconds = ended
            convergedAtMilliseconds = converged
            lowerBoundMilliseconds = lowerBound
            timePerLowerBound = converged.map { Double($0) / Double(max(lowerBound, 1)) }
        }
    }

    /// Milliseconds from the signing of a photo until the last peer had its thumbnail.
    package struct Spread: Encodable, Sendable {
        package let spreadMillisecondsP50: UInt64?
        package let spreadMillisecondsP95: UInt64?
        package let spreadMillisecondsP99: UInt64?

        /// - Parameter spreads: one number for each photo.
        init(_ spreads: [UInt64]) {
            let sorted = spreads.sorted()
            func percentile(_ share: Int) -> UInt64? {
                sorted.isEmpty ? nil : sorted[min(sorted.count - 1, sorted.count * share / 100)]
            }
            spreadMillisecondsP50 = percentile(50)
            spreadMillisecondsP95 = percentile(95)
            spreadMillisecondsP99 = percentile(99)
        }
    }

    package struct Traffic: Encodable, Sendable {
        package let sentByteCount: UInt64
        package let neededByteCount: UInt64
        package let bytesSentPerByteNeeded: Double
        package let connections: Int

        init(sent: UInt64, needed: UInt64, connections: Int) {
            sentByteCount = sent
            neededByteCount = needed
            bytesSentPerByteNeeded = Double(sent) / Double(max(needed, 1))
            self.connections = connections
        }
    }

    /// The steps of all nodes together, and the largest load of any.
    package struct Work: Encodable, Sendable {
        package let steps: Int
        package let largestRoundCount: Int
        /// By name: the maximum, and its limit.
        package let queues: [String: [Int]]

        init(_ nodes: [SimulatedNode]) {
            var queues: [String: [Int]] = [:]
            for node in nodes {
                node.noteLoad()
                for row in node.journal.largestLoad.rows {
                    queues[row.name] = [max(row.value, queues[row.name]?[0] ?? 0), row.limit]
                }
            }
            self.queues = queues
            largestRoundCount = queues["reconciliation rounds"]?[0] ?? 0
            steps = nodes.reduce(0) { $0 + $1.trace.stepCount }
        }
    }

    package struct Verdict: Encodable, Sendable {
        package let hasConverged: Bool
        /// Whether it was interrupted before it converged; then nothing was checked.
        package let wasInterrupted: Bool
        package let invariants: [String]
        package let violations: [String]
    }

    private enum CodingKeys: CodingKey {
        case command, peers, photos, faults, trace
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(command, forKey: .command)
        try container.encode(peers, forKey: .peers)
        try container.encode(photos, forKey: .photos)
        try container.encode(faults, forKey: .faults)
        try container.encode(trace, forKey: .trace)
        for part in [times, spread, traffic, work, verdict] as [any Encodable] { try part.encode(to: encoder) }
    }
}
