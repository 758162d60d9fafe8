// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// A whole event in one process: people arrive, take photos, suffer faults, and at the end every node has everything.
///
/// Call `advance()` until it returns false; then `report` describes the run and `violations` the broken promises.
package final class Party {
    /// The phase of the party, in order.
    package enum Phase: Equatable, Sendable {
        case happening
        /// All faults have ended; peers have to converge.
        case settling
        case over
    }

    package let options: PartyOptions
    package let swarm: Swarm
    package internal(set) var phase = Phase.happening
    package internal(set) var violations: [Violation] = []
    package internal(set) var convergedAt: UInt64?
    /// Whether it was interrupted before it converged: then nothing was checked.
    package internal(set) var isInterrupted = false
    /// Called with one line for each event, if set.
    package var log: ((String) -> Void)? { didSet { swarm.log = log } }
    let plan: PartyPlan
    let beganAt: UInt64
    /// The nodes that each node may discover.
    var views: [[Int]] = []
    var pictures: [Picture] = []
    private var places: [BlobID: Int] = [:]
    var shots: ShotQueue
    var faults: FaultSchedule
    var deeds: [Deed] = []
    var guests: [Guest] = []
    var settling = Settling()
    var givesSecretAt: UInt64 = 0

    /// The spread of a photo.
    struct Picture {
        let node: Int
        let ticket: Ticket
        let takenAt: UInt64
        var seenBy: Set<Int> = []
        var lastSeenAt: UInt64
        var isRemoved = false
    }

    /// Up to this number all peers discover each other; beyond, each discovers a few, as multicast would saturate the
    /// radio.
    static let fullViewMax = 32
    static let viewCount = 4

    /// - Parameter disk: the storage of a machine, by its number; memory if it returns `nil`.
    package init(_ options: PartyOptions, disk: (FoundedEvent, Int) -> (any SimulatedDisk)? = { _, _ in nil }) {
        self.options = options
        let isUnlimited = options.photoCount > 20 * options.peerCount
        let hasShares = options.faults.contains(.shares)
        swarm = Swarm(
            seed: options.seed, frames: isUnlimited ? 0 : 27, reveal: hasShares ? .byHost : .now,
            needsTickets: options.faults.contains(.tickets) && options.seed % 2 == 0,
            shares: hasShares ? ShareRule(threshold: 2) : nil)
        swarm.network.medium = options.medium
        swarm.workMilliseconds = 1...4
        plan = PartyPlan(options)
        beganAt = swarm.now
        shots = ShotQueue(plan.shots)
        faults = FaultSchedule(plan.faults)
        views = Self.views(options, &swarm.random)
        for index in 0..<options.peerCount {
            let node = swarm.makeNode(keeping: options.keptClasses, disk: disk(swarm.founding, index))
            if index == 0 { _ = node.disk.write(swarm.founding.operations, durably: true) }
            if options.faults.contains(.clock), swarm.random.oneIn(3) {
                node.clock.offset = Int64.random(in: -600_000...600_000, using: &swarm.random)
            }
        }
        for index in 0..<options.peerCount where !options.absentPeers.contains(index) { arrive(swarm.nodes[index]) }
        swarm.onComplete = { [weak self] node, blob in self?.note(blob, on: node) }
        // Enough for most people, and for most guests.
        if hasTickets { listTickets(2 * options.peerCount, by: 0, at: 0) }
    }

    private static func views(_ options: PartyOptions, _ random: inout SplitMix64) -> [[Int]] {
        let count = options.peerCount
        guard count > fullViewMax else {
            return (0..<count).map { node in (0..<count).filter { $0 != node } }
        }
        return (0..<count).map { node in
            // The previous node keeps the graph connected, the others shorten its paths.
            var view: Set<Int> = [(node + count - 1) % count]
            while view.count < viewCount {
                let other = Int.random(in: 0..<count, using: &random)
                if other != node { view.insert(other) }
            }
            return view.sorted()
        }
    }

    func arrive(_ node: SimulatedNode) {
        swarm.start(node)
        for other in views[node.index] where !options.absentPeers.contains(other) {
            swarm.discover(node, swarm.nodes[other])
        }
    }

    var time: UInt64 { swarm.now - beganAt }
    package var elapsedMilliseconds: UInt64 { time }

    // Advancing

    /// Runs some more steps. Returns false when the party is over.
    package func advance(steps: Int = 2_000) -> Bool {
        let end = swarm.stepCount + steps
        while phase != .over, swarm.stepCount < end { advanceOnce() }
        return phase != .over
    }

    private func advanceOnce() {
        let due = nextOwnTime
        guard let next = swarm.nextTime, next < due + beganAt else {
            guard due < .max else { return finish("no events are left") }
            swarm.skip(to: due + beganAt)
            keepTime()
            return
        }
        swarm.step()
        if phase == .settling, time >= settling.checkAt { checkConvergence() }
    }

    private var nextOwnTime: UInt64 {
        var next = phase == .settling ? settling.checkAt : plan.endsAt
        next = min(next, shots.nextTime, faults.nextTime)
        for deed in deeds { next = min(next, deed.dueAt) }
        return next
    }

    private func keepTime() {
        while let fault = faults.nextBeginning(at: time) { begin(fault) }
        while let fault = faults.nextEnding(at: time) { end(fault) }
        for shot in shots.takeDue(at: time) { take(shot) }
        for picture in shots.takeDueRemovals(at: time) { remove(picture) }
        doDeeds()
        let isAllDone = shots.areAllTried && faults.isEmpty && deeds.isEmpty
        if phase == .happening, time >= plan.endsAt || isAllDone { heal() }
        if phase == .settling, time >= settling.checkAt { checkConvergence() }
    }

    // People

    private func take(_ shot: PartyPlan.Shot) {
        let node = swarm.nodes[shot.node]
        guard node.replica?.isAdmitted == true, !node.clock.isAsleep(at: swarm.now) else {
            if phase == .settling, isOut(node) { return }
            return shots.postpone(shot, at: time)
        }
        useTicket(for: AuthorID(node.device), by: node, nil)
        takePicture(on: node, by: nil)
        guard let delay = shot.removedAfter else { return }
        shots.planRemoval(of: pictures.count - 1, at: time + delay)
    }

    /// - Parameter key: a guest's sub-key; without one the machine's own person takes the photo.
    @discardableResult func takePicture(on node: SimulatedNode, by key: SigningKey?) -> Ticket {
        let before = swarm.archive.blobs.count
        // Some originals have more than one chunk.
        let isChunky = options.keptClasses.contains(.original) && swarm.random.oneIn(8)
        let statement = swarm.photo(of: node, isChunky ? .chunky : options.sizes)
        if options.sizes.thumbnail != nil {
            places[swarm.archive.blobs[before].reference.id] = pictures.count
        }
        log?("\(time) n\(node.index) takes photo \(pictures.count)")
        let ticket = swarm.say(statement, by: node, key)
        pictures.append(Picture(node: node.index, ticket: ticket, takenAt: time, lastSeenAt: time))
        return ticket
    }

    private func remove(_ index: Int) {
        let picture = pictures[index]
        let node = swarm.nodes[picture.node]
        guard let id = node.person.authored[picture.ticket]?.first, node.replica != nil else { return }
        pictures[index].isRemoved = true
        log?("\(time) n\(node.index) deletes photo \(index)")
        swarm.say(.remove(PhotoID(id)), by: node)
    }

    private func note(_ blob: BlobID, on node: SimulatedNode) {
        guard let index = places[blob], pictures[index].seenBy.insert(node.index).inserted else { return }
        pictures[index].lastSeenAt = time
    }
}
