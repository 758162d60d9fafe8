// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// A peer on strings: the other end of a connection to one replica, which says what a test makes it say.
///
/// The replica's disk answers at once, unless `answersDisk` is off; time stands still but for `wait`.
final class Puppet {
    private(set) var replica: Replica
    var connection: PeerConnection
    let key: SigningKey
    let founding: FoundedEvent
    var random: SplitMix64
    private(set) var now: UInt64 = 50_000
    private(set) var received: [PeerMessage] = []
    private(set) var isClosed = false
    /// Why the replica has ended the connection.
    private(set) var replicaCode: ProtocolCode?
    /// Whether the network takes what the replica sends.
    var takesBytes = true
    /// Whether the puppet looks at what arrives.
    var readsBytes = true
    var answersDisk = true
    private var unwritten: [(operations: [VerifiedOperation], ticket: Ticket)] = []
    let disk = MemoryDisk()
    private(set) var deadlineCount = 0
    /// The registers that the replica has had stored.
    private(set) var kept: [Register] = []
    private var keeping: Ticket?
    /// The devices whose registers the replica has had removed from the store.
    private(set) var forgotten: [DeviceID] = []
    /// Statements that the replica has not made.
    private(set) var refused: [Ticket: Refusal] = [:]
    /// And those that it has made.
    private(set) var authored: [Ticket: [OperationID]] = [:]
    /// The number of changes for which everything that is shown had to be loaded again.
    private(set) var reloadCount = 0
    /// The photos that were told to have changed, since `forgetChanges`.
    private(set) var changedPhotos: Set<PhotoID> = []
    /// The addresses that the replica has dialled; none answers.
    private(set) var dialled: [PeerAddress] = []
    /// Until when the replica wants to hear nothing.
    private(set) var pausedUntil: UInt64 = 0
    private var id = ConnectionID(1)
    private let identity: Replica.Identity

    /// - Parameters:
    ///   - isMember: whether the replica knows the puppet as a member from the start.
    ///   - photos: how many photos the replica has of its own.
    ///   - isNewcomer: whether the replica has nothing but the invitation, instead of being the organizer's.
    ///   - budgets: how much the replica takes at any speed.
    init(
        seed: UInt64 = 1, isMember: Bool, photos: Int = 0, isNewcomer: Bool = false,
        budgets: UnitBudgets = UnitBudgets()
    ) throws {
        random = SplitMix64(seed: seed)
        founding = FoundedEvent(random: &random)
        key = SigningKey(seed: random.secret())
        identity = Replica.Identity(
            eventKey: founding.eventKey.verifyingKey, secret: founding.secret,
            deviceKey: isNewcomer ? SigningKey(seed: random.secret()) : founding.deviceKey,
            staticKey: AgreementKey(scalar: random.secret()), instance: random.bytes(16), joinSalt: random.bytes(16),
            seed: random.next())
        replica = Replica(
            identity: identity, listenPort: 8028, keptClasses: Set(BlobClass.allCases), budgets: budgets)
        let challenge = random.bytes(16)
        connection = .dialled(
            credentials: identity.credentials, staticKey: AgreementKey(scalar: random.secret()),
            entropy: .init(ephemeral: random.secret(), salt: random.bytes(16)), key: key,
            claims: .init(
                device: DeviceID(key.verifyingKey), instance: random.bytes(16),
                wallClockMilliseconds: NodeClock.epochMilliseconds, listenPort: 8028))
        if !isNewcomer { disk.write(founding.operations, durably: true) }
        if isMember { disk.write([try join()], durably: true) }
        replica.restore(disk.operations) { _ in .absent }
        for number in 0..<photos { apply(.author(try photo(UInt8(number)), by: nil, Ticket(UInt64(number + 1)))) }
        try shakeHands(challenge)
    }

    /// Restarts the replica from its disk.
    func restarted() -> Replica {
        var replica = Replica(identity: identity, listenPort: 8028, keptClasses: Set(BlobClass.allCases))
        replica.restore(disk.operations) { disk.state(of: $0) }
        return replica
    }

    /// The replica begins again from its disk; nobody is connected to it.
    func restart() { replica = restarted() }

    /// The connection ends, and a device dials again: the puppet's, or another one.
    func reconnect(as other: SigningKey? = nil) throws {
        apply(.disconnected(id))
        id = ConnectionID(id.number + 1)
        isClosed = false
        connection = .dialled(
            credentials: identity.credentials, staticKey: AgreementKey(scalar: random.secret()),
            entropy: .init(ephemeral: random.secret(), salt: random.bytes(16)), key: other ?? key,
            claims: .init(
                device: DeviceID((other ?? key).verifyingKey), instance: random.bytes(16),
                wallClockMilliseconds: NodeClock.epochMilliseconds, listenPort: 8028))
        try shakeHands(random.bytes(16))
    }

    private func shakeHands(_ challenge: [UInt8]) throws {
        var bytes: [UInt8] = []
        for case .send(let part) in connection.receive(challenge) { bytes += part }
        apply(
            .accepted(
                id, host: "10.0.0.9", challenge: challenge, preface: Array(bytes.prefix(Preface.byteCount)),
                random.entropy()))
        apply(.received(id, Array(bytes.dropFirst(Preface.byteCount))))
        try #require(connection.isLive)
    }

    /// The join of the puppet or another device, let in by the organizer's.
    func join(of newcomer: SigningKey? = nil, sponsoredBy sponsor: SigningKey? = nil) throws -> VerifiedOperation {
        let newcomer = newcomer ?? key
        let admission = Admission(
            of: DeviceID(newcomer.verifyingKey), to: founding.id, by: sponsor ?? founding.deviceKey)
        return try operation(
            .join, body: OperationBody.encode(.join(admission, nil), salt: random.bytes(16)), by: newcomer)
    }

    /// An operation as the puppet's device might state it.
    func operation(
        _ kind: OperationKind, subject: OperationID = .none, body: [UInt8] = [], by signer: SigningKey? = nil
    ) throws -> VerifiedOperation {
        try VerifiedOperation(
            draft: Draft(kind: kind, subject: subject, body: body), event: founding.id, sequence: 0, previous: .none,
            timestamp: HybridTimestamp(
                milliseconds: NodeClock.epochMilliseconds + random.next() % 1_000_000, counter: 0),
            key: signer ?? key)
    }

    func name(_ text: String, by signer: SigningKey? = nil) throws -> VerifiedOperation {
        try operation(.name, body: OperationBody.encode(.name(text), salt: random.bytes(16)), by: signer)
    }

    /// A photo of the puppet's with nothing but an original.
    func photo(_ blob: SealedBlob) throws -> (photo: VerifiedOperation, original: VerifiedOperation) {
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
        let original = OriginalManifest(original: blob.reference, sha256: .zero, mediaType: .jpeg)
        let photo = try operation(.photo, body: OperationBody.encode(.photo(manifest), salt: random.bytes(16)))
        return (
            photo,
            try operation(
                .original, subject: photo.id, body: OperationBody.encode(.original(original), salt: random.bytes(16)))
        )
    }

    private func photo(_ number: UInt8) throws -> Statement {
        let blob = SealedBlob([number, 1, 2, 3], .original, importSecret: founding.secret)
        disk.put(blob)
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
        let original = OriginalManifest(
            original: blob.reference, sha256: BLAKE2b.hash([number]), mediaType: .jpeg)
        return .photo(
            body: OperationBody.encode(.photo(manifest), salt: random.bytes(16)),
            originalBody: OperationBody.encode(.original(original), salt: random.bytes(16)))
    }

    // Talking

    func send(_ message: PeerMessage) { send(connection.seal(message)) }
    func send(_ operations: [VerifiedOperation]) { send(.operations(operations.map(UncheckedOperation.init))) }
    func send(_ bytes: [UInt8]) { if !isClosed { apply(.received(id, bytes)) } }

    func forgetChanges() { changedPhotos = [] }

    func take() -> [PeerMessage] {
        defer { received = [] }
        return received
    }

    var closeCode: ProtocolCode? {
        for case .close(let code, _, _) in received { return code }
        return nil
    }

    /// Lets time pass as a shell would, handing in deadlines as they come.
    func wait(milliseconds: UInt64) {
        let end = now + milliseconds
        while let deadline = replica.nextDeadline, deadline <= end {
            now = max(now, deadline)
            deadlineCount += 1
            apply(.deadlineReached)
        }
        now = end
    }

    /// Lets time pass of which the replica knows nothing, as when its machine sleeps.
    func sleep(milliseconds: UInt64) { now += milliseconds }

    /// The disk has done what it was asked for while it did not answer.
    func answerDisk() {
        answersDisk = true
        while !unwritten.isEmpty {
            let (operations, ticket) = unwritten.removeFirst()
            disk.write(operations, durably: true)
            apply(.persisted(ticket))
        }
    }

    /// The disk has done only the first of that.
    func answerDisk(upTo count: Int) {
        for _ in 0..<count where !unwritten.isEmpty {
            let (operations, ticket) = unwritten.removeFirst()
            disk.write(operations, durably: true)
            apply(.persisted(ticket))
        }
    }

    /// The disk fails at what it was asked for, and answers again from then on.
    func failDisk() {
        answersDisk = true
        while !unwritten.isEmpty { apply(.persistFailed(unwritten.removeFirst().ticket)) }
    }

    /// The register that the disk did not answer for is on it.
    func finishKeeping() {
        if let ticket = keeping.take() { apply(.persisted(ticket)) }
    }

    func apply(_ input: Replica.Input) {
        var inputs = [input]
        while !inputs.isEmpty {
            replica.handle(
                inputs.removeFirst(),
                at: Instant(milliseconds: now, wallClockMilliseconds: NodeClock.epochMilliseconds + now))
            while let output = replica.nextOutput() {
                if let answer = perform(output) { inputs.append(answer) }
            }
        }
    }

    private func perform(_ output: Replica.Output) -> Replica.Input? {
        switch output {
        case .send(let connection, let bytes): return deliver(bytes, connection)
        case .close: isClosed = true
        case .pause(_, let milliseconds): pausedUntil = now + milliseconds
        case .dial(let address):
            dialled.append(address)
            return .dialFailed(address)
        case .verify(let operations, let ticket):
            return .verified(ticket, operations.map { try? $0.verified(event: founding.id) })
        case .persist(let operations, let durably, let ticket):
            guard answersDisk else {
                unwritten.append((operations, ticket))
                return nil
            }
            disk.write(operations, durably: durably)
            return .persisted(ticket)
        case .load(let ids, let ticket): return .loaded(ticket, disk.load(ids))
        case .storeChunk(let chunk):
            guard let list = chunk.verifiedList() else {
                return .chunkTurnedOutWrong(chunk.blob, index: chunk.index)
            }
            disk.store(chunk, list: list)
            return .chunkStored(chunk.blob, index: chunk.index)
        case .read(let read, let ticket): return answersDisk ? .chunkRead(ticket, disk.read(read)) : nil
        case .keep(let heard, _, let ticket):
            kept.append(heard.register)
            if !answersDisk { keeping = ticket }
            return answersDisk ? .persisted(ticket) : nil
        case .forget(let registers): forgotten += registers
        case .changed(.closed(_, let code)): replicaCode = code
        case .changed(.album(.everything)): reloadCount += 1
        case .changed(.album(.photos(let photos))), .changed(.album(.quotas(let photos))):
            changedPhotos.formUnion(photos)
        case .refused(let ticket, let error): refused[ticket] = error
        case .authored(let ticket, let ids): authored[ticket] = ids
        case .changed: break
        }
        return nil
    }

    private func deliver(_ bytes: [UInt8], _ target: ConnectionID) -> Replica.Input? {
        var answers: [UInt8] = []
        for output in readsBytes ? connection.receive(bytes) : [] {
            switch output {
            case .send(let answer): answers += answer
            case .message(let message): received.append(message)
            case .authenticated, .refused, .failed: break
            }
        }
        if !answers.isEmpty { return .received(target, answers) }
        return takesBytes ? .sent(target, byteCount: bytes.count) : nil
    }
}

extension Replica {
    /// A node alone with an event, made from the same numbers each time.
    static func founding(random: inout SplitMix64) -> Replica {
        let event = FoundedEvent(random: &random)
        let identity = Identity(
            eventKey: event.eventKey.verifyingKey, secret: event.secret, deviceKey: event.deviceKey,
            staticKey: AgreementKey(scalar: random.secret()), instance: random.bytes(16), joinSalt: random.bytes(16),
            seed: 1)
        return Replica(identity: identity, listenPort: 8028, keptClasses: [])
    }
}
