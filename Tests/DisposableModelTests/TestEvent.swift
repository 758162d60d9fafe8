// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire

/// Steele, Lea and Flood 2014: enough for tests, one number a seed, the same on every machine.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// A key made from a number.
func signingKey(_ number: UInt64) -> SigningKey {
    var random = SplitMix64(seed: number)
    var seed = (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    return SigningKey(seed: SecretBytes(consuming: &seed))
}

extension SigningKey {
    var device: DeviceID { DeviceID(verifyingKey) }
    var author: AuthorID { AuthorID(verifyingKey) }
}

/// An event in which anybody can be made to say anything, the truth or not: signatures are real, all else is free.
struct TestEvent {
    static let startMilliseconds: UInt64 = 1_800_000_000_000

    let eventKey: SigningKey
    var event: EventID { EventID(key: eventKey.verifyingKey) }
    var empty: EventState { EventState(eventKey: eventKey.verifyingKey) }

    init(seed: UInt64 = 1) { eventKey = signingKey(seed ^ 0xE7E7) }

    func fold(_ operations: some Sequence<VerifiedOperation>) -> EventState {
        operations.reduce(into: empty) { $0.apply($1) }
    }

    func fold(batch: some Sequence<VerifiedOperation>) -> EventState {
        var state = empty
        state.apply(batch)
        return state
    }

    func operation(
        _ kind: OperationKind, by key: SigningKey, sequence: UInt32, subject: OperationID = .none, argument: UInt64 = 0,
        content: OperationContent = .none, salt: UInt8 = 0, milliseconds: UInt64 = startMilliseconds,
        counter: UInt16 = 0, previous: OperationID? = nil
    ) throws -> VerifiedOperation {
        let salt = [UInt8](repeating: salt, count: OperationBody.saltByteCount)
        return try VerifiedOperation(
            draft: Draft(
                kind: kind, subject: subject, argument: argument, body: OperationBody.encode(content, salt: salt)),
            event: event, sequence: sequence,
            previous: previous ?? (sequence == 0 ? .none : OperationID(event.bytes32)),
            timestamp: HybridTimestamp(milliseconds: milliseconds, counter: counter), key: key)
    }

    func charter(
        frames: UInt32 = 3, by key: SigningKey? = nil, sequence: UInt32 = 0, salt: UInt8 = 0, isOpened: Bool = true,
        revealKey: Bytes32 = .zero, change: (inout Charter) -> Void = { _ in }
    ) throws -> VerifiedOperation {
        var charter = Charter(name: "Anna & Ben", startsAtMilliseconds: Self.startMilliseconds, frames: frames)
        charter.isOpened = isOpened
        if revealKey != .zero { (charter.reveal, charter.revealKey) = (.atEnd, revealKey) }
        change(&charter)
        return try operation(.charter, by: key ?? eventKey, sequence: sequence, content: .charter(charter), salt: salt)
    }

    func join(
        _ key: SigningKey, sponsor: SigningKey, sequence: UInt32 = 0, for guest: SigningKey? = nil
    ) throws -> VerifiedOperation {
        let admission = Admission(of: key.device, to: event, by: sponsor)
        let delegation = guest.map { Delegation(to: key.device, at: sponsor.device, event: event, by: $0) }
        return try operation(.join, by: key, sequence: sequence, content: .join(admission, delegation))
    }

    func photo(
        _ key: SigningKey, _ sequence: UInt32, salt: UInt8 = 0, milliseconds: UInt64 = startMilliseconds,
        counter: UInt16 = 0
    ) throws -> VerifiedOperation {
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 4_000, height: 3_000, mediaType: .jpeg)
        return try operation(
            .photo, by: key, sequence: sequence, content: .photo(manifest), salt: salt, milliseconds: milliseconds,
            counter: counter)
    }

    func claim(
        _ key: SigningKey, _ sequence: UInt32, photo: VerifiedOperation, slot: UInt64
    ) throws -> VerifiedOperation {
        try operation(.claim, by: key, sequence: sequence, subject: photo.id, argument: slot)
    }

    func remove(_ key: SigningKey, _ sequence: UInt32, photo: VerifiedOperation) throws -> VerifiedOperation {
        try operation(.remove, by: key, sequence: sequence, subject: photo.id)
    }

    func name(_ key: SigningKey, _ sequence: UInt32, _ text: String) throws -> VerifiedOperation {
        try operation(.name, by: key, sequence: sequence, content: .name(text))
    }

    func original(_ key: SigningKey, _ sequence: UInt32, photo: VerifiedOperation) throws -> VerifiedOperation {
        var zeros = [UInt8](repeating: 0, count: 32)
        let reference = BlobReference(
            root: BlobRoot(Bytes32.zero), byteCount: 1, chunkLog2: ChunkLayout.chunkLog2,
            key: SecretBytes(consuming: &zeros), blobClass: .original)
        let manifest = OriginalManifest(original: reference!, sha256: .zero, mediaType: .jpeg)
        return try operation(.original, by: key, sequence: sequence, subject: photo.id, content: .original(manifest))
    }
}

extension VerifiedOperation {
    /// The operation as a node has it that never got the body, or has erased it.
    var withoutBody: VerifiedOperation {
        guard let kind, kind.hasBody, !kind.foldReadsBody else { return self }
        return VerifiedOperation(id: id, header: header, signature: signature, body: nil, content: nil)
    }
}

extension VerifiedOperation {
    /// A grant as if it cancelled nothing.
    var withoutCancels: VerifiedOperation {
        guard case .grant? = content else { return self }
        return VerifiedOperation(id: id, header: header, signature: signature, body: body, content: .grant(cancels: []))
    }
}

extension EventState {
    func status(_ photo: VerifiedOperation) -> PhotoStatus? { self.photo(PhotoID(photo.id))?.status }
}

/// All orders of `items` (Heap's algorithm): n! of them.
func permutations<Element>(_ items: [Element]) -> [[Element]] {
    var items = items
    var all: [[Element]] = []
    func permute(_ count: Int) {
        if count <= 1 { return all.append(items) }
        for index in 0..<count {
            permute(count - 1)
            items.swapAt(count.isMultiple(of: 2) ? index : 0, count - 1)
        }
    }
    permute(items.count)
    return all
}
