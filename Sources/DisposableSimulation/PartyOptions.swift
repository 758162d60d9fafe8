// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// The kinds of faults of a party.
package enum FaultKind: String, CaseIterable, Codable, Sendable {
    case partition, loss, crash, clock, disk, byzantine, churn, radio
    /// Members removed and reinstated, roles granted and revoked, photos hidden, shown again and erased.
    case roles
    /// Guests of pages that move from node to node.
    case guests
    /// The event's secret replaced, by one organizer or two that do not know of each other.
    case rotation
    /// Photos that wait for approval: rules set, photos approved, declined and made to wait again, by several at once.
    case approval
    /// Frames that members and guests of pages give each other, several at once.
    case gifts
    /// Shares of the reveal key that are given out and published, several at once.
    case shares
    /// Votes for the photo of the night that are opened, cast and closed, several at once.
    case votes
    /// Tickets that are listed, used by several at once and cancelled; in half of the parties photos need one.
    case tickets
    /// Galleries joined with those of other events, renewed and separated, by several organizers at once.
    case twins
    /// Veils that are switched on and off, asked for and lifted, several at once.
    case veils
    /// Missions that organizers set and photos answer, several at once.
    case missions
}

/// The network of a party's machines.
package enum Topology: String, CaseIterable, Codable, Sendable {
    /// One switch with 1 Gbit/s for each machine.
    case lan
    /// Two switches with 100 Mbit/s between them.
    case twoRooms = "two-rooms"
    /// One access point: 400 Mbit/s of radio for all together; the first machine is wired to it.
    case oneAccessPoint = "one-ap"
}

/// The parameters of a party. Everything else follows from the seed.
package struct PartyOptions: Equatable, Sendable {
    package var peerCount: Int
    package var photoCount: Int
    package var seed: UInt64
    /// The simulated minutes in which photos are taken and faults happen; afterwards all faults end and the nodes
    /// converge.
    package var minutes: Int
    package var faults: [FaultKind]
    package var topology: Topology
    package var sizes: Swarm.Sizes
    /// The classes that the peers fetch.
    package var keptClasses: Set<BlobClass>
    /// The excluded peers, from 1, and faults, by their numbers: for making a failing run smaller.
    package var absentPeers: Set<Int> = []
    package var absentFaults: Set<Int> = []

    package init(
        peerCount: Int, photoCount: Int, seed: UInt64, minutes: Int = 5, faults: [FaultKind] = [],
        topology: Topology = .lan, sizes: Swarm.Sizes = .party, keptClasses: Set<BlobClass> = [.thumbnail, .original]
    ) {
        self.peerCount = peerCount
        self.photoCount = photoCount
        self.seed = seed
        self.minutes = minutes
        // In a fixed order, so that the order of the arguments does not matter.
        self.faults = FaultKind.allCases.filter(faults.contains)
        self.topology = topology
        self.sizes = sizes
        self.keptClasses = keptClasses
    }

    var medium: Medium {
        var medium = Medium()
        medium.latencies = 1...4
        medium.hostRate = 125_000
        switch topology {
        case .lan: break
        case .twoRooms: medium.bridgeRate = 12_500
        case .oneAccessPoint:
            medium.latencies = 2...12
            medium.radioRate = 50_000
        }
        return medium
    }

    /// A command that runs the same party.
    package var command: String {
        var words = [
            "disposable-lab simulate --peers \(peerCount) --photos \(photoCount) --seed \(seed) --minutes \(minutes)"
        ]
        if !faults.isEmpty { words.append("--faults " + faults.map(\.rawValue).joined(separator: ",")) }
        if topology != .lan { words.append("--topology \(topology.rawValue)") }
        if keptClasses.contains(.original) { words.append("--originals") }
        func list(_ numbers: Set<Int>) -> String { numbers.sorted().map(String.init).joined(separator: ",") }
        if !absentPeers.isEmpty { words.append("--without-peers \(list(absentPeers))") }
        if !absentFaults.isEmpty { words.append("--without-faults \(list(absentFaults))") }
        return words.joined(separator: " ")
    }
}

extension Swarm.Sizes {
    /// A fiftieth of camera sizes, so that a party takes minutes: the cost of a chunk is hashing and sealing.
    package static let party = Swarm.Sizes(thumbnail: 4_000, preview: nil, original: 80_000, isSynthetic: true)
    /// Some originals of more than one chunk.
    package static let chunky = Swarm.Sizes(
        thumbnail: 500, preview: nil, original: 2 * ChunkLayout.chunkPlaintextByteCount + 3_000, isSynthetic: true)
}
