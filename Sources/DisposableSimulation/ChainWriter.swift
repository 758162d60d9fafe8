// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// Signs the operations of several devices of one actor, each at the ends of its chains.
struct ChainWriter {
    let event: EventID
    /// The time in the operations.
    var wallClockMilliseconds: UInt64 = 0
    private var ends: [DeviceID: [OperationSet: (next: UInt32, latest: OperationID)]] = [:]
    /// The number of frames that each device has claimed.
    private var slots: [DeviceID: UInt64] = [:]
    private var written: [VerifiedOperation] = []

    init(event: EventID) { self.event = event }

    /// Continues after an operation that was signed elsewhere.
    mutating func follow(_ operation: VerifiedOperation) {
        ends[operation.header.device, default: [:]][operation.header.set] = (
            operation.header.sequence + 1, operation.id
        )
    }

    /// Returns the operations that were signed since the last call.
    mutating func take() -> [VerifiedOperation] {
        defer { written = [] }
        return written
    }

    /// - Parameter isFork: whether the next operation has the same sequence.
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

    /// Joins the device with the sponsor's admission; for a guest, whose key signs the delegation, as a sub-key.
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

    /// Signs a photo without files in the device's next frame.
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
