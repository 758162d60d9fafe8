// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("More peers than there are places") struct CrowdTests {
    /// The organizer's node, and any number of others that know the secret and dial it.
    private final class Crowd {
        private(set) var replica: Replica
        private let founding: FoundedEvent
        private let credentials: EventCredentials
        private var random = SplitMix64(seed: 40)
        private var connections: [ConnectionID: PeerConnection] = [:]
        private(set) var closes: [ConnectionID: PeerMessage] = [:]
        private let now = Instant(milliseconds: 1, wallClockMilliseconds: 1)
        private(set) var keys: [SigningKey] = []

        /// - Parameter members: how many of those who will come are known as members.
        init(members: Int, newcomers: Int) throws {
            founding = FoundedEvent(random: &random)
            let identity = Replica.Identity(
                eventKey: founding.eventKey.verifyingKey, secret: founding.secret, deviceKey: founding.deviceKey,
                staticKey: AgreementKey(scalar: random.secret()), instance: random.bytes(16),
                joinSalt: random.bytes(16), seed: 1)
            credentials = identity.credentials
            replica = Replica(identity: identity, listenPort: 8028, keptClasses: [])
            for _ in 0..<members + newcomers { keys.append(SigningKey(seed: random.secret())) }
            let joins = try keys.prefix(members).map { key in
                let admission = Admission(
                    of: DeviceID(key.verifyingKey), to: founding.id, by: founding.deviceKey)
                return try VerifiedOperation(
                    draft: Draft(
                        kind: .join, body: OperationBody.encode(.join(admission, nil), salt: random.bytes(16))),
                    event: founding.id, sequence: 0, previous: .none,
                    timestamp: HybridTimestamp(milliseconds: Swarm.epochMilliseconds, counter: 0), key: key)
            }
            replica.restore(founding.operations + joins) { _ in .absent }
        }

        /// The owner of a key dials and says who it is.
        func come(_ index: Int) -> ConnectionID {
            let id = ConnectionID(UInt64(index))
            let challenge = random.bytes(16)
            var machine = PeerConnection.dialled(
                credentials: credentials, staticKey: AgreementKey(scalar: random.secret()),
                entropy: .init(ephemeral: random.secret(), salt: random.bytes(16)), key: keys[index],
                claims: .init(
                    device: DeviceID(keys[index].verifyingKey), instance: random.bytes(16), wallClockMilliseconds: 1,
                    listenPort: 0))
            let opening = sent(machine.receive(challenge))
            connections[id] = machine
            apply(
                .accepted(
                    id, host: "10.0.0.\(index)", challenge: challenge,
                    preface: Array(opening.prefix(Preface.byteCount)),
                    random.entropy()))
            apply(.received(id, Array(opening.dropFirst(Preface.byteCount))))
            return id
        }

        func leave(_ id: ConnectionID) { apply(.disconnected(id)) }

        private func sent(_ outputs: [PeerConnection.Output]) -> [UInt8] {
            outputs.flatMap { if case .send(let bytes) = $0 { bytes } else { [UInt8]() } }
        }

        private func apply(_ input: Replica.Input) {
            var inputs = [input]
            while !inputs.isEmpty {
                replica.handle(inputs.removeFirst(), at: now)
                while let output = replica.nextOutput() {
                    guard case .send(let id, let bytes) = output else { continue }
                    let outputs = connections[id]?.receive(bytes) ?? []
                    for case .message(let message) in outputs { if case .close = message { closes[id] = message } }
                    let answer = sent(outputs)
                    if !answer.isEmpty { inputs.append(.received(id, answer)) }
                }
            }
        }
    }

    @Test("a member that has let in as many as it may sends the next one to others")
    func admissions() throws {
        let crowd = try Crowd(members: Limits.admissionsPerSponsorMax - 1, newcomers: 1)
        let last = crowd.come(Limits.admissionsPerSponsorMax - 1)
        #expect(crowd.closes.isEmpty)
        crowd.leave(last)
        let full = try Crowd(members: Limits.admissionsPerSponsorMax, newcomers: 1)
        let late = full.come(Limits.admissionsPerSponsorMax)
        guard case .close(.busy, let retryAfter, _) = full.closes[late] else {
            Issue.record("\(full.closes)")
            return
        }
        #expect(retryAfter == UInt32(Limits.refusedConnectionRetryMilliseconds))
    }

    @Test("newcomers get so many places and no more; the others are for members, until all are taken")
    func places() throws {
        let crowd = try Crowd(members: Limits.peersMax + 1, newcomers: Limits.newcomersMax + 2)
        let busy = PeerMessage.close(
            .busy, retryAfterMilliseconds: UInt32(Limits.refusedConnectionRetryMilliseconds),
            reason: ProtocolCode.busy.meaning)
        let firstNewcomer = Limits.peersMax + 1
        var newcomers: [ConnectionID] = []
        for index in 0..<Limits.newcomersMax { newcomers.append(crowd.come(firstNewcomer + index)) }
        #expect(crowd.closes.isEmpty)
        let late = crowd.come(firstNewcomer + Limits.newcomersMax)
        #expect(crowd.closes == [late: busy], "told when to come again")

        let kept = Limits.peersMax - Limits.newcomersMax
        for index in 0..<kept { _ = crowd.come(index) }
        #expect(crowd.closes.count == 1)
        #expect(crowd.replica.livePeers.count == Limits.peersMax)

        crowd.leave(newcomers[0])
        _ = crowd.come(firstNewcomer + Limits.newcomersMax + 1)
        #expect(crowd.closes.count == 1, "a place that is left is taken again")
        #expect(crowd.replica.livePeers.count == Limits.peersMax)
    }
}
