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
        /// The addresses that the node has dialled; none answers.
        private(set) var dialled: [PeerAddress] = []
        private var now = Instant(milliseconds: 1, wallClockMilliseconds: 1)
        private(set) var keys: [SigningKey] = []

        /// - Parameters:
        ///   - members: how many of those who will come are known as members.
        ///   - areVeilsOn: whether guests can have photos veiled.
        init(members: Int, newcomers: Int, areVeilsOn: Bool = false) throws {
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
                    timestamp: HybridTimestamp(milliseconds: NodeClock.epochMilliseconds, counter: 0), key: key)
            }
            let veiling = try VerifiedOperation(
                draft: Draft(kind: .veiling), event: founding.id, sequence: 1, previous: founding.operations[1].id,
                timestamp: HybridTimestamp(milliseconds: NodeClock.epochMilliseconds, counter: 0),
                key: founding.deviceKey)
            replica.restore(founding.operations + joins + (areVeilsOn ? [veiling] : [])) { _ in .absent }
        }

        /// The owner of a key dials from this address and hangs up again. Returns the node's refusal.
        func knock(_ index: Int, from host: String) -> PeerMessage? {
            let connection = come(index, from: host)
            defer { leave(connection) }
            return closes[connection]
        }

        /// The owner of a key dials and says who it is.
        /// - Parameter host: an address of its own unless given.
        /// - Parameter port: where it says that it listens.
        func come(_ index: Int, from host: String? = nil, listeningOn port: UInt16 = 0) -> ConnectionID {
            connectionCount += 1
            let id = ConnectionID(connectionCount)
            let challenge = random.bytes(16)
            var machine = PeerConnection.dialled(
                credentials: credentials, staticKey: AgreementKey(scalar: random.secret()),
                entropy: .init(ephemeral: random.secret(), salt: random.bytes(16)), key: keys[index],
                claims: .init(
                    device: DeviceID(keys[index].verifyingKey), instance: random.bytes(16), wallClockMilliseconds: 1,
                    listenPort: port))
            let opening = sent(machine.receive(challenge))
            connections[id] = machine
            apply(
                .accepted(
                    id, host: host ?? "10.0.\(index / 250).\(index % 250)", challenge: challenge,
                    preface: Array(opening.prefix(Preface.byteCount)),
                    random.entropy()))
            apply(.received(id, Array(opening.dropFirst(Preface.byteCount))))
            return id
        }

        private var connectionCount: UInt64 = 0

        func sight(_ address: PeerAddress) { apply(.sighted(address, isPersistent: false)) }

        func wait(milliseconds: UInt64) {
            now = Instant(
                milliseconds: now.milliseconds + milliseconds,
                wallClockMilliseconds: now.wallClockMilliseconds + milliseconds)
            apply(.deadlineReached)
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
                    if case .dial(let address) = output { dialled.append(address) }
                    guard case .send(let id, let bytes) = output else { continue }
                    let outputs = connections[id]?.receive(bytes) ?? []
                    var answer = sent(outputs)
                    for case .message(let message) in outputs {
                        if case .close = message { closes[id] = message }
                        if case .ping(let ping) = message { answer += connections[id]?.seal(.pong(ping)) ?? [] }
                    }
                    if !answer.isEmpty { inputs.append(.received(id, answer)) }
                }
            }
        }
    }

    /// Has `count` device keys dial from 10.0.0.66, which are all let in, since the bucket may be overdrawn once. The
    /// next one from there is refused, and one from another address is let in.
    /// - Returns: the milliseconds after which the refused one may come again.
    private func useUpAdmissions(of crowd: Crowd, _ count: Int) -> UInt32? {
        let refused = (0..<count).compactMap { crowd.knock($0, from: "10.0.0.66") }
        #expect(refused.isEmpty)
        guard case .close(.busy, let retryAfter, _)? = crowd.knock(count, from: "10.0.0.66") else {
            Issue.record("one more was let in")
            return nil
        }
        #expect((1...UInt32(Limits.nodeAdmissionMilliseconds)).contains(retryAfter))
        #expect(crowd.knock(count + 1, from: "10.0.0.7") == nil)
        return retryAfter
    }

    @Test(
        "device keys that dial from one address use up the pace of all, and one from another address is let in at once")
    func admissions() throws {
        let count = Limits.nodeAdmissionsBurstMax + Limits.admissionsPerSourceMax + 1
        let crowd = try Crowd(members: 0, newcomers: count + 3)
        let retryAfter = try #require(useUpAdmissions(of: crowd, count))
        #expect(crowd.knock(0, from: "10.0.0.66") == nil, "what was offered once is offered again")
        crowd.wait(milliseconds: UInt64(retryAfter))
        #expect(crowd.knock(count, from: "10.0.0.66") == nil)
        guard case .close(.busy, _, _)? = crowd.knock(count + 2, from: "10.0.0.66") else {
            Issue.record("two in the time of one")
            return
        }
    }

    @Test("while veils are on an organizer's node lets in few device keys of one address at once, others by themselves")
    func admissionsWithVeils() throws {
        let count = Limits.treeAdmissionsBurstMax + Limits.admissionsPerSourceMax + 1
        let crowd = try Crowd(members: 0, newcomers: count + 2, areVeilsOn: true)
        #expect(crowd.replica.state.album.areVeilsOn)
        let retryAfter = try #require(useUpAdmissions(of: crowd, count))
        crowd.wait(milliseconds: UInt64(retryAfter))
        #expect(crowd.knock(count, from: "10.0.0.66") == nil)
    }

    @Test("a node that has let in two thousand devices lets in the next one, and so does one that has restarted")
    func history() throws {
        let crowd = try Crowd(members: 2_000, newcomers: 1)
        _ = crowd.come(2_000)
        #expect(crowd.closes.isEmpty)
    }

    @Test("a link on which eight addresses came in counts as one source from then on, each of the eight by itself")
    func linkLocal() {
        let addresses = (1...Limits.linkLocalSourcesMax).map { PeerSource("fe80::\($0)%eth0") }
        let (one, other) = (PeerSource("fe80::a1%eth0"), PeerSource("fe80::a2%eth0"))
        #expect(one.merged(beside: addresses.dropLast()) == one)
        #expect(one.merged(beside: addresses) != one)
        #expect(one.merged(beside: addresses) == other.merged(beside: addresses))
        #expect(addresses.allSatisfy { $0.merged(beside: addresses) == $0 })
        #expect(PeerSource("fe80::a1%eth1").merged(beside: addresses) == PeerSource("fe80::a1%eth1"))
        #expect(PeerSource("10.0.0.1").merged(beside: addresses) == PeerSource("10.0.0.1"))
    }

    @Test("after a burst of new guests the next one waits its turn, and a guest that is known enters at once")
    func guests() throws {
        let puppet = try Puppet(isMember: true)
        let host = puppet.founding.deviceKey
        var number: UInt64 = 0
        /// Returns why the guest was not let in.
        func enter(_ guest: SigningKey) -> Refusal? {
            let subKey = SigningKey(seed: puppet.random.secret())
            let device = DeviceID(subKey.verifyingKey)
            let admission = Admission(of: device, to: puppet.founding.id, by: host)
            let delegation = Delegation(
                to: device, at: DeviceID(host.verifyingKey), event: puppet.founding.id, by: guest)
            let body = OperationBody.encode(.join(admission, delegation), salt: puppet.random.bytes(16))
            number += 1
            puppet.apply(.author(.join(body: body), by: subKey, Ticket(number)))
            puppet.wait(milliseconds: 20)
            return puppet.refused[Ticket(number)]
        }
        let first = SigningKey(seed: puppet.random.secret())
        #expect(enter(first) == nil)
        var refusal: Refusal?
        let countMax = Limits.guestAdmissionsBurstMax + 200
        while refusal == nil, number < countMax { refusal = enter(SigningKey(seed: puppet.random.secret())) }
        #expect(number > Limits.guestAdmissionsBurstMax)
        guard case .tooManyGuests(let seconds)? = refusal else {
            Issue.record("\(String(describing: refusal)) after \(number)")
            return
        }
        #expect(seconds == 1)
        #expect(enter(first) == nil, "by another sub-key")
        puppet.wait(milliseconds: UInt64(seconds) * 1_000)
        #expect(enter(SigningKey(seed: puppet.random.secret())) == nil)
    }

    @Test("a device that is no member is not remembered, whatever ports it says it listens on")
    func strangersPorts() throws {
        let crowd = try Crowd(members: 1, newcomers: 1)
        crowd.leave(crowd.come(0, from: "10.0.0.7", listeningOn: 8028))
        for port in UInt16(1)...UInt16(Limits.addressesMax + 10) {
            crowd.leave(crowd.come(1, from: "10.0.0.66", listeningOn: port))
        }
        #expect(crowd.replica.rememberedAddresses == [PeerAddress(host: "10.0.0.7", port: 8028)])
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

    @Test("one machine that takes all places with devices of its own gives way to others, members and newcomers")
    func oneMachine() throws {
        let crowd = try Crowd(members: Limits.peersMax + 3, newcomers: Limits.newcomersMax + 2)
        let taken = (0..<Limits.peersMax).map { crowd.come($0, from: "10.0.0.66") }
        #expect(crowd.closes.isEmpty)
        let member = crowd.come(Limits.peersMax, from: "10.0.0.7")
        let newcomer = crowd.come(Limits.peersMax + 3, from: "10.0.0.8")
        #expect(crowd.closes[member] == nil && crowd.closes[newcomer] == nil)
        #expect(Set(crowd.closes.keys) == Set(taken.suffix(2)))
        let late = crowd.come(Limits.peersMax + 1, from: "10.0.0.66")
        #expect(crowd.closes[late] != nil || crowd.replica.livePeers.count == Limits.peersMax)
        #expect(crowd.closes[member] == nil && crowd.closes[newcomer] == nil)
    }

    @Test(
        "a node all of whose places one machine takes dials others within seconds, and no more of that machine",
        arguments: [1, Limits.peersMax])
    func elsewhere(devices: Int) throws {
        let crowd = try Crowd(members: devices, newcomers: 0)
        // Copies of a device are peers of their own.
        for number in 0..<Limits.peersMax { _ = crowd.come(number % devices, from: "10.0.0.66") }
        #expect(crowd.closes.isEmpty && crowd.replica.livePeers.count == Limits.peersMax)
        let friends = (1...4).map { PeerAddress(host: "10.0.0.\($0)", port: 8028) }
        for port in UInt16(1)...40 { crowd.sight(PeerAddress(host: "10.0.0.66", port: port)) }
        for friend in friends { crowd.sight(friend) }
        for _ in 0..<4 { crowd.wait(milliseconds: 1_000) }
        #expect(crowd.dialled.sorted { $0.host < $1.host } == friends)
    }
}
