// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import Dispatch
import Foundation
import Testing

@Suite("Random parties") struct RandomPartyTests {
    /// Many more in `make test-long`.
    private static let isLong = ProcessInfo.processInfo.environment["DISPOSABLE_LONG"] != nil
    /// Differs from run to run where `make test` sets it, so that coverage accumulates.
    private static let seed = ProcessInfo.processInfo.environment["DISPOSABLE_SEED"].flatMap { UInt64($0) }
    private static let first = seed ?? 50_000

    /// All of them, or a share that differs from run to run.
    private static func share<Argument>(_ all: [Argument], of count: Int, name: String) -> [Argument] {
        guard !isLong, let seed else { return all }
        return all.share(of: count, seed: seed, name: name)
    }

    /// A small party whose shape, too, follows from the seed.
    private func options(_ seed: UInt64) -> PartyOptions {
        var random = SplitMix64(seed: seed)
        let kinds = FaultKind.allCases.filter { _ in Bool.random(using: &random) }
        let topology = Topology.allCases[Int.random(in: 0..<3, using: &random)]
        let hasOriginals = Bool.random(using: &random)
        var options = PartyOptions(
            peerCount: Int.random(in: 2...6, using: &random), photoCount: Int.random(in: 5...25, using: &random),
            seed: seed, minutes: Int.random(in: 1...2, using: &random), faults: kinds, topology: topology,
            keptClasses: hasOriginals ? [.thumbnail, .original] : [.thumbnail])
        // Some trouble takes time: more new secrets than a node keeps, say.
        if random.next() % 30 == 0 { (options.peerCount, options.photoCount, options.minutes) = (8, 60, 5) }
        return options
    }

    private func run(_ options: PartyOptions) -> Party {
        let party = Party(options)
        while party.advance() {}
        return party
    }

    @Test("whatever goes wrong, in the end everybody has everything", arguments: 0..<(isLong ? 1_000 : 4))
    func parties(batch: Int) {
        for number in 0..<10 {
            let party = run(options(Self.first + UInt64(10 * batch + number)))
            #expect(party.violations.isEmpty, "run it again with: \(party.options.command)")
        }
    }

    @Test("the same holds over real stores, killed wherever power would go", arguments: 0..<(isLong ? 50 : 1))
    func storedParties(batch: Int) throws {
        for number in 0..<10 {
            let options = options(Self.first + 1_000_000 + UInt64(10 * batch + number))
            let party = Party(options) { founding, _ in try? StoreDisk(founding) }
            try #require(party.swarm.nodes.allSatisfy { $0.memoryDisk == nil })
            while party.advance() {}
            #expect(party.violations.isEmpty, "seed \(options.seed), with stores: \(options.command)")
        }
    }

    /// The kinds of trouble that there were when the first seeds below found something.
    private static let firstKinds: [FaultKind] = [.partition, .loss, .crash, .clock, .disk, .byzantine, .churn, .radio]

    @Test("what a crash has left on a node's own disk, without the operations, is not offered to it by anybody")
    func leftover() {
        let party = run(
            PartyOptions(
                peerCount: 2, photoCount: 25, seed: 52_359, minutes: 2,
                faults: [.loss, .crash, .disk, .byzantine, .radio]))
        #expect(party.violations.isEmpty, "run it again with: \(party.options.command)")
    }

    @Test("a node that has lost its operations to a full disk receives them again on the same connection")
    func lostOperations() {
        let party = run(
            PartyOptions(
                peerCount: 2, photoCount: 23, seed: 666_884_184, minutes: 1, faults: [.clock, .disk, .roles],
                topology: .twoRooms, keptClasses: [.thumbnail, .original]))
        #expect(party.violations.isEmpty, "run it again with: \(party.options.command)")
    }

    @Test(
        "parties that once found a defect",
        arguments: share([UInt64(1_002), 1_006, 1_039, 1_046, 1_094, 1_285, 1_352], of: 3, name: "regressions"))
    func regressions(seed: UInt64) {
        for classes in [Set([BlobClass.thumbnail]), [.thumbnail, .original]] {
            let party = run(
                PartyOptions(
                    peerCount: 5, photoCount: 25, seed: seed, minutes: 2, faults: Self.firstKinds,
                    keptClasses: classes))
            #expect(party.violations.isEmpty, "run it again with: \(party.options.command)")
        }
    }

    @Test(
        "parties in which a removed member did not receive the revocation, or only a part of its proof",
        arguments: share(
            [(UInt64(3), 4, 12), (8, 4, 9), (11, 6, 25), (19, 6, 23), (60, 3, 22)], of: 2, name: "untold"))
    func untold(seed: UInt64, peerCount: Int, photoCount: Int) {
        for faults in [[FaultKind.roles], [.roles, .guests]] {
            let party = run(
                PartyOptions(
                    peerCount: peerCount, photoCount: photoCount, seed: seed, minutes: seed == 60 ? 1 : 2,
                    faults: faults,
                    topology: seed == 8 ? .twoRooms : .lan))
            #expect(party.violations.isEmpty, "run it again with: \(party.options.command)")
        }
    }

    @Test(
        "parties in which somebody taken in again had no secret in common with the others but the first",
        arguments: share([UInt64(90_007), 90_009], of: 2, name: "takenInAgain"))
    func takenInAgain(seed: UInt64) {
        let party = run(
            PartyOptions(
                peerCount: 8, photoCount: 100, seed: seed, minutes: 5, faults: [.partition, .churn, .roles, .rotation]))
        #expect(party.violations.isEmpty, "run it again with: \(party.options.command)")
    }

    @Test("a party in which two used a new secret that no longer counted, and no node informed them")
    func stray() {
        // These came later, and change what the seed gives.
        let kinds = FaultKind.allCases.filter { ![.tickets, .veils, .missions].contains($0) }
        let party = run(PartyOptions(peerCount: 8, photoCount: 100, seed: 91_002, minutes: 5, faults: kinds))
        #expect(party.violations.isEmpty, "run it again with: \(party.options.command)")
    }

    @Test("parties in which photos are veiled and answer missions behind cuts, with what every rule says of them")
    func wishes() {
        var kinds: Set<OperationKind> = []
        for seed in UInt64(1)...6 {
            let party = run(
                PartyOptions(
                    peerCount: 4, photoCount: 20, seed: Self.first + 2_000_000 + seed, minutes: 2,
                    faults: [.partition, .guests, .roles, .veils, .missions]))
            #expect(party.violations.isEmpty, "run it again with: \(party.options.command)")
            kinds.formUnion(party.swarm.nodes[0].disk.operations.compactMap(\.kind))
        }
        #expect(kinds.isSuperset(of: [.veiling, .veil, .lift, .edit, .answer]))
    }

    @Test("one seed run twice gives the same inputs, however many nodes work at once")
    func determinism() {
        let options = PartyOptions(peerCount: 6, photoCount: 30, seed: 77, minutes: 1, faults: FaultKind.allCases)
        let first = run(options)
        let second = Party(options)
        second.swarm.concurrently = { count, body in
            DispatchQueue.concurrentPerform(iterations: count) { body($0) }
        }
        while second.advance() {}
        #expect(first.report.trace == second.report.trace)
        #expect(first.report.work.steps == second.report.work.steps)
        var other = options
        other.seed = 78
        #expect(run(other).report.trace != first.report.trace)
    }

    @Test("a failing party is shrunk to the faults and peers that it needs")
    func shrinking() {
        let options = PartyOptions(peerCount: 9, photoCount: 1, seed: 5, minutes: 8, faults: [.crash, .partition])
        let smallest = Shrinker.smallest(options) { candidate in
            candidate.absentFaults.isDisjoint(with: [3, 17]) && !candidate.absentPeers.contains(4)
        }
        #expect(smallest.absentPeers == Set(1...8).subtracting([4]))
        #expect(smallest.absentFaults == Set(1...32).subtracting([3, 17]))
        #expect(smallest.command.contains("--without-peers 1,2,3,5,6,7,8"))
    }
}
