// SPDX-License-Identifier: Apache-2.0

/// One TCP connection; end 0 has dialled, end 1 listens.
package struct Link {
    /// A class, so that what looks at an end copies neither it nor its queue: every byte passes here.
    final class End {
        var isOpen = true
        /// Whether to close once everything that is queued has been sent.
        var isClosing = false
        var arrivesAt: UInt64 = 0
        var deliveredByteCount = 0
        /// The bytes that wait for the network, from `firstQueued` on.
        var queue: [[UInt8]] = []
        var firstQueued = 0
        /// Whether the end is in the network's queue.
        var isReady = false
        /// The other end is not reading until this time; nothing is sent before.
        var heldUntil: UInt64 = 0
        /// The bytes that are sent in this millisecond.
        var segment: [UInt8] = []
        /// Bytes that were sent since the last report to the end's machine.
        var unreportedByteCount = 0

        var hasQueued: Bool { firstQueued < queue.count }

        func takeQueued() -> [UInt8] {
            let bytes = queue[firstQueued]
            queue[firstQueued] = []
            firstQueued += 1
            if firstQueued == queue.count {
                queue.removeAll(keepingCapacity: true)
                firstQueued = 0
            }
            return bytes
        }

        func clear() {
            queue = []
            firstQueued = 0
            segment = []
        }
    }

    /// The dialler and the listener.
    package let nodes: [Int]
    let latency: UInt64
    let challenge: [UInt8]
    /// Sent bytes vanish, and neither end is notified: a machine asleep, a cable cut.
    package internal(set) var isSilent = false
    /// The received part of the preface; `nil` once it was passed on.
    var preface: [UInt8]? = []
    private let ends = [End(), End()]

    init(nodes: [Int], latency: UInt64, challenge: [UInt8]) {
        self.nodes = nodes
        self.latency = latency
        self.challenge = challenge
    }

    subscript(end: Int) -> End { ends[end] }

    package var isOpen: [Bool] { ends.map(\.isOpen) }
    /// The number of bytes that were delivered to each end.
    package var deliveredByteCount: [Int] { ends.map(\.deliveredByteCount) }
}

/// A rate in bytes a millisecond without savings. Anything larger than a millisecond's share is paid off later.
struct ByteRate {
    /// `nil` for no limit.
    let rate: Int?
    private var tokens: Int
    private var filledAt: UInt64 = 0

    init(rate: Int?) {
        self.rate = rate
        tokens = rate ?? 0
    }

    func isOpen(at now: UInt64) -> Bool {
        guard let rate else { return true }
        return tokens > 0 || tokens + rate * Int(clamping: now - filledAt) > 0
    }

    mutating func take(_ byteCount: Int, at now: UInt64) {
        guard let rate else { return }
        if now > filledAt {
            tokens = min(rate, tokens + rate * Int(clamping: min(now - filledAt, 1_000_000)))
            filledAt = now
        }
        tokens -= byteCount
    }
}

/// The network between the machines of a swarm.
package struct Medium: Equatable, Sendable {
    /// One way, in milliseconds.
    package var latencies: ClosedRange<UInt64> = 1...10
    /// The bytes a millisecond that each machine can send, and also receive; `nil` for no limit.
    package var hostRate: Int?
    /// Machines that have another rate than the rest.
    package var ownRates: [Int: Int] = [:]
    /// The bytes a millisecond of the one radio that all machines share: data between stations use it twice. Machine 0
    /// is wired to its access point.
    package var radioRate: Int?
    /// Machines with odd numbers are in another room, behind a wire with this many bytes a millisecond in each
    /// direction.
    package var bridgeRate: Int?
    /// The share of sent data that is lost: it arrives with TCP's next attempt, or never if it is multicast.
    package var lossShare = 0.0

    package init() {}
}
