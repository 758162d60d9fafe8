// SPDX-License-Identifier: Apache-2.0

/// One TCP connection; end 0 has dialled, end 1 listens.
package struct Link {
    struct End {
        var isOpen = true
        /// Says goodbye once all that is queued has left.
        var isClosing = false
        var arrivesAt: UInt64 = 0
        var deliveredByteCount = 0
        /// What waits for the network, from `firstQueued` on.
        var queue: [[UInt8]] = []
        var firstQueued = 0
        /// Whether the end stands in the network's line.
        var isReady = false
        /// The other end is not reading: until then nothing leaves.
        var heldUntil: UInt64 = 0
        /// What leaves in this millisecond.
        var segment: [UInt8] = []
        /// What has left since the end's machine was told last.
        var unreportedByteCount = 0

        var hasQueued: Bool { firstQueued < queue.count }

        mutating func takeQueued() -> [UInt8] {
            let bytes = queue[firstQueued]
            queue[firstQueued] = []
            firstQueued += 1
            if firstQueued == queue.count {
                queue.removeAll(keepingCapacity: true)
                firstQueued = 0
            }
            return bytes
        }

        mutating func clear() {
            queue = []
            firstQueued = 0
            segment = []
        }
    }

    /// Who has dialled, and whom.
    package let nodes: [Int]
    let latency: UInt64
    let challenge: [UInt8]
    /// What is sent vanishes, and nobody is told: a machine asleep, a cable cut.
    package internal(set) var isSilent = false
    /// What the listener has of the preface; `nil` once it is handed over.
    var preface: [UInt8]? = []
    private var dialler = End()
    private var listener = End()

    init(nodes: [Int], latency: UInt64, challenge: [UInt8]) {
        self.nodes = nodes
        self.latency = latency
        self.challenge = challenge
    }

    subscript(end: Int) -> End {
        get { end == 0 ? dialler : listener }
        _modify { if end == 0 { yield &dialler } else { yield &listener } }
    }

    package var isOpen: [Bool] { [dialler.isOpen, listener.isOpen] }
    /// Bytes that have been brought to each end.
    package var deliveredByteCount: [Int] { [dialler.deliveredByteCount, listener.deliveredByteCount] }
}

/// So many bytes a millisecond, none of which can be saved up. What is larger than a millisecond's share is paid off.
struct TokenBucket {
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

/// What stands between the machines of a swarm.
package struct Medium: Equatable, Sendable {
    /// One way, in milliseconds.
    package var latencies: ClosedRange<UInt64> = 1...10
    /// Bytes a millisecond that each machine can send, and as many it can receive; `nil` for no limit.
    package var hostRate: Int?
    /// Machines that have another rate than the rest.
    package var ownRates: [Int: Int] = [:]
    /// Bytes a millisecond of the one radio that all machines share: what goes from station to station takes it twice.
    /// Machine 0 is wired to its access point.
    package var radioRate: Int?
    /// Machines with odd numbers are in another room, behind a wire of so many bytes a millisecond each way.
    package var bridgeRate: Int?
    /// Share of what is sent that is lost and comes with TCP's next attempt, or in the case of multicast not at all.
    package var lossShare = 0.0

    package init() {}
}
