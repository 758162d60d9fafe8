// SPDX-License-Identifier: Apache-2.0

/// The photos that the people of a party are going to take, and to delete. Times are in milliseconds of the party.
struct ShotQueue {
    private let shots: [PartyPlan.Shot]
    private var nextShot = 0
    /// The shots whose machine was not ready.
    private var postponed: [PartyPlan.Shot] = []
    private var retryAt: UInt64 = 0
    private var removals: [(time: UInt64, picture: Int)] = []

    private static let retryMilliseconds: UInt64 = 2_000

    init(_ shots: [PartyPlan.Shot]) { self.shots = shots }

    /// Whether every shot was tried at least once, and everything is deleted that was to be.
    var areAllTried: Bool { nextShot == shots.count && removals.isEmpty }
    /// Whether nobody waits for a machine, and everything is deleted that was to be.
    var isAtRest: Bool { postponed.isEmpty && removals.isEmpty }

    /// The time of the next shot or deletion; the maximum if there is none.
    var nextTime: UInt64 {
        var next = UInt64.max
        if nextShot < shots.count { next = min(next, shots[nextShot].time) }
        if !postponed.isEmpty { next = min(next, retryAt) }
        for removal in removals { next = min(next, removal.time) }
        return next
    }

    /// Removes and returns the shots that are due: first those that were postponed.
    mutating func takeDue(at time: UInt64) -> [PartyPlan.Shot] {
        var due: [PartyPlan.Shot] = []
        if retryAt <= time {
            due = postponed
            postponed = []
        }
        while nextShot < shots.count, shots[nextShot].time <= time {
            due.append(shots[nextShot])
            nextShot += 1
        }
        return due
    }

    mutating func postpone(_ shot: PartyPlan.Shot, at time: UInt64) {
        if postponed.isEmpty { retryAt = time + Self.retryMilliseconds }
        postponed.append(shot)
    }

    mutating func planRemoval(of picture: Int, at time: UInt64) { removals.append((time, picture)) }

    /// Removes and returns the pictures whose deletion is due.
    mutating func takeDueRemovals(at time: UInt64) -> [Int] {
        defer { removals.removeAll { $0.time <= time } }
        return removals.filter { $0.time <= time }.map(\.picture)
    }
}
