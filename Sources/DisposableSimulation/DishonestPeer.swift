// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableSync
internal import DisposableWire

/// A way of breaking the rules.
package enum Mischief: String, CaseIterable, Sendable {
    /// Signs two operations with one sequence, and sends one to some peers and the other to the rest.
    case forker
    /// Sends operations of unknown authors, requests for operations and chunks, and holdings, as fast as it may.
    case flooder
    /// Claims to hold every blob, and answers no request.
    case chunkLiar
    /// Claims to hold every blob, and sends wrong chunks.
    case badChunks
    /// Repeats others' operations, and sends old frames again.
    case replayer
    /// Claims frames twice, frames beyond its quota, and frames for other people's photos; tries to delete those, too.
    case slotCheater
    /// Repeats received messages with some of the bytes wrong.
    case babbler
    /// Takes photos correctly until it learns of its removal, and then continues: more photos, admissions, rulings of
    /// its own.
    case outcast
    /// Announces more operations than any other, names known ones, and sends one of them every nine seconds.
    case dawdler
    /// Admits devices of its own and signs for each of them the largest possible inventory.
    case registrar
    /// Admits devices of its own and signs for all of them, over one connection, large operations of unknown kinds.
    case multiplier
    /// Admits a great many devices and guests, and lets them act.
    case crowd
    /// Serves guests and admits members until it is removed, and tries to make the removal cost them their photos.
    case hostageTaker
    /// Admits devices with its sub-keys, and with devices that joined that way, after it was removed.
    case smuggler
}

extension Mischief {
    /// The misbehaviours from which a party's seed chooses, in this order.
    static let cases: [Mischief] = [
        .forker, .flooder, .chunkLiar, .badChunks, .replayer, .slotCheater, .babbler, .dawdler,
    ]
}

/// A member that speaks the protocol well enough to be admitted, and then misbehaves until a given time.
///
/// It has the inputs and outputs of a replica, so it can replace a node.
package struct DishonestPeer {
    package let mischief: Mischief
    private let key: SigningKey
    private let event: EventID
    private let organizer: DeviceID
    private let credentials: EventCredentials
    private let staticKey: AgreementKey
    private let instance: [UInt8]
    private let endsAt: UInt64
    private var random: SplitMix64

    private var machines: [ConnectionID: PeerConnection] = [:]
    /// Authenticated connections, in the order of authentication.
    private var live: [ConnectionID] = []
    private var dialled: [ConnectionID: PeerAddress] = [:]
    private var known: [PeerAddress] = []
    private var inUse: Set<PeerAddress> = []
    private var join: VerifiedOperation?
    /// The ends of its chains.
    private var ends: [OperationSet: (next: UInt32, latest: OperationID)] = [:]
    private var heard: [UncheckedOperation] = []
    /// The requested operations that it has not sent.
    private var owed: [ConnectionID: [OperationID]] = [:]
    private var bringsAt: UInt64 = 0
    package private(set) var broughtCount = 0
    /// The latest received messages of any type.
    private var overheard: [PeerMessage] = []
    /// The lengths of blobs that others have described.
    private var byteCounts: [BlobID: UInt64] = [:]
    private var lastFrame: (connection: ConnectionID, bytes: [UInt8])?
    private var actsAt: UInt64 = 0
    private var now = Instant(milliseconds: 0, wallClockMilliseconds: 0)
    private var outputs: [Replica.Output] = []
    package private(set) var actionCount = 0
    /// Devices that it has admitted.
    private var vouched: [SigningKey] = []
    private var outcast = Outcast()
    private var crowd: InventedCrowd
    private var hostageTaker: HostageTaker
    private var smuggler: Smuggler
    /// Whether it knows that the organizer has revoked its role page, or removed it.
    private var isRemoved = false
    /// The number of devices and guests of a crowd.
    package var crowdCountMax = 160
    /// The operations that it has signed since it knew of its removal; no node may show them.
    package var saidInVain: [OperationID] { outcast.saidInVain + smuggler.saidInVain }
    /// Honest people whose photos may depend on how it is removed.
    package var hostages: Set<AuthorID> { hostageTaker.hostages }

    private static let pauseMilliseconds: UInt64 = 400
    private var heardMax: Int { mischief == .dawdler ? 8_192 : 512 }

    /// - Parameter endsAt: the time at which it stops, in the swarm's milliseconds.
    package init(
        _ mischief: Mischief, founding: FoundedEvent, secret: SecretBytes, key: SigningKey, endsAt: UInt64,
        random: inout SplitMix64
    ) {
        self.mischief = mischief
        self.key = key
        self.endsAt = endsAt
        event = founding.id
        organizer = DeviceID(founding.deviceKey.verifyingKey)
        credentials = EventCredentials(event: founding.id, secret: secret)
        staticKey = AgreementKey(scalar: random.secret())
        instance = random.bytes(16)
        crowd = InventedCrowd(event: founding.id)
        hostageTaker = HostageTaker(event: founding.id)
        smuggler = Smuggler(event: founding.id)
        self.random = SplitMix64(seed: random.next())
    }

    private var device: DeviceID { DeviceID(key.verifyingKey) }

    package var nextDeadline: UInt64? { now.milliseconds < endsAt ? max(actsAt, now.milliseconds + 1) : nil }

    package mutating func handle(_ input: Replica.Input, at instant: Instant) -> [Replica.Output] {
        now = instant
        outputs = []
        switch input {
        case .sighted(let address, _, _): if known.count < 64, !known.contains(address) { known.append(address) }
        case .connected(let connection, let address, let entropy):
            dialled[connection] = address
            machines[connection] = .dialled(
                credentials: credentials, staticKey: staticKey,
                entropy: .init(ephemeral: entropy.ephemeral, salt: entropy.salt), key: key, claims: claims)
        case .dialFailed(let address): inUse.remove(address)
        case .accepted(let connection, _, let challenge, let preface, let entropy):
            machines[connection] = .accepted(
                challenge: challenge, preface: preface, credentials: credentials, staticKey: staticKey,
                entropy: .init(ephemeral: entropy.ephemeral, salt: entropy.salt), key: key, claims: claims)
        case .received(let connection, let bytes): receive(bytes, connection)
        case .disconnected(let connection): forget(connection)
        case .deadlineReached: act()
        case .remembered, .invited, .listens, .operationsLost, .sent, .author, .verified, .persisted, .persistFailed,
            .loaded, .chunkStored, .chunkTurnedOutWrong, .chunkStoringFailed, .chunkRead, .takenBack, .destroyed,
            .handOver, .servesPages, .roomChanged, .originalsLimited, .interrupted, .bundleOpened, .bundleAnswered,
            .stop:
            break
        }
        return outputs
    }

    private var claims: Authentication.Claims {
        .init(
            device: device, instance: instance, wallClockMilliseconds: now.wallClockMilliseconds, listenPort: 8028)
    }

    private mutating func forget(_ connection: ConnectionID) {
        machines[connection] = nil
        live.removeAll { $0 == connection }
        owed[connection] = nil
        if let address = dialled.removeValue(forKey: connection) { inUse.remove(address) }
    }

    private mutating func receive(_ bytes: [UInt8], _ connection: ConnectionID) {
        for output in machines[connection]?.receive(bytes) ?? [] {
            switch output {
            case .send(let bytes): outputs.append(.send(connection, bytes))
            case .authenticated: live.append(connection)
            case .message(let message): hear(message, connection)
            case .failed, .refused:
                outputs.append(.close(connection))
                forget(connection)
                return
            }
        }
    }

    private mutating func send(_ message: PeerMessage, _ connection: ConnectionID) {
        guard let bytes = machines[connection]?.seal(message), !bytes.isEmpty else { return }
        lastFrame = (connection, bytes)
        outputs.append(.send(connection, bytes))
    }

    private mutating func sendToAll(_ message: PeerMessage) { for connection in live { send(message, connection) } }

    /// Sends operations in as many messages as needed: no frame can be too long.
    private mutating func sendToAll(_ operations: [UncheckedOperation]) {
        for message in PeerMessage.packing(operations) { sendToAll(message) }
    }

    // Input

    private mutating func hear(_ message: PeerMessage, _ connection: ConnectionID) {
        if mischief == .babbler { overheard = overheard.suffix(31) + [message] }
        switch message {
        case .admission(let admission):
            if join == nil {
                join = operation(
                    .join, body: OperationBody.encode(.join(admission, nil), salt: random.bytes(16)), at: 0)
            }
            if let join { send(.operations([UncheckedOperation(join)]), connection) }
        case .operations(let operations):
            if mischief == .outcast { outcast.hear(operations, device, organizer: organizer) }
            noteRemoval(operations)
            for operation in operations where heard.count < heardMax {
                heard.append(operation)
                describe(operation)
            }
        case .ping(let ping):
            send(.pong(ping), connection)
            if mischief == .dawdler { boast(over: ping, connection) }
        case .reconcile(let set, true, let message): if mischief == .dawdler { name(set, message, connection) }
        case .want(let ids, _): owed[connection] = (owed[connection] ?? []).suffix(heardMax) + ids
        case .request(let request): answer(request, connection)
        case .close:
            outputs.append(.close(connection))
            forget(connection)
        case .authentication, .pong, .addresses, .register, .pages, .reconcile, .have, .list, .data, .refusal,
            .cancel, .later:
            break
        }
    }

    /// Notes its removal: the organizer's operations count, whatever peer sends them.
    private mutating func noteRemoval(_ operations: [UncheckedOperation]) {
        isRemoved =
            isRemoved
            || operations.contains {
                [OperationKind.revokeDevice, .revokeRole].map(\.rawValue).contains($0.header.kind)
                    && $0.header.subject.bytes32 == device.bytes32 && $0.header.device == organizer
            }
    }

    private mutating func describe(_ operation: UncheckedOperation) {
        guard mischief == .chunkLiar || mischief == .badChunks else { return }
        var classes: [BlobClass] = []
        func note(_ reference: BlobReference?, _ blobClass: BlobClass) {
            guard let reference else { return }
            byteCounts[reference.id] = reference.byteCount
            classes.append(blobClass)
        }
        switch operation.content {
        case .photo(let manifest):
            note(manifest.thumbnail, .thumbnail)
            note(manifest.preview, .preview)
        case .original(let manifest): note(manifest.original, .original)
        default: break
        }
        let sequence = operation.header.sequence
        let holdings = classes.map {
            Have.Holding(device: operation.header.device, blobClass: $0, sequences: [sequence..<sequence + 1])
        }
        if !holdings.isEmpty { sendToAll(.have(Have(holdings: holdings))) }
    }

    private mutating func answer(_ request: ChunkRequest, _ connection: ConnectionID) {
        guard mischief == .badChunks, let byteCount = byteCounts[request.blob] else { return }
        let layout = ChunkLayout(plaintextByteCount: byteCount)
        if request.withList {
            send(.list(request: request.request, hashes: (0..<layout.chunkCount).map { _ in .zero }), connection)
            return
        }
        let length = layout.ciphertextRange(ofChunk: Int(request.firstChunk)).count
        let bytes = random.plaintext(min(length, Limits.dataByteCountMax))
        send(
            .data(ChunkFragment(request: request.request, chunk: request.firstChunk, offset: 0, bytes: bytes[...])),
            connection)
    }

    // Output

    private mutating func act() {
        guard now.milliseconds >= actsAt, now.milliseconds < endsAt else { return }
        actsAt = now.milliseconds + Self.pauseMilliseconds
        for address in known where !inUse.contains(address) && live.count + inUse.count < 16 {
            inUse.insert(address)
            outputs.append(.dial(address))
        }
        guard !live.isEmpty, join != nil else { return }
        actionCount += 1
        switch mischief {
        case .forker: fork()
        case .flooder: flood()
        case .chunkLiar, .badChunks: break
        case .replayer: replay()
        case .slotCheater: cheat()
        case .babbler: babble()
        case .outcast: goOn()
        case .dawdler: dawdle()
        case .registrar: register()
        case .multiplier: multiply()
        case .crowd, .hostageTaker, .smuggler: speakForOthers()
        }
    }

    private mutating func speakForOthers() {
        guard let join else { return }
        let time = now.wallClockMilliseconds
        let said =
            switch mischief {
            case .crowd: crowd.act(key, join, countMax: crowdCountMax, time, &random)
            case .hostageTaker: hostageTaker.act(key, join, isRemoved: isRemoved, time, &random)
            default: smuggler.act(key, join, isRemoved: isRemoved, time, &random)
            }
        sendToAll(said.map(UncheckedOperation.init))
    }

    // Dawdling

    /// Announces so many more operations that the other side requests, instead of sending its own.
    private mutating func boast(over ping: Ping, _ connection: ConnectionID) {
        func more(than summary: SetSummary) -> SetSummary {
            SetSummary(count: summary.count + 8_192, fingerprint: random.bytes(Fingerprint.byteCount))
        }
        let authority = more(than: ping.authority)
        send(.ping(Ping(nonce: 1, authority: authority, content: more(than: ping.content))), connection)
    }

    private mutating func name(_ set: OperationSet, _ message: [UInt8], _ connection: ConnectionID) {
        var items = ItemSet(
            heard.filter { $0.header.set == set }.map {
                ItemSet.Item(timestamp: $0.header.timestamp.milliseconds, id: $0.id.bytes32)
            })
        let responder = ReconciliationResponder(
            items: items.snapshot(), frameSizeLimit: Limits.reconciliationMessageByteCountMax)
        guard let answer = try? responder.reconcile(message) else { return }
        send(.reconcile(set: set, isInitiator: false, message: answer), connection)
    }

    private mutating func dawdle() {
        guard now.milliseconds >= bringsAt else { return }
        bringsAt = now.milliseconds + 9_000
        for connection in live where owed[connection]?.isEmpty == false {
            let id = owed[connection]!.removeFirst()  // it is not empty
            guard let operation = heard.first(where: { $0.id == id }) else { continue }
            send(.operations([operation]), connection)
            broughtCount += 1
        }
    }

    /// Continues with operations to all, at first correct ones.
    private mutating func goOn() {
        let said = outcast.act(key, event, join, heard, now.wallClockMilliseconds, &random)
        sendToAll(said.map(UncheckedOperation.init))
    }

    private func operation(
        _ kind: OperationKind, subject: OperationID = .none, argument: UInt64 = 0, body: [UInt8] = [], at place: UInt32,
        after previous: OperationID = .none, by signer: SigningKey? = nil
    ) -> VerifiedOperation? {
        try? VerifiedOperation(
            draft: Draft(kind: kind, subject: subject, argument: argument, body: body), event: event, sequence: place,
            previous: previous,
            timestamp: HybridTimestamp(milliseconds: now.wallClockMilliseconds, counter: UInt16(place & 0xFFFF)),
            key: signer ?? key)
    }

    private func end(of set: OperationSet) -> (next: UInt32, latest: OperationID) {
        ends[set] ?? (set == .authority ? join.map { (1, $0.id) } : nil) ?? (0, .none)
    }

    /// Returns the next operation in its chain.
    private mutating func next(
        _ kind: OperationKind, subject: OperationID = .none, argument: UInt64 = 0, body: [UInt8] = []
    ) -> VerifiedOperation? {
        let (place, previous) = end(of: kind.set)
        let next = operation(kind, subject: subject, argument: argument, body: body, at: place, after: previous)
        if let next { ends[kind.set] = (place + 1, next.id) }
        return next
    }

    private mutating func fork() {
        guard actionCount <= 40 else { return }
        let (place, previous) = end(of: .content)
        for (number, connection) in live.enumerated() {
            let body = OperationBody.encode(.name(number % 2 == 0 ? "Eve" : "Mallory"), salt: random.bytes(16))
            guard let word = operation(.name, body: body, at: place, after: previous) else { continue }
            send(.operations([UncheckedOperation(word)]), connection)
            ends[.content] = (place + 1, word.id)
        }
    }

    private mutating func flood() {
        let stranger = SigningKey(seed: random.secret())
        let orphans = (0..<20).compactMap { place in
            try? VerifiedOperation(
                draft: Draft(kind: .claim, subject: OperationID(BLAKE2b.hash([UInt8(place)])), argument: 1),
                event: event, sequence: UInt32(place), previous: .none,
                timestamp: HybridTimestamp(milliseconds: now.wallClockMilliseconds, counter: 0), key: stranger)
        }
        for connection in live {
            for _ in 0..<4 { send(.operations(orphans.map(UncheckedOperation.init)), connection) }
            send(.want((0..<200).map { OperationID(BLAKE2b.hash([UInt8($0)])) }, set: .content), connection)
            for _ in 0..<50 {
                send(
                    .request(
                        ChunkRequest(
                            request: UInt32(truncatingIfNeeded: random.next()),
                            blob: BlobID(
                                root: BlobRoot(BLAKE2b.hash(random.bytes(8))), blobClass: .original, byteCount: 1 << 20),
                            firstChunk: 0, chunkCount: 4, withList: true)), connection)
            }
            let start = UInt32(random.next() % 200_000)
            send(
                .have(
                    Have(holdings: [.init(device: device, blobClass: .thumbnail, sequences: [start..<start + 1])])),
                connection)
        }
    }

    private mutating func replay() {
        sendToAll(heard.suffix(64))
        guard actionCount % 8 == 0, let lastFrame, live.contains(lastFrame.connection) else { return }
        // The channel counts its messages: an old one does not decrypt.
        outputs.append(.send(lastFrame.connection, lastFrame.bytes))
    }

    /// Sends garbage. Each connection ends with the first invalid message; the next is dialled a moment later.
    private mutating func babble() {
        let samples = [PeerMessage.operations(Array(heard.suffix(8))).bytes] + overheard.map(\.bytes)
        var mutator = Mutator(seed: random.next(), samples: samples, byteCountMax: 40_000)
        for connection in live {
            for _ in 0..<8 {
                guard let bytes = machines[connection]?.seal(mutator.next()), !bytes.isEmpty else { continue }
                outputs.append(.send(connection, bytes))
            }
        }
    }

    /// Admits a device of its own.
    private mutating func vouch() -> SigningKey {
        let newcomer = SigningKey(seed: random.secret())
        let admission = Admission(of: DeviceID(newcomer.verifyingKey), to: event, by: key)
        let join = operation(
            .join, body: OperationBody.encode(.join(admission, nil), salt: random.bytes(16)), at: 0, by: newcomer)
        sendToAll([join].compactMap(\.self).map(UncheckedOperation.init))
        return newcomer
    }

    private mutating func multiply() {
        guard actionCount <= 40 else { return }
        if vouched.count < 10 { vouched.append(vouch()) }
        var operations: [UncheckedOperation] = []
        for signer in vouched {
            let body = random.bytes(
                signer.verifyingKey == vouched[0].verifyingKey ? Limits.operationBodyByteCountMax : 40)
            let header = OperationHeader(
                kind: 200, flags: [], event: event, device: DeviceID(signer.verifyingKey),
                sequence: 0, previous: .none,
                timestamp: HybridTimestamp(milliseconds: now.wallClockMilliseconds, counter: 0), subject: .none,
                argument: 0, bodyHash: OperationHeader.hash(ofBody: body), bodyByteCount: UInt32(body.count))
            let operation = try? UncheckedOperation(
                headerBytes: header.bytes, signature: signer.signature(for: header.signedBytes), body: body)
            if let operation { operations.append(operation) }
        }
        sendToAll(operations)
    }

    private mutating func register() {
        guard actionCount <= 50 else { return }
        for _ in 0..<2 {
            let newcomer = vouch()
            let device = DeviceID(newcomer.verifyingKey)
            let bits = ChunkBitmap(bytes: [UInt8](repeating: 0xFF, count: Limits.registerByteCountMax / 2 - 200))
            let claims = Register.Claims(
                device: device, instance: instance, counter: 1, originals: [.init(device: organizer, bits: bits)],
                destroyed: [.init(device: organizer, bits: bits)])
            sendToAll(.register(Register(claims, of: event, key: newcomer)))
        }
    }

    private mutating func cheat() {
        guard actionCount <= 15 else { return }
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
        let body = OperationBody.encode(.photo(manifest), salt: random.bytes(16))
        guard let photo = next(.photo, body: body) else { return }
        var said = [photo]
        for slot in [1, UInt64(actionCount), 28, 9_999, .max] {
            said += [next(.claim, subject: photo.id, argument: slot)].compactMap(\.self)
        }
        let other = heard.last {
            $0.header.kind == OperationKind.photo.rawValue && $0.header.device != device
        }
        if let other {
            said += [next(.claim, subject: other.id, argument: 2)].compactMap(\.self)
            for kind in [OperationKind.remove, .hide, .erase] {
                said += [next(kind, subject: other.id)].compactMap(\.self)
            }
        }
        sendToAll(said.map(UncheckedOperation.init))
    }
}

extension Swarm {
    /// Adds a member that misbehaves for this long from now on, with the organizer's present invitation.
    @discardableResult package func addDishonestPeer(
        _ mischief: Mischief, milliseconds: UInt64
    ) -> SimulatedNode {
        let node = makeNode(secret: nodes[0].replica?.keyring.current.secret)
        node.dishonestPeer = DishonestPeer(
            mischief, founding: founding, secret: node.secret, key: node.deviceKey, endsAt: now + milliseconds,
            random: &random)
        return node
    }
}
