// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// The moments of an event on nodes that are apart and whose clocks differ.
@Suite("Moments") struct MomentScenarioTests {
    private static let minute: UInt64 = 60_000

    @Test(
        "nodes with clocks that differ compute the same minute without a message, and the same verdict of every photo",
        arguments: 0..<4)
    func skewedClocks(seed: UInt64) throws {
        let swarm = Swarm(seed: 400 + seed)
        let (host, ahead, behind) = (
            swarm.addNode(), swarm.addNode(clockOffset: 150_000), swarm.addNode(clockOffset: -150_000)
        )
        swarm.introduceAll()
        try swarm.drive { swarm.agree() }
        var charter = try #require(host.replica?.state.charter)
        // A single minute, a quarter of an hour from now, whatever the salt.
        let start = (charter.schedule.startsAtMilliseconds / Self.minute + 15) * Self.minute
        let first = UInt32(start / Self.minute % 1_440)
        charter.schedule.moments = MomentHours(from: first, to: first + 1)
        swarm.say(.edit([.moments], charter, salt: swarm.random.bytes(16)), by: host)
        try swarm.drive { swarm.nodes.allSatisfy { $0.replica?.state.moments != nil } }
        let moment = try #require(host.replica?.state.moments?.all.first)
        #expect(moment.startsAtMilliseconds == start)
        #expect(swarm.nodes.allSatisfy { $0.replica?.state.moments == host.replica?.state.moments })

        // From here on nobody hears of anybody; each adds photos around the moment, by its own clock.
        for (one, other) in [(host, ahead), (host, behind), (ahead, behind)] { swarm.cut(one, other) }
        for _ in 0..<25 {
            try swarm.drive(milliseconds: Self.minute)
            for node in swarm.nodes { try swarm.add(1, by: node) }
        }
        swarm.healAll()
        swarm.introduceAll()
        try swarm.settle()
        let states = swarm.nodes.compactMap { $0.replica?.state }
        let verdicts = states.map { state in
            Dictionary(uniqueKeysWithValues: state.photos.map { ($0.id, state.moment(of: $0.id)) })
        }
        #expect(verdicts.allSatisfy { $0 == verdicts[0] })
        // Each node has photos within its five minutes, the clocks of two of which are five minutes apart.
        for node in swarm.nodes {
            let own = states[0].photos.filter { $0.device == node.device }.compactMap { states[0].moment(of: $0.id) }
            #expect(own.contains { !$0.isLate } && own.count <= 7)
        }
        try swarm.check()
    }
}
