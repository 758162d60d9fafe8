// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Connections that have not proved who is there") struct HandshakePlaceTests {
    /// A node, and silent connections to it: each shows a preface that matches, and nothing more.
    private final class Door {
        private var replica: Replica
        private var random = SplitMix64(seed: 9)
        private var connectionCount: UInt64 = 0
        private(set) var closed: [ConnectionID] = []
        private let now = Instant(milliseconds: 1, wallClockMilliseconds: 1)

        /// - Parameter known: hosts where members have been met.
        init(known: [String] = []) {
            replica = Replica.founding(random: &random)
            handle(.remembered(known.map { PeerAddress(host: $0, port: 8028) }))
        }

        /// Returns the connection, and whether it was taken.
        @discardableResult func come(from host: String) -> (connection: ConnectionID, isTaken: Bool) {
            connectionCount += 1
            let connection = ConnectionID(connectionCount)
            let challenge = random.bytes(16)
            let preface = Preface.bytes(for: replica.credentials, challenge: challenge, salt: random.bytes(16))
            handle(
                .accepted(connection, host: host, challenge: challenge, preface: preface, random.entropy()))
            return (connection, !closed.contains(connection))
        }

        private func handle(_ input: Replica.Input) {
            replica.handle(input, at: now)
            while let output = replica.nextOutput() {
                if case .close(let connection) = output { closed.append(connection) }
            }
        }
    }

    @Test("silent connections of one host keep nobody else out: the oldest of them gives way")
    func oneHost() {
        let door = Door()
        let silent = (0..<Limits.handshakesMax).map { _ in door.come(from: "10.0.0.66").connection }
        #expect(door.come(from: "10.0.0.7").isTaken)
        #expect(door.closed == [silent[0]])
        #expect(!door.come(from: "10.0.0.66").isTaken, "not for one more of its own")
        #expect(door.come(from: "10.0.0.8").isTaken)
        #expect(door.closed.contains(silent[1]))
    }

    @Test("of many hosts with a connection each the oldest gives way, but never one where a member was met")
    func manyHosts() {
        let door = Door(known: ["10.0.0.1"])
        let member = door.come(from: "10.0.0.1")
        for number in 2...100 { #expect(door.come(from: "10.0.0.\(number)").isTaken) }
        #expect(door.closed.count == 100 - Limits.handshakesMax)
        #expect(!door.closed.contains(member.connection))
        for _ in 0..<Limits.knownHandshakesMax {
            #expect(door.come(from: "10.0.0.1").isTaken, "its first few come before all others")
        }
        #expect(!door.come(from: "10.0.0.1").isTaken)
        #expect(door.come(from: "10.0.0.200").isTaken, "it keeps out no host that nobody knows")
    }

    @Test("the addresses that a machine gives itself are one source: those of a /64 network, and many of a link")
    func inventedAddresses() {
        for prefix in ["2001:db8:1:2::", "fe80::"] {
            let zone = prefix == "fe80::" ? "%eth0" : ""
            let door = Door()
            let friend = door.come(from: "10.0.0.7")
            for number in 1...200 { door.come(from: "\(prefix)\(number)\(zone)") }
            #expect(!door.closed.contains(friend.connection), "\(prefix)")
            #expect(door.come(from: "10.0.0.8").isTaken)
            #expect(!door.closed.contains(friend.connection))
        }
    }
}
