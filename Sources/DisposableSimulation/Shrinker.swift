// SPDX-License-Identifier: Apache-2.0

/// Makes a failing party smaller: fewer faults, fewer peers, fewer photos, as long as it still fails.
package enum Shrinker {
    /// - Parameter fails: whether a party with these options still fails.
    package static func smallest(_ options: PartyOptions, fails: (PartyOptions) -> Bool) -> PartyOptions {
        var smallest = options
        func attempt(_ change: (inout PartyOptions) -> Void) {
            var smaller = smallest
            change(&smaller)
            if smaller != smallest, fails(smaller) { smallest = smaller }
        }
        // Halves first, then the rest one by one.
        var numbers = PartyPlan(smallest).faults.map(\.number)
        var size = (numbers.count + 1) / 2
        while size > 0, !numbers.isEmpty {
            for start in stride(from: 0, to: numbers.count, by: size) {
                let part = numbers[start..<min(start + size, numbers.count)]
                attempt { $0.absentFaults.formUnion(part) }
            }
            numbers.removeAll(where: smallest.absentFaults.contains)
            size /= 2
        }
        for peer in (1..<max(1, smallest.peerCount)).reversed() { attempt { $0.absentPeers.insert(peer) } }
        return smallest
    }
}
