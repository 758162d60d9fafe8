// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Connections that are refused") struct RefusalTests {
    /// A node of an event with its challenge, and somebody who dials it, made from the same numbers each time.
    private struct Pair {
        var replica: Replica
        var dialler: PeerConnection
        let challenge: [UInt8]
        private var random = SplitMix64(seed: 8)

        init() {
            replica = Replica.founding(random: &random)
            challenge = random.bytes(16)
            let key = SigningKey(seed: random.secret())
            dialler = .dialled(
                credentials: replica.credentials, staticKey: AgreementKey(scalar: random.secret()),
                entropy: .init(ephemeral: random.secret(), salt: random.bytes(16)), key: key,
                claims: .init(
                    device: DeviceID(key.verifyingKey), instance: random.bytes(16), wallClockMilliseconds: 1,
                    listenPort: 1))
        }

        mutating func preface() -> [UInt8] {
            var sent: [UInt8] = []
            for case .send(let part) in dialler.receive(challenge) { sent += part }
            return Array(sent.prefix(Preface.byteCount))
        }

        /// Hands the preface in, once the node is full or not; what it answers, and whether it ends the connection.
        mutating func answer(to preface: [UInt8], connections: Int) -> (bytes: [UInt8], isClosed: Bool) {
            for number in 0...connections {
                replica.handle(
                    .accepted(
                        ConnectionID(UInt64(number)), host: "10.0.0.9", challenge: challenge, preface: preface,
                        random.entropy()), at: Instant(milliseconds: 1, wallClockMilliseconds: 1))
            }
            var answer: (bytes: [UInt8], isClosed: Bool) = ([], false)
            while let output = replica.nextOutput() {
                switch output {
                case .send(ConnectionID(UInt64(connections)), let bytes): answer.bytes += bytes
                case .close(ConnectionID(UInt64(connections))): answer.isClosed = true
                default: break
                }
            }
            return answer
        }
    }

    @Test("a node with too many silent connections of one host is busy for that host, and says until when")
    func full() {
        var pair = Pair()
        let (bytes, isClosed) = pair.answer(to: pair.preface(), connections: Limits.handshakesMax)
        #expect(isClosed)
        #expect(
            pair.dialler.receive(bytes) == [
                .refused(
                    .busy, retryAfterMilliseconds: UInt32(Limits.refusedConnectionRetryMilliseconds))
            ])
        #expect(pair.dialler.receive(bytes).isEmpty, "it takes nothing more")
    }

    @Test("a node with a place left refuses nobody")
    func placeLeft() {
        var pair = Pair()
        let (bytes, isClosed) = pair.answer(to: pair.preface(), connections: Limits.handshakesMax - 1)
        #expect(bytes.isEmpty)
        #expect(!isClosed)
    }

    @Test("who shows a preface and nothing more leaves its place after the time of a handshake")
    func silentAfterThePreface() {
        var pair = Pair()
        let preface = pair.preface()
        _ = pair.answer(to: preface, connections: Limits.handshakesMax - 1)
        func closedCount(at milliseconds: UInt64) -> Int {
            pair.replica.handle(
                .deadlineReached, at: Instant(milliseconds: milliseconds, wallClockMilliseconds: milliseconds))
            var count = 0
            while let output = pair.replica.nextOutput() { if case .close = output { count += 1 } }
            return count
        }
        let limit = UInt64(Limits.handshakeMillisecondsMax)
        #expect(pair.replica.nextDeadline ?? .max <= 1 + limit)
        #expect(closedCount(at: limit) == 0)
        #expect(closedCount(at: 1 + limit) == Limits.handshakesMax)
        #expect(pair.answer(to: preface, connections: 0).bytes.isEmpty, "there are places again")
    }

    @Test("a dialler of another version is told so")
    func otherVersion() {
        var pair = Pair()
        var preface = pair.preface()
        preface[4] = 2
        #expect(Preface.matches(preface, challenge: pair.challenge, credentials: pair.replica.credentials))
        let (bytes, isClosed) = pair.answer(to: preface, connections: 0)
        #expect(isClosed)
        #expect(pair.dialler.receive(bytes) == [.refused(.unsupportedVersion, retryAfterMilliseconds: 1)])
    }

    @Test("a refusal of which a bit was changed is nobody's")
    func forged() {
        var first = Pair()
        let (bytes, _) = first.answer(to: first.preface(), connections: Limits.handshakesMax)
        for bit in 16..<8 * bytes.count {
            var pair = Pair()
            _ = pair.preface()
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(pair.dialler.receive(changed) == [.failed(.authenticationFailed)], "bit \(bit)")
        }
    }

    @Test("a peer that finds no place beside silent connections of its own host is told so, and joins later")
    func joinsLater() throws {
        let swarm = Swarm(seed: 80)
        let (host, newcomer) = (swarm.addNode(), swarm.addNode())
        var pair = Pair()
        let preface = pair.preface()
        // They show a preface and fall silent.
        for number in 0..<Limits.handshakesMax {
            swarm.apply(
                .accepted(
                    ConnectionID(1 << 40 + UInt64(number)), host: newcomer.address.host, challenge: pair.challenge,
                    preface: preface, swarm.random.entropy()), to: host)
        }
        swarm.introduce(newcomer, to: host)
        try swarm.drive { newcomer.journal.closings == [.busy] }
        #expect(newcomer.journal.refusals == [.busy])
        let until = swarm.now + UInt64(Limits.refusedConnectionRetryMilliseconds)
        let links = swarm.network.links.count
        try swarm.drive(milliseconds: 30_000) { swarm.network.links.count > links }
        #expect(swarm.now >= until, "it stays away as long as it was told to")
        try swarm.settle(milliseconds: 30_000)
    }
}
