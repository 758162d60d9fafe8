// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// The time after all faults of a party have ended. Times are in milliseconds of the party.
struct Settling {
    private(set) var since: UInt64 = 0
    var checkAt: UInt64 = 0

    static let checkMilliseconds: UInt64 = 100
    /// The time after which a party that has not converged never will: peers banned because of their disk or a liar are
    /// accepted again after ten minutes, and at most a minute later.
    static let millisecondsMax: UInt64 = 15 * 60_000

    var until: UInt64 { since + Self.millisecondsMax }

    mutating func begin(at time: UInt64) {
        since = time
        checkAt = time
    }
}

/// The end of a party: whether all nodes have everything, and what the checks find.
extension Party {
    /// The maximum number of steps of a party.
    var stepCountMax: Int { 2_000_000 + 400 * options.peerCount * (options.photoCount + 20 * plan.faults.count) }

    func checkConvergence() {
        settling.checkAt = time + Settling.checkMilliseconds
        if faults.counts[.rotation] != nil { giveSecret() }
        guard shots.isAtRest, deeds.isEmpty, isAtRest else {
            // The allowance is computed from all operations, and is needed rarely.
            if time > settling.until, time > settling.until + transferAllowance {
                finish("not converged \((time - settling.since) / 1_000) s after all faults had ended")
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
        let areAwake = present.allSatisfy {
            $0.replica != nil && !$0.storage.isWriting && $0.clock.sleepsUntil < swarm.now
        }
        guard areAwake else { return false }
        guard swarm.honestNodes.allSatisfy({ !isOut($0) || knows($0) }) else { return false }
        guard present.allSatisfy({ $0.replica!.keyring.epoch == $0.replica!.state.epochs.current }) else {
            return false
        }
        guard present.allSatisfy({ !$0.replica!.isReviewingInterest }), areTicketsConfirmed else { return false }
        let missing = present.filter { $0.replica!.missingBlobCount > 0 }
        // Corrupt data, or those of a removed member, may no longer exist on any node.
        guard missing.isEmpty || swarm.evidence.hasDamage || faults.counts[.roles] != nil else { return false }
        return swarm.agree(present) && missing.allSatisfy { !swarm.lacksSomethingAvailable($0, among: present) }
    }

    /// Whether the organizer's node has confirmed every use that holds a ticket.
    private var areTicketsConfirmed: Bool { swarm.nodes[0].replica?.state.unconfirmedUses.isEmpty != false }

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

    func finish(_ failure: String?) {
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
