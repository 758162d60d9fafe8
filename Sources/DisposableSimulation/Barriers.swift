// SPDX-License-Identifier: Apache-2.0

/// The obstacles between the machines of a swarm, which are named by their numbers.
struct Barriers {
    /// Pairs of machines, smaller first, that cannot connect.
    private var cuts: Set<[Int]> = []
    /// The pairs of these whose existing connections wait for the end of the cut.
    private var stalls: Set<[Int]> = []
    /// Pairs of dialler and listener that a firewall blocks.
    private var oneWayBlocks: Set<[Int]> = []

    private func pair(_ one: Int, _ other: Int) -> [Int] { [min(one, other), max(one, other)] }

    func isCut(_ one: Int, _ other: Int) -> Bool {
        cuts.contains(pair(one, other)) || stalls.contains(pair(one, other))
    }

    func isStalled(_ one: Int, _ other: Int) -> Bool { !stalls.isEmpty && stalls.contains(pair(one, other)) }

    func mayDial(_ dialler: Int, _ listener: Int) -> Bool {
        !isCut(dialler, listener) && !oneWayBlocks.contains([dialler, listener])
    }

    mutating func cut(_ one: Int, _ other: Int) { cuts.insert(pair(one, other)) }

    mutating func stall(_ one: Int, _ other: Int) { stalls.insert(pair(one, other)) }

    mutating func heal(_ one: Int, _ other: Int) {
        cuts.remove(pair(one, other))
        stalls.remove(pair(one, other))
    }

    mutating func forbidDials(from dialler: Int, to listener: Int) { oneWayBlocks.insert([dialler, listener]) }

    mutating func allowDials(from dialler: Int, to listener: Int) { oneWayBlocks.remove([dialler, listener]) }
}
