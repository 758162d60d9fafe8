// SPDX-License-Identifier: Apache-2.0

/// The faults of a party that are still to come, and the present ones. Times are in milliseconds of the party.
struct FaultSchedule {
    /// Latest first.
    private var upcoming: [Fault]
    /// In the order in which they began.
    private(set) var present: [Fault] = []
    /// The number of faults that have begun, by kind.
    private(set) var counts: [FaultKind: Int] = [:]

    init(_ faults: [Fault]) {
        upcoming = faults.sorted { ($0.begins, $0.number) > ($1.begins, $1.number) }
    }

    var isEmpty: Bool { upcoming.isEmpty && present.isEmpty }

    /// The time at which the next fault begins or ends; the maximum if there is none.
    var nextTime: UInt64 {
        var next = upcoming.last?.begins ?? .max
        for fault in present { next = min(next, fault.ends) }
        return next
    }

    /// Returns the next fault that begins, which is then present.
    mutating func nextBeginning(at time: UInt64) -> Fault? {
        guard let fault = upcoming.last, fault.begins <= time else { return nil }
        upcoming.removeLast()
        present.append(fault)
        counts[fault.kind, default: 0] += 1
        return fault
    }

    /// Returns the next fault that ends, which is then no longer present.
    mutating func nextEnding(at time: UInt64) -> Fault? {
        present.firstIndex { $0.ends <= time }.map { present.remove(at: $0) }
    }

    /// Cancels the faults that have not begun.
    mutating func cancelRest() { upcoming = [] }

    /// Returns what the present faults make of the network.
    func worsened(_ medium: Medium) -> Medium {
        var medium = medium
        for fault in present {
            switch fault.trouble {
            case .loss(let share): medium.lossShare = max(medium.lossShare, share)
            case .badAir:
                medium.lossShare = max(medium.lossShare, 0.1)
                medium.latencies = 20...300
                medium.radioRate = min(medium.radioRate ?? 50_000, 2_000)
            default: break
            }
        }
        return medium
    }
}
