// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableSync
internal import DisposableWire

/// A member that speaks the protocol well enough to be admitted, and then misbehaves until a given time.
///
/// It has the inputs and outputs of a replica, so it can replace a node.
package struct DishonestPeer {
    package let mischief: Mischief
    private let organizer: DeviceID
    private let endsAt: UInt64
    private var random: SplitMix64
    private var now = Instant(milliseconds: 0, wallClockMilliseconds: 0)
    private var actsAt: UInt64 = 0
    package private(set) var actionCount = 0

    private var connections: DishonestConnections
    private var chains: DishonestChains
    private var heard: [UncheckedOperation] = []
    /// Whether it knows that the organizer has revoked its role page, or removed it.
    private var isRemoved = false

    // The ways of misbehaving that remember something; one of them is in use.
    private var dawdler = Dawdler()
    private var liar = ChunkLiar()
    private var babbler = Babbler()
    private var multiplier = Multiplier()
    private var outcast = Outcast()
    private var crowd: InventedCrowd
    private var hostageTaker: HostageTaker
    private var smuggler: Smuggler

    private static let pauseMilliseconds: UInt64 = 400
    private var heardMax: Int { mischief == .dawdler ? Dawdler.heardMax : 512 }

    /// - Parameter endsAt: the time at which it stops, in the swarm's milliseconds.
    package init(
        _ mischief: Mischief, founding: FoundedEvent, secret: SecretBytes, key: SigningKey, endsAt: UInt64,
        random: inout SplitMix64
    ) {
        self.mischief = mischief
        self.endsAt = endsAt
        organizer = DeviceID(founding.deviceKey.verifyingKey)
        connections = DishonestConnections(
            key: key, credentials: EventCredentials(event: founding.id, secret: secret), random: &random)
        chains = DishonestChains(key: key, event: founding.id)
        crowd = InventedCrowd(event: founding.id)
        hostageTaker = HostageTaker(event: founding.id)
        smuggler = Smuggler(event: founding.id)
        self.random = SplitMix64(seed: random.next())
    }

    /// The number of devices and guests of a crowd.
    package var crowdCountMax: Int {
        get { crowd.countMax }
        set { crowd.countMax = newValue }
    }
    /// The number of operations that a dawdler has delivered.
    package var broughtCount: Int { dawdler.broughtCount }
    /// The operations that it has signed since it knew of its removal; no node may show them.
    package var saidInVain: [OperationID] { outcast.saidInVain + smuggler.saidInVain }
    /// Honest people whose photos may depend on how it is removed.
    package var hostages: Set<AuthorID> { hostageTaker.hostages }

    package var nextDeadline: UInt64? { now.milliseconds < endsAt ? max(actsAt, now.milliseconds + 1) : nil }

    package mutating func handle(_ input: Replica.Input, at instant: Instant) -> [Replica.Output] {
        now = instant
        switch input {
        case .sighted(let address, _, _): connections.note(address)
        case .connected(let connection, let address, let entropy):
            connections.connect(connection, to: address, entropy, at: now)
        case .dialFailed(let address): connections.noteFailedDial(address)
        case .accepted(let connection, _, let challenge, let preface, let entropy):
            connections.accept(connection, challenge: challenge, preface: preface, entropy, at: now)
        case .received(let connection, let bytes): receive(bytes, connection)
        case .disconnected(let connection):
            connections.forget(connection)
            dawdler.forget(connection)
        case .deadlineReached: act()
        case .remembered, .invited, .listens, .operationsLost, .sent, .author, .verified, .persisted, .persistFailed,
            .loaded, .chunkStored, .chunkTurnedOutWrong, .chunkStoringFailed, .chunkRead, .takenBack, .destroyed,
            .handOver, .servesPages, .roomChanged, .originalsLimited, .interrupted, .bundleOpened, .bundleAnswered,
            .stop:
            break
        }
        return connections.takeOutputs()
    }

    // Input

    private mutating func receive(_ bytes: [UInt8], _ connection: ConnectionID) {
        for output in connections.receive(bytes, connection) {
            if case .message(let message) = output { hear(message, connection) }
            guard connections.perform(output, connection) else { return dawdler.forget(connection) }
        }
    }

    private mutating func hear(_ message: PeerMessage, _ connection: ConnectionID) {
        if mischief == .babbler { babbler.hear(message) }
        switch message {
        case .admission(let admission):
            chains.join(with: admission, at: now.wallClockMilliseconds, &random)
            if let join = chains.join { connections.send(.operations([UncheckedOperation(join)]), connection) }
        case .operations(let operations): hear(operations)
        case .ping(let ping):
            connections.send(.pong(mischief == .caller ? Self.withoutOperations(ping.nonce) : ping), connection)
            if mischief == .dawdler { connections.send(dawdler.boast(over: ping, &random), connection) }
        case .reconcile(let set, true, let message):
            if mischief == .dawdler, let answer = dawdler.name(heard, of: set, answering: message) {
                connections.send(answer, connection)
            }
        case .want(let ids, _): if mischief == .dawdler { dawdler.note(wanted: ids, connection) }
        case .request(let request):
            if mischief == .badChunks, let answer = liar.answer(request, &random) {
                connections.send(answer, connection)
            }
        case .close:
            connections.close(connection)
            dawdler.forget(connection)
        case .authentication, .pong, .addresses, .register, .pages, .reconcile, .have, .list, .data, .refusal,
            .cancel, .later:
            break
        }
    }

    /// Returns the ping of a peer that has taken no operation yet.
    private static func withoutOperations(_ nonce: UInt64) -> Ping {
        let one = SetSummary(count: 1, fingerprint: [UInt8](repeating: 0, count: 16))
        return Ping(nonce: nonce, authority: one, content: one)
    }

    private mutating func hear(_ operations: [UncheckedOperation]) {
        if mischief == .outcast { outcast.hear(operations, chains.device, organizer: organizer) }
        noteRemoval(operations)
        let isLiar = mischief == .chunkLiar || mischief == .badChunks
        for operation in operations where heard.count < heardMax {
            heard.append(operation)
            if isLiar, let claim = liar.claim(operation) { connections.sendToAll(claim) }
        }
    }

    /// Notes its removal: the organizer's operations count, whatever peer sends them.
    private mutating func noteRemoval(_ operations: [UncheckedOperation]) {
        isRemoved =
            isRemoved
            || operations.contains {
                [OperationKind.revokeDevice, .revokeRole].map(\.rawValue).contains($0.header.kind)
                    && $0.header.subject.bytes32 == chains.device.bytes32 && $0.header.device == organizer
            }
    }

    // Output

    private mutating func act() {
        guard now.milliseconds >= actsAt, now.milliseconds < endsAt else { return }
        actsAt = now.milliseconds + Self.pauseMilliseconds
        connections.dialOthers()
        guard !connections.live.isEmpty, let join = chains.join else { return }
        actionCount += 1
        let time = now.wallClockMilliseconds
        switch mischief {
        case .forker: if actionCount <= 40 { fork() }
        case .flooder: flood()
        case .chunkLiar, .badChunks, .caller: break
        case .replayer:
            connections.sendToAll(heard.suffix(64))
            if actionCount % 8 == 0 { connections.repeatLastFrame() }
        case .slotCheater: if actionCount <= 15 { cheat() }
        case .babbler: babbler.act(heard, &random, &connections)
        case .dawdler: dawdler.act(heard, at: now, &connections)
        case .registrar: if actionCount <= 50 { register() }
        case .multiplier: if actionCount <= 40 { multiplier.act(chains, at: time, &random, &connections) }
        case .outcast: send(outcast.act(chains.key, chains.event, join, heard, time, &random))
        case .crowd: send(crowd.act(chains.key, join, time, &random))
        case .hostageTaker: send(hostageTaker.act(chains.key, join, isRemoved: isRemoved, time, &random))
        case .smuggler: send(smuggler.act(chains.key, join, isRemoved: isRemoved, time, &random))
        }
    }

    private mutating func send(_ said: [VerifiedOperation]) { connections.sendToAll(said.map(UncheckedOperation.init)) }

    private mutating func fork() {
        let words = chains.fork(connections.live.count, at: now.wallClockMilliseconds, &random)
        for case (let connection, let word?) in zip(connections.live, words) {
            connections.send(.operations([UncheckedOperation(word)]), connection)
        }
    }

    private mutating func flood() {
        let flood = Flood(chains.event, at: now.wallClockMilliseconds, &random)
        for connection in connections.live {
            for message in flood.messages(from: chains.device, &random) { connections.send(message, connection) }
        }
    }

    private mutating func register() {
        for _ in 0..<2 {
            let newcomer = chains.admitDevice(at: now.wallClockMilliseconds, &random)
            connections.sendToAll(newcomer.join)
            let bits = ChunkBitmap(bytes: [UInt8](repeating: 0xFF, count: Limits.registerByteCountMax / 2 - 200))
            let claims = Register.Claims(
                device: DeviceID(newcomer.key.verifyingKey), instance: connections.instance, counter: 1,
                originals: [.init(device: organizer, bits: bits)], destroyed: [.init(device: organizer, bits: bits)])
            connections.sendToAll(.register(Register(claims, of: chains.event, key: newcomer.key)))
        }
    }

    private mutating func cheat() {
        let time = now.wallClockMilliseconds
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
        let body = OperationBody.encode(.photo(manifest), salt: random.bytes(16))
        guard let photo = chains.next(.photo, body: body, at: time) else { return }
        var said = [photo]
        for slot in [1, UInt64(actionCount), 28, 9_999, .max] {
            said += [chains.next(.claim, subject: photo.id, argument: slot, at: time)].compactMap(\.self)
        }
        let other = heard.last {
            $0.header.kind == OperationKind.photo.rawValue && $0.header.device != chains.device
        }
        if let other {
            said += [chains.next(.claim, subject: other.id, argument: 2, at: time)].compactMap(\.self)
            for kind in [OperationKind.remove, .hide, .erase] {
                said += [chains.next(kind, subject: other.id, at: time)].compactMap(\.self)
            }
        }
        send(said)
    }
}
