// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// Signs what several devices in one hand state, each at the ends of its chains.
struct ChainWriter {
    let event: EventID
    /// When the operations say that they were stated.
    var wallClockMilliseconds: UInt64 = 0
    private var ends: [DeviceID: [OperationSet: (next: UInt32, latest: OperationID)]] = [:]
    /// How many frames each device has claimed.
    private var slots: [DeviceID: UInt64] = [:]
    private var written: [VerifiedOperation] = []

    init(event: EventID) { self.event = event }

    /// Goes on after an operation that was signed elsewhere.
    mutating func follow(_ operation: VerifiedOperation) {
        ends[operation.header.device, default: [:]][operation.header.set] = (
            operation.header.sequence + 1, operation.id
        )
    }

    /// What was stated since the last time.
    mutating func take() -> [VerifiedOperation] {
        defer { written = [] }
        return written
    }

    /// - Parameter isFork: whether the next operation takes the same place in the chain.
    @discardableResult mutating func state(
        _ kind: OperationKind, by key: SigningKey, subject: OperationID = .none, argument: UInt64 = 0,
        content: OperationContent? = nil, isFork: Bool = false, _ random: inout SplitMix64
    ) -> OperationID {
        let end = ends[DeviceID(key.verifyingKey)]?[kind.set] ?? (0, .none)
        let body = content.map { OperationBody.encode($0, salt: random.bytes(OperationBody.saltByteCount)) } ?? []
        let operation = try? VerifiedOperation(
            draft: Draft(kind: kind, subject: subject, argument: argument, body: body), event: event,
            sequence: end.next, previous: end.latest,
            timestamp: HybridTimestamp(
                milliseconds: wallClockMilliseconds, counter: UInt16(truncatingIfNeeded: end.next)),
            key: key)
        guard let operation else { return .none }
        written.append(operation)
        if !isFork { follow(operation) }
        return operation.id
    }

    /// The device comes in by the word of the sponsor; for a guest, whose key signs the delegation, as a sub-key.
    mutating func join(
        _ key: SigningKey, sponsor: SigningKey, guest: SigningKey? = nil, _ random: inout SplitMix64
    ) {
        let device = DeviceID(key.verifyingKey)
        let admission = Admission(of: device, to: event, by: sponsor)
        let delegation = guest.map {
            Delegation(to: device, at: DeviceID(sponsor.verifyingKey), event: event, by: $0)
        }
        state(.join, by: key, content: .join(admission, delegation), &random)
    }

    /// A photo without files in the device's next frame.
    @discardableResult mutating func photo(by key: SigningKey, _ random: inout SplitMix64) -> OperationID {
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
        let photo = state(.photo, by: key, content: .photo(manifest), &random)
        let slot = slots[DeviceID(key.verifyingKey), default: 0] + 1
        slots[DeviceID(key.verifyingKey)] = slot
        state(.claim, by: key, subject: photo, argument: slot, &random)
        return photo
    }
}
