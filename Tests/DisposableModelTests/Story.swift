// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// The operations of an event, in the order in which they are signed; every device signs its operations in whole
/// chains.
struct Story {
    let event: TestEvent
    private(set) var operations: [VerifiedOperation] = []
    private var ends: [DeviceID: [OperationSet: [VerifiedOperation]]] = [:]

    init(_ event: TestEvent) { self.event = event }

    /// The fold of it all: the same in many orders, and with operations heard twice.
    func outcome(sourceLocation: SourceLocation = #_sourceLocation) throws -> EventState {
        let expected = event.fold(operations)
        var random = SplitMix64(seed: UInt64(operations.count))
        for _ in 0..<20 {
            let state = event.fold(operations.shuffled(using: &random) + operations.shuffled(using: &random).prefix(3))
            if state != expected || state.digest != expected.digest {
                Issue.record("another state in another order", sourceLocation: sourceLocation)
            }
        }
        #expect(event.fold(operations.reversed()) == expected, sourceLocation: sourceLocation)
        return expected
    }

    /// Takes what was said in another telling.
    mutating func take(_ operation: VerifiedOperation) {
        operations.append(operation)
        ends[operation.header.device, default: [:]][operation.header.set, default: []].append(operation)
    }

    /// The device forgets the last operations of its content, as a copy of it would that was made earlier.
    mutating func rewind(_ key: SigningKey, by count: Int) { ends[key.device]![.content]!.removeLast(count) }

    @discardableResult
    mutating func say(
        _ kind: OperationKind, by key: SigningKey, about subject: VerifiedOperation? = nil,
        _ grantee: OperationID = .none,
        argument: UInt64 = 0, content: OperationContent = .none, salt: UInt8 = 0,
        milliseconds: UInt64 = TestEvent.startMilliseconds
    ) throws -> VerifiedOperation {
        let last = ends[key.device]?[kind.set]?.last
        let operation = try event.operation(
            kind, by: key, sequence: last.map { $0.header.sequence + 1 } ?? 0, subject: subject?.id ?? grantee,
            argument: argument, content: content, salt: salt, milliseconds: milliseconds,
            previous: last?.id ?? OperationID.none)
        take(operation)
        return operation
    }

    mutating func found(
        host: SigningKey, guests: [SigningKey], frames: UInt32, isOpened: Bool = true,
        change: (inout Charter) -> Void = { _ in }
    ) throws {
        var charter = Charter(name: "Anna & Ben", startsAtMilliseconds: TestEvent.startMilliseconds, frames: frames)
        charter.isOpened = isOpened
        change(&charter)
        try say(.charter, by: event.eventKey, content: .charter(charter))
        try join(host, sponsor: event.eventKey)
        for guest in guests { try join(guest, sponsor: host) }
    }

    mutating func join(_ key: SigningKey, sponsor: SigningKey, for guest: SigningKey? = nil) throws {
        let admission = Admission(of: key.device, to: event.event, by: sponsor)
        let delegation = guest.map { Delegation(to: key.device, at: sponsor.device, event: event.event, by: $0) }
        try say(.join, by: key, content: .join(admission, delegation))
    }

    @discardableResult
    mutating func photo(
        _ key: SigningKey, slot: UInt64, salt: UInt8 = 0, milliseconds: UInt64 = TestEvent.startMilliseconds
    ) throws -> VerifiedOperation {
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 4, height: 3, mediaType: .jpeg)
        let photo = try say(
            .photo, by: key, content: .photo(manifest), salt: salt, milliseconds: milliseconds)
        try say(.claim, by: key, about: photo, argument: slot, milliseconds: milliseconds)
        return photo
    }

    /// Edits the charter as it is now, following what counts now or what is given.
    @discardableResult
    mutating func edit(
        _ field: CharterField, by key: SigningKey, follows: [OperationID]? = nil,
        milliseconds: UInt64 = TestEvent.startMilliseconds, _ change: (inout Charter) -> Void
    ) throws -> VerifiedOperation {
        var value = Charter(name: "Anna & Ben", startsAtMilliseconds: TestEvent.startMilliseconds)
        change(&value)
        return try say(
            .edit, by: key, argument: UInt64(field.rawValue),
            content: .edit(field, value, follows: follows ?? event.fold(operations).follows(field)),
            milliseconds: milliseconds)
    }

    mutating func grant(
        _ role: Role, to key: SigningKey, by granter: SigningKey, cancels: [VerifiedOperation] = []
    ) throws {
        try say(
            .grant, by: granter, OperationID(key.device.bytes32), argument: UInt64(role.rawValue),
            content: .grant(cancels: cancels.map(\.id)))
    }

    /// Takes a role away and leaves all that has been said so far.
    @discardableResult
    mutating func revoke(_ role: Role, of key: SigningKey, by revoker: SigningKey) throws -> VerifiedOperation {
        try say(
            .revokeRole, by: revoker, OperationID(key.device.bytes32), argument: UInt64(role.rawValue),
            content: .revocation(heads: heads()))
    }

    /// Removes the device and leaves all of its operations so far.
    @discardableResult
    mutating func removeMember(
        _ key: SigningKey, by revoker: SigningKey, devices: [SigningKey] = []
    ) throws -> VerifiedOperation {
        try say(.revokeDevice, by: revoker, OperationID(key.device.bytes32), content: .revocation(heads: heads()))
    }

    private func heads() -> [OperationID] { ends.values.flatMap { $0.values.compactMap { $0.last?.id } } }
}
