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
    package private(set) var phase = Phase.happening
    package private(set) var violations: [Violation] = []
    package private(set) var convergedAt: UInt64?
    /// Whether it was interrupted before it converged: then nothing was checked.
    package private(set) var isInterrupted = false
    /// Called with one line for each event, if set.
    package var log: ((String) -> Void)? { didSet { swarm.log = log } }
    let plan: PartyPlan
    let beganAt: UInt64
    /// The nodes that each node may discover.
    var views: [[Int]] = []
    var pictures: [Picture] = []
    private var places: [BlobID: Int] = [:]
    private var nextShot = 0
    private var pending: [PartyPlan.Shot] = []
    private var retryAt: UInt64 = 0
    private var beginnings: [Fault]
    private var endings: [Fault] = []
    private var losses: [Fault] = []
    private var removals: [(time: UInt64, picture: Int)] = []
    var deeds: [Deed] = []
    var guests: [Guest] = []
    private var checkAt: UInt64 = 0
    var givesSecretAt: UInt64 = 0
    private var settlingSince: UInt64 = 0
    /// The number of faults, by kind.
    package private(set) var faultCounts: [FaultKind: Int] = [:]

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
    package init(_ options: PartyOptions, disk: (FoundedEvent, Int) -> (any Disk)? = { _, _ in nil }) {
        self.options = options
        let isUnlimited = options.photoCount > 20 * options.peerCount
        swarm = Swarm(seed: options.seed, frames: isUnlimited ? 0 : 27)
        swarm.medium = options.medium
        swarm.workMilliseconds = 1...4
        plan = PartyPlan(options)
        beganAt = swarm.now
        beginnings = plan.faults.sorted { ($0.begins, $0.number) > ($1.begins, $1.number) }
        views = Self.views(options, &swarm.random)
        for index in 0..<options.peerCount {
            let node = swarm.makeNode(keeping: options.keptClasses, disk: disk(swarm.founding, index))
            if index == 0 { _ = node.disk.write(swarm.founding.operations, durably: true) }
            if options.faults.contains(.clock), swarm.random.oneIn(3) {
                node.clockOffset = Int64.random(in: -600_000...600_000, using: &swarm.random)
            }
        }
        for index in 0..<options.peerCount where !options.absentPeers.contains(index) { arrive(swarm.nodes[index]) }
        swarm.onComplete = { [weak self] node, blob in self?.note(blob, on: node) }
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

    private func arrive(_ node: SimulatedNode) {
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
        if phase == .settling, time >= checkAt { checkConvergence() }
    }

    private var nextOwnTime: UInt64 {
        var next = phase == .settling ? checkAt : plan.endsAt
        if nextShot < plan.shots.count { next = min(next, plan.shots[nextShot].time) }
        if !pending.isEmpty { next = min(next, retryAt) }
        if let fault = beginnings.last { next = min(next, fault.begins) }
        for fault in endings { next = min(next, fault.ends) }
        for removal in removals { next = min(next, removal.time) }
        for deed in deeds { next = min(next, deed.dueAt) }
        return next
    }

    private func keepTime() {
        while let fault = beginnings.last, fault.begins <= time {
            beginnings.removeLast()
            begin(fault)
        }
        for fault in endings where fault.ends <= time { end(fault) }
        endings.removeAll { $0.ends <= time }
        if retryAt <= time, !pending.isEmpty {
            retryAt = time + 2_000
            let again = pending
            pending = []
            for shot in again { take(shot) }
        }
        while nextShot < plan.shots.count, plan.shots[nextShot].time <= time {
            nextShot += 1
            take(plan.shots[nextShot - 1])
        }
        for removal in removals where removal.time <= time { remove(removal.picture) }
        removals.removeAll { $0.time <= time }
        doDeeds()
        let isAllDone =
            nextShot == plan.shots.count
            && (beginnings.isEmpty && endings.isEmpty && removals.isEmpty && deeds.isEmpty)
        if phase == .happening, time >= plan.endsAt || isAllDone { heal() }
        if phase == .settling, time >= checkAt { checkConvergence() }
    }

    // People

    private func take(_ shot: PartyPlan.Shot) {
        let node = swarm.nodes[shot.node]
        guard node.replica?.isAdmitted == true, node.suspendedUntil <= swarm.now else {
            if phase == .settling, isOut(node) { return }
            if pending.isEmpty { retryAt = time + 2_000 }
            return pending.append(shot)
        }
        takePicture(on: node, by: nil)
        guard let delay = shot.removedAfter else { return }
        removals.append((time + delay, pictures.count - 1))
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
        guard let id = node.authored[picture.ticket]?.first, node.replica != nil else { return }
        pictures[index].isRemoved = true
        log?("\(time) n\(node.index) deletes photo \(index)")
        swarm.say(.remove(PhotoID(id)), by: node)
    }

    private func note(_ blob: BlobID, on node: SimulatedNode) {
        guard let index = places[blob], pictures[index].seenBy.insert(node.index).inserted else { return }
        pictures[index].lastSeenAt = time
    }

    // Faults

    /// The present faults.
    package var presentFaults: [Fault] { endings }

    private func begin(_ fault: Fault) {
        log?("\(time) begin \(fault)")
        let nodes = swarm.nodes
        endings.append(fault)
        faultCounts[fault.kind, default: 0] += 1
        switch fault.trouble {
        case .partition(let half): swarm.partition(half.map { nodes[$0] })
        case .cut(let node, let other, let isNoticed): swarm.cut(nodes[node], nodes[other], isNoticed: isNoticed)
        case .oneWay(let node, let other): swarm.forbidDials(from: nodes[node], to: nodes[other])
        case .halfOpen(let node, let other):
            for link in swarm.openLinks(nodes[node], nodes[other]) { swarm.sever(link, isNoticed: false) }
        case .loss, .badAir:
            losses.append(fault)
            setAir()
        case .crash(let node, let isNoticed): if nodes[node].isUp { swarm.crash(nodes[node], isNoticed: isNoticed) }
        case .clockJump(let node, let milliseconds): nodes[node].clockOffset += milliseconds
        case .suspend(let node): swarm.suspend(nodes[node], milliseconds: fault.ends - fault.begins)
        case .diskFull(let node):
            // Some notice in time, like a node that watches its disk: at one level or another.
            let space = DiskSpace(rawValue: fault.number % 4) ?? .plenty
            nodes[node].isDiskFull = space == .plenty
            guard nodes[node].isUp else { break }
            swarm.apply(.roomChanged(space), to: nodes[node])
            // Or it has room, and for only a few originals of each member.
            swarm.apply(.originalsLimited(perTree: fault.number % 8 < 4 ? 8_000 : nil), to: nodes[node])
        case .diskErrors(let node, let share): nodes[node].diskErrorShare = share
        case .bitFlip(let node): swarm.flipBit(nodes[node])
        case .dishonest(let mischief): invite(mischief, fault)
        case .away(let node): if nodes[node].isUp { swarm.shutDown(nodes[node]) }
        case .roam(let node): roam(nodes[node])
        case .staleSighting(let node):
            swarm.happenings.insert(
                .sight(PeerAddress(host: "10.9.9.9", port: 8028), node: node, attempt: 0), at: swarm.now)
        case .putOut, .role, .tidying, .outcast, .hostages, .smuggling, .guest, .rotation, .approval: plan(fault)
        }
    }

    @discardableResult func invite(_ mischief: Mischief, _ fault: Fault) -> SimulatedNode {
        let member = swarm.addDishonestPeer(mischief, milliseconds: plan.endsAt - min(plan.endsAt, fault.begins))
        for index in 0..<options.peerCount where swarm.random.oneIn(2) {
            guard !options.absentPeers.contains(index) else { continue }
            swarm.discover(member, swarm.nodes[index])
        }
        return member
    }

    private func roam(_ node: SimulatedNode) {
        swarm.move(node)
        // Its peers see its new address, some also the old one.
        for (index, view) in views.enumerated() where view.contains(node.index) {
            swarm.discover(swarm.nodes[index], node)
        }
        for other in views[node.index] where !options.absentPeers.contains(other) {
            swarm.discover(node, swarm.nodes[other])
        }
    }

    private func setAir() {
        var medium = options.medium
        for fault in losses {
            switch fault.trouble {
            case .loss(let share): medium.lossShare = max(medium.lossShare, share)
            default:
                medium.lossShare = max(medium.lossShare, 0.1)
                medium.latencies = 20...300
                medium.radioRate = min(medium.radioRate ?? 50_000, 2_000)
            }
        }
        swarm.medium = medium
    }

    private func end(_ fault: Fault) {
        log?("\(time) end \(fault)")
        let nodes = swarm.nodes
        switch fault.trouble {
        case .partition(let half):
            let inside = Set(half)
            for node in half {
                for other in nodes where !inside.contains(other.index) { swarm.heal(nodes[node], other) }
            }
        case .cut(let node, let other, _): swarm.heal(nodes[node], nodes[other])
        case .oneWay(let node, let other): swarm.oneWayBlocks.remove([node, other])
        case .loss, .badAir:
            losses.removeAll { $0.number == fault.number }
            setAir()
        case .crash(let node, _), .away(let node): if !nodes[node].isUp { arrive(nodes[node]) }
        case .diskFull(let node):
            nodes[node].isDiskFull = false
            guard nodes[node].isUp else { break }
            swarm.apply(.roomChanged(.plenty), to: nodes[node])
            swarm.apply(.originalsLimited(perTree: nil), to: nodes[node])
        case .diskErrors(let node, _): nodes[node].diskErrorShare = 0
        case .halfOpen, .clockJump, .suspend, .bitFlip, .dishonest, .roam, .staleSighting, .putOut, .role, .tidying,
            .outcast, .hostages, .smuggling, .guest, .rotation, .approval:
            break
        }
    }

    /// Ends all faults, including the effects of overlapping ones.
    private func heal() {
        for fault in endings { end(fault) }
        endings = []
        beginnings = []
        swarm.healAll()
        losses = []
        swarm.medium = options.medium
        for node in swarm.nodes where node.isHonest && !options.absentPeers.contains(node.index) {
            node.isDiskFull = false
            node.diskErrorShare = 0
            if !node.isUp { arrive(node) }
        }
        hurryDeeds()
        log?("\(time) all faults have ended")
        phase = .settling
        settlingSince = time
        checkAt = time
    }

    // Convergence

    /// The simulated time after which a party that has not converged never will: peers banned because of their disk or
    /// a liar are accepted again after ten minutes, and at most a minute later.
    static let settlingMillisecondsMax: UInt64 = 15 * 60_000
    /// The maximum number of steps of a party.
    var stepCountMax: Int { 2_000_000 + 400 * options.peerCount * (options.photoCount + 20 * plan.faults.count) }

    private func checkConvergence() {
        checkAt = time + 100
        if faultCounts[.rotation] != nil { giveSecret() }
        guard pending.isEmpty, removals.isEmpty, deeds.isEmpty, isAtRest else {
            let settlingUntil = settlingSince + Self.settlingMillisecondsMax
            // The allowance is computed from all operations, and is needed rarely.
            if time > settlingUntil, time > settlingUntil + transferAllowance {
                finish("not converged \((time - settlingSince) / 1_000) s after all faults had ended")
            } else if swarm.stepCount > stepCountMax {
                finish("not converged after \(swarm.stepCount) steps")
            }
            return
        }
        convergedAt = time
        finish(nil)
    }

    /// The members of the event at the end. A separate check compares the organizer's view of removed members with the
    /// rules.
    private var present: [SimulatedNode] {
        swarm.honestNodes.filter { !options.absentPeers.contains($0.index) && !isOut($0) }
    }

    /// Whether the node was removed, according to the organizer's node.
    func isOut(_ node: SimulatedNode) -> Bool {
        swarm.nodes[0].replica?.state.membership.isRevoked(node.device) == true
    }

    /// Whether sets are equal, no node lacks available data, and removed nodes know of their removal.
    private var isAtRest: Bool {
        let present = present
        // A node that has just woken up does not know yet what its disk has done meanwhile.
        guard present.allSatisfy({ $0.replica != nil && $0.writes.isEmpty && $0.suspendedUntil < swarm.now }) else {
            return false
        }
        guard swarm.honestNodes.allSatisfy({ !isOut($0) || knows($0) }) else { return false }
        guard present.allSatisfy({ $0.replica!.keyring.epoch == $0.replica!.state.epochs.current }) else {
            return false
        }
        guard present.allSatisfy({ !$0.replica!.isReviewingInterest }) else { return false }
        let missing = present.filter { $0.replica!.missingBlobCount > 0 }
        // Corrupt data, or those of a removed member, may no longer exist on any node.
        guard missing.isEmpty || !swarm.damage.isEmpty || faultCounts[.roles] != nil else { return false }
        return swarm.agree(present) && missing.allSatisfy { !swarm.lacksSomethingAvailable($0, among: present) }
    }

    /// Whether a removed node knows of its removal, or has an older secret than the event's, under which no node
    /// informs it.
    private func knows(_ outcast: SimulatedNode) -> Bool {
        guard let replica = outcast.replica, let organizer = swarm.nodes[0].replica else { return false }
        return !replica.isAdmitted || !replica.keyring.current.secret.isEqual(to: organizer.keyring.current.secret)
    }

    private var transferAllowance: UInt64 { 4 * lowerBoundMilliseconds }

    /// Ends the run without a verdict.
    package func interrupt() {
        isInterrupted = phase != .over
        phase = .over
    }

    private func finish(_ failure: String?) {
        phase = .over
        violations = swarm.violations(present)
        guard let failure else { return }
        if violations.isEmpty { violations.append(Violation(invariant: .everythingArrives, details: failure)) }
        violations.append(
            Violation(
                invariant: .everythingArrives,
                details: failure + ": " + swarm.nodes.map(\.summary).joined(separator: " | ")))
    }
}
