// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Other versions") struct VersionTests {
    @Test("what a later minor version says beside the rest is passed over, by who trusts it and by who does not yet")
    func optionalMessages() throws {
        for isMember in [true, false] {
            let puppet = try Puppet(isMember: isMember)
            _ = puppet.take()
            for type in UInt8(0x80)...0xFF { puppet.send(.later(type: type)) }
            #expect(puppet.take().isEmpty)
            #expect(!puppet.isClosed)
        }
    }

    @Test("who says it without end is not listened to for a while")
    func tooManyOptionalMessages() throws {
        let puppet = try Puppet(isMember: true)
        for _ in 0..<Limits.steeringBurstMax { puppet.send(.later(type: 0x80)) }
        #expect(puppet.pausedUntil == 0)
        for _ in 0..<Limits.steeringPerSecond { puppet.send(.later(type: 0x80)) }
        #expect(puppet.pausedUntil == puppet.now + 1_000)
        #expect(!puppet.isClosed)
    }

    /// A node, and what it tells of other versions when something comes in.
    private struct Node {
        var replica: Replica
        let challenge: [UInt8]
        private var random = SplitMix64(seed: 8)

        init() {
            replica = Replica.founding(random: &random)
            challenge = random.bytes(16)
        }

        mutating func told(after input: Replica.Input) -> [Replica.Change] {
            replica.handle(input, at: Instant(milliseconds: 1, wallClockMilliseconds: 1))
            var told: [Replica.Change] = []
            while let output = replica.nextOutput() {
                if case .changed(let change) = output, case .otherVersion = change { told.append(change) }
            }
            return told
        }

        mutating func entropy() -> Replica.Entropy { random.entropy() }
    }

    @Test("a listener tells its people once which version somebody speaks who knows the event")
    func listener() {
        var node = Node()
        func told(version: UInt8) -> [Replica.Change] {
            var preface = Preface.bytes(
                for: node.replica.credentials, challenge: node.challenge, salt: [UInt8](repeating: 7, count: 16))
            preface[4] = version
            let input = Replica.Input.accepted(
                ConnectionID(UInt64(version)), host: "10.0.0.9", challenge: node.challenge, preface: preface,
                node.entropy())
            return node.told(after: input)
        }
        #expect(told(version: 1) == [])
        #expect(told(version: 2) == [.otherVersion(host: "10.0.0.9", theirs: 2, ours: 1)])
        #expect(told(version: 2) == [])
        #expect(told(version: 7) == [.otherVersion(host: "10.0.0.9", theirs: 7, ours: 1)])
    }

    @Test("a dialler tells its people which version the listener has said that it speaks")
    func dialler() {
        var node = Node()
        let address = PeerAddress(host: "10.0.0.9", port: 8028)
        let salt = [UInt8](repeating: 7, count: 16)
        let secret = SecretBytes(copying: [UInt8](repeating: 9, count: 32).span)
        let entropy = Replica.Entropy(ephemeral: secret, salt: salt)
        #expect(node.told(after: .connected(ConnectionID(1), to: address, entropy)) == [])
        #expect(node.told(after: .received(ConnectionID(1), node.challenge)) == [])
        let refusal = ConnectionRefusal(code: .unsupportedVersion, retryAfterMilliseconds: 3)
        let frame = refusal.frame(for: node.replica.credentials, challenge: node.challenge, salt: salt)
        #expect(
            node.told(after: .received(ConnectionID(1), frame))
                == [.otherVersion(host: "10.0.0.9:8028", theirs: 3, ours: 1)])
    }
}
