// SPDX-License-Identifier: Apache-2.0
internal import DisposableWire

/// The rate limits of one peer. An overdrawn one pauses reading from it.
struct PeerRates {
    /// For messages that cause work without carrying anything.
    var steering: Allowance
    /// For its own operations, once its identity is known.
    var operations: Allowance?
    /// For units of operations that did not fit into the waiting room.
    var excess: Allowance

    init(at now: UInt64) {
        steering = Allowance(perSecond: Limits.steeringPerSecond, burst: Limits.steeringBurstMax, at: now)
        excess = Allowance(perSecond: Limits.excessUnitsPerSecond, burst: Limits.excessUnitsBurstMax, at: now)
    }

    /// When all are level again, `nil` if they are.
    var levelAt: UInt64? { [steering.levelAt, operations?.levelAt, excess.levelAt].compactMap(\.self).max() }
}
