// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// The times of an event, for nodes that are apart and whose clocks differ.
@Suite("Photos before the start and after the end") struct ScheduleScenarioTests {
    private static let minute: UInt64 = 60_000

    private func edit(_ field: CharterField, by node: SimulatedNode, in swarm: Swarm, _ change: (inout Charter) -> Void)
        throws
    {
        var charter = try #require(node.replica?.state.charter)
        change(&charter)
        swarm.say(.edit([field], charter, salt: swarm.random.bytes(16)), by: node)
    }

    /// An event of one hour that has just begun, with photos until its end.
    private func shortEvent(seed: UInt64, clockOffset: Int64 = 0) throws -> Swarm {
        let swarm = Swarm(seed: seed)
        let (host, _, _) = (swarm.addNode(), swarm.addNode(), swarm.addNode(clockOffset: clockOffset))
        swarm.introduceAll()
        try swarm.drive { swarm.agree() }
        try edit(.durationHours, by: host, in: swarm) { $0.schedule.durationHours = 1 }
        try edit(.lateness, by: host, in: swarm) { $0.schedule.lateness = Lateness(minutes: 0) }
        try swarm.drive {
            swarm.agree() && swarm.nodes.allSatisfy { $0.replica?.state.charter?.schedule.lateness != nil }
        }
        return swarm
    }

    @Test(
        "a photo of before the end counts when its node comes back, also where the end has been changed",
        arguments: 0..<4)
    func awayAtTheEnd(seed: UInt64) throws {
        let swarm = try shortEvent(seed: 300 + seed)
        let (host, one, two) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        try swarm.drive(milliseconds: 50 * Self.minute)
        swarm.cut(host, two)
        swarm.cut(one, two)
        try swarm.add(1, by: two)
        try swarm.drive(milliseconds: 25 * Self.minute)
        let tickets = [one, two].map { swarm.say(swarm.photo(of: $0), by: $0) }
        try swarm.drive { one.person.refused[tickets[0]] != nil && two.person.refused[tickets[1]] != nil }
        let end = try #require(host.replica?.state.charter).endsAtMilliseconds
        #expect(one.person.refused[tickets[0]] == .over(at: end))
        #expect(two.person.refused[tickets[1]] == .over(at: end))
        // An organizer may add at any time.
        try swarm.add(1, by: host)
        swarm.healAll()
        swarm.introduceAll()
        try swarm.settle()
        #expect(swarm.nodes.allSatisfy { $0.replica?.state.gallery.count == 2 })

        // Closed by an edit of now, which is later than the end; then an hour more for late photos.
        try edit(.isClosed, by: host, in: swarm) { $0.isClosed = true }
        try edit(.lateness, by: host, in: swarm) { $0.schedule.lateness = Lateness(minutes: 60) }
        try swarm.drive { one.replica?.state.charter?.schedule.lateness?.minutes == 60 }
        try swarm.add(1, by: one)
        try swarm.settle()
        #expect(swarm.nodes.allSatisfy { $0.replica?.state.gallery.count == 3 })
        // The start is later than any photo: those of participants wait on all nodes.
        try edit(.startsAt, by: host, in: swarm) { $0.schedule.startsAtMilliseconds += 24 * 60 * Self.minute }
        try swarm.settle()
        for node in swarm.nodes {
            let state = try #require(node.replica?.state)
            #expect(state.gallery.map(\.device) == [host.device])
            #expect(state.photos.compactMap(state.untimeliness) == [.early, .early])
        }
        try swarm.check()
    }

    @Test("a node whose clock is behind adds no photo after the end by the organizer's clock")
    func clockBehind() throws {
        let swarm = try shortEvent(seed: 310, clockOffset: -Int64(30 * Self.minute))
        let two = swarm.nodes[2]
        try swarm.drive(milliseconds: 75 * Self.minute)
        let ticket = swarm.say(swarm.photo(of: two), by: two)
        try swarm.drive { two.person.refused[ticket] != nil || two.person.authored[ticket] != nil }
        let end = try #require(two.replica?.state.charter).endsAtMilliseconds
        #expect(two.person.refused[ticket] == .over(at: end))
        // Alone it cannot know better; others take its word.
        for other in swarm.nodes where other !== two { swarm.cut(two, other) }
        try swarm.drive(milliseconds: 5 * Self.minute)
        try swarm.add(1, by: two)
        swarm.healAll()
        swarm.introduceAll()
        try swarm.settle()
        #expect(swarm.nodes.allSatisfy { $0.replica?.state.gallery.count == 1 })
    }

    @Test("a node whose clock is ahead says what it makes of the time")
    func clockAhead() throws {
        let swarm = try shortEvent(seed: 311, clockOffset: 24 * 60 * Int64(Self.minute))
        let two = swarm.nodes[2]
        let ticket = swarm.say(swarm.photo(of: two), by: two)
        try swarm.drive { two.person.refused[ticket] != nil || two.person.authored[ticket] != nil }
        let end = try #require(two.replica?.state.charter).endsAtMilliseconds
        #expect(two.person.refused[ticket] == .over(at: end))
    }
}
