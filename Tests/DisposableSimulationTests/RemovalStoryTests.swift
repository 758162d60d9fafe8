// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// Photos that were taken away, and somebody who has not heard of it.
@Suite("What was taken away") struct RemovalStoryTests {
    private func shown(_ node: SimulatedNode) -> Set<PhotoID> { Set(node.replica?.state.gallery.map(\.id) ?? []) }

    @Test(
        "who was away for a week comes back with it to one who never had it, who takes none of it and says that it is gone"
    )
    func awayForAWeek() throws {
        let swarm = try Swarm.joined(3, seed: 301)
        let (host, author, away) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        let photos = try swarm.add(3, by: author)
        try swarm.settle()
        swarm.shutDown(away)
        try swarm.remove(photos[0], by: author)
        let erase = swarm.rule(.erase(photos[1]), by: host)
        try swarm.drive("the erase") { host.person.authored[erase] != nil }
        try swarm.settle([host, author])
        swarm.shutDown(author)
        try swarm.drive(milliseconds: 7 * 86_400_000, within: 2_000_000)

        let newcomer = swarm.addNode()
        swarm.introduce(newcomer, to: host)
        try swarm.settle([host, newcomer])
        #expect(shown(newcomer) == [photos[2]])
        swarm.shutDown(host)
        var readCount = 0
        away.storage.answerRead = { read, result in
            if case .chunk = read { readCount += 1 }
            return result
        }
        swarm.introduce(away, to: newcomer)
        swarm.start(away)
        #expect(shown(away) == Set(photos), "it has heard of nothing yet")
        try swarm.drive("the news") { shown(away) == [photos[2]] }
        try swarm.drive(milliseconds: 300_000)
        let gone = Set(photos.prefix(2).map(\.operationID))
        #expect(away.replica?.destructible == gone)
        #expect(newcomer.replica?.destructible.isEmpty == true)
        #expect(newcomer.disk.load(Array(gone)).map { $0.body == nil } == [true, true])
        #expect(readCount == 0, "the newcomer has what is shown")
        #expect(newcomer.memoryDisk?.fileIDs.count == 3)

        for node in [host, author] { swarm.start(node) }
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes { #expect(shown(node) == [photos[2]]) }
    }
}
