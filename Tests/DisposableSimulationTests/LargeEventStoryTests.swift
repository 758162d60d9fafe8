// SPDX-License-Identifier: Apache-2.0
import Dispatch
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Foundation
import Testing

/// The large honest event of the specification (protocol/disposable-v1.md §14.1), played day by day. `LargeEventTests`
/// compares its numbers with each limit; here real replicas exchange it.
@Suite("A large honest event") struct LargeEventStoryTests {
    private struct Size {
        let nodes, guests, days: Int
        /// The number of photos of each guest. The specification's 27, a hundred times, would not fit into the memory of
        /// one machine.
        let photos: Int
        let rotationsPerDay: Int
        let removalsPerDay: Int

        static let long = Size(nodes: 100, guests: 1_000, days: 30, photos: 1, rotationsPerDay: 10, removalsPerDay: 10)
        static let short = Size(nodes: 6, guests: 24, days: 3, photos: 1, rotationsPerDay: 2, removalsPerDay: 2)
    }

    private let isLong = ProcessInfo.processInfo.environment["DISPOSABLE_LONG"] != nil
    private var size: Size { isLong ? .long : .short }
    private let day: UInt64 = 86_400_000

    @Test("no guest and no node is refused, and removals and new secrets take nobody's photos away")
    func event() throws {
        let swarm = Swarm(seed: 700)
        swarm.concurrently = { count, body in DispatchQueue.concurrentPerform(iterations: count, execute: body) }
        for _ in 0..<size.nodes { swarm.addNode() }
        swarm.introduceAll()
        let (host, page) = (swarm.nodes[0], swarm.nodes[1])
        try settle(swarm.nodes, swarm)
        try say(.rule(.grant(.page, to: page.device.bytes32), salt: swarm.random.bytes(16)), by: host, in: swarm)
        var charter = try #require(host.replica?.state.charter)
        charter.schedule.durationHours = UInt32(24 * size.days)
        try say(.edit([.durationHours], charter, salt: swarm.random.bytes(16)), by: host, in: swarm)

        var members = swarm.nodes
        var photos: Set<PhotoID> = []
        var guestCount = 0
        for number in 0..<size.days {
            let beginsAt = swarm.now
            let newGuests = (number + 1) * size.guests / size.days - guestCount
            guestCount += newGuests
            let guests = try (0..<newGuests).map { _ in
                let (guest, subKey) = (SigningKey(seed: swarm.random.secret()), SigningKey(seed: swarm.random.secret()))
                try admit(guest, subKey, at: page, swarm)
                for _ in 0..<size.photos {
                    photos.formUnion(
                        try say(swarm.photo(of: page, .small), by: page, subKey, in: swarm).map { PhotoID($0) })
                }
                return guest
            }
            for _ in 0..<size.rotationsPerDay {
                let entropy = EpochEntropy(
                    secret: swarm.random.secret(), seed: swarm.random.secret(), salt: swarm.random.bytes(16))
                try say(.rotate(entropy), by: host, in: swarm)
            }
            // What the host does not know when it removes somebody would not stay.
            try settle(members, swarm)
            // A machine is lost once a week; the others are guests of the day.
            let isMachineLost = number % 7 == 6
            for guest in guests.prefix(size.removalsPerDay - (isMachineLost ? 1 : 0)) {
                try remove(guest.verifyingKey.bytes32, by: host, in: swarm)
            }
            if isMachineLost {
                let lost = members.removeLast()
                try remove(lost.device.bytes32, by: host, in: swarm)
                swarm.shutDown(lost)
            }
            try settle(members, swarm)
            for node in members {
                let shown = Set((node.replica?.state.gallery ?? []).map(\.id))
                #expect(shown.isSuperset(of: photos), "day \(number)")
            }
            // The long form takes an hour.
            if isLong {
                let progress = "day \(number + 1) of \(size.days): \(guestCount) guests, \(photos.count) photos\n"
                FileHandle.standardError.write(Data(progress.utf8))
            }
            guard number < size.days - 1 else { continue }
            for node in members { swarm.shutDown(node) }
            swarm.skip(to: beginsAt + day)
            for node in members { swarm.start(node) }
        }
        try swarm.check(members)
        #expect(photos.count == size.guests * size.photos)
        #expect(members.allSatisfy { $0.person.refused.isEmpty })
        let closings = Set(members.flatMap(\.journal.closings))
        #expect(!closings.contains(.limitExceeded) && !closings.contains(.malformed), "\(closings)")
    }

    /// Gives a command, which must not be refused. Returns what was signed.
    @discardableResult private func say(
        _ statement: Statement, by node: SimulatedNode, _ key: SigningKey? = nil, in swarm: Swarm
    ) throws -> ArraySlice<OperationID> {
        let ticket = swarm.say(statement, by: node, key)
        try swarm.drive(within: 10_000_000, "a command") {
            node.person.authored[ticket] != nil || node.person.refused[ticket] != nil
        }
        try #require(node.person.refused[ticket] == nil)
        return (node.person.authored[ticket] ?? []).prefix(1)
    }

    /// Lets a guest enter as its page does: told to wait, it tries again later.
    private func admit(_ guest: SigningKey, _ subKey: SigningKey, at page: SimulatedNode, _ swarm: Swarm) throws {
        while true {
            let before = page.person.refused.count
            swarm.admit(guest: guest, subKey: subKey, at: page)
            try swarm.drive(within: 10_000_000, "a guest's join") {
                page.replica?.state.membership.isMember(DeviceID(subKey.verifyingKey)) == true
                    || page.person.refused.count > before
            }
            guard let (ticket, refusal) = page.person.refused.first else { return }
            guard case .tooManyGuests(let seconds) = refusal else {
                throw Swarm.Failure("a guest was refused: \(refusal)")
            }
            page.person.refused[ticket] = nil
            try swarm.drive(milliseconds: UInt64(seconds) * 1_000, within: 10_000_000)
        }
    }

    private func remove(_ key: Grantee, by host: SimulatedNode, in swarm: Swarm) throws {
        try say(.rule(.revoke(.participant, of: key), salt: swarm.random.bytes(16)), by: host, in: swarm)
    }

    private func settle(_ nodes: [SimulatedNode], _ swarm: Swarm) throws {
        try swarm.drive(within: 100_000_000, milliseconds: 4 * 3_600_000, askingEvery: 4_096, "agreement of all") {
            swarm.isComplete(nodes)
        }
    }
}
