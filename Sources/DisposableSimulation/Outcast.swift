// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// The operations of a member that was removed and continues to act.
struct Outcast {
    private var chains: [OperationSet: (next: UInt32, latest: OperationID)] = [:]
    private var photos: [OperationID] = []
    /// The known revocation of this member.
    private var revocation: OperationID?
    private var actionCount = 0
    private(set) var saidInVain: [OperationID] = []

    private static let actionCountMax = 40

    /// Handles operations: the organizer's count, whatever peer sends them; others may contain false removals.
    mutating func hear(_ operations: [UncheckedOperation], _ device: DeviceID, organizer: DeviceID) {
        let own = operations.first {
            $0.header.kind == OperationKind.revokeDevice.rawValue && $0.header.subject.bytes32 == device.bytes32
                && $0.header.device == organizer
        }
        if let own { revocation = own.id }
    }

    /// - Parameter join: its own join, the first operation of its chain in the authority set.
    mutating func act(
        _ key: SigningKey, _ event: EventID, _ join: VerifiedOperation?, _ heard: [UncheckedOperation],
        _ wallClockMilliseconds: UInt64, _ random: inout SplitMix64
    ) -> [VerifiedOperation] {
        guard actionCount < Self.actionCountMax, let join else { return [] }
        if chains[.authority] == nil { chains[.authority] = (1, join.id) }
        actionCount += 1
        var said: [VerifiedOperation] = []
        func say(
            _ kind: OperationKind, subject: OperationID = .none, argument: UInt64 = 0,
            _ content: OperationContent? = nil,
            at time: UInt64, by other: SigningKey? = nil,
            in chains: inout [OperationSet: (next: UInt32, latest: OperationID)]
        ) -> OperationID {
            let end = chains[kind.set] ?? (0, .none)
            let body = content.map { OperationBody.encode($0, salt: random.bytes(16)) } ?? []
            guard
                let operation = try? VerifiedOperation(
                    draft: Draft(kind: kind, subject: subject, argument: argument, body: body), event: event,
                    sequence: end.next, previous: end.latest,
                    timestamp: HybridTimestamp(milliseconds: time, counter: UInt16(end.next & 0xFFFF)),
                    key: other ?? key)
            else { return .none }
            chains[kind.set] = (end.next + 1, operation.id)
            said.append(operation)
            return operation.id
        }
        func takePhoto(
            by other: SigningKey? = nil, in chains: inout [OperationSet: (next: UInt32, latest: OperationID)]
        ) -> OperationID {
            // It may also use a false time.
            let time = revocation == nil || random.oneIn(2) ? wallClockMilliseconds : NodeClock.epochMilliseconds + 1
            let manifest = PhotoManifest(
                thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
            let photo = say(.photo, .photo(manifest), at: time, by: other, in: &chains)
            _ = say(.claim, subject: photo, argument: UInt64(actionCount), at: time, by: other, in: &chains)
            return photo
        }
        let now = wallClockMilliseconds
        guard let revocation else {
            if actionCount % 3 == 1 { photos.append(takePhoto(in: &chains)) }
            return said
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0...1: photos.append(takePhoto(in: &chains))
        case 2:
            // Beside its chain, as if signed before.
            var other = chains
            other[.content] = photos.first.map { (UInt32.random(in: 1...3, using: &random), $0) }
            _ = takePhoto(in: &other)
        case 3:
            // A new device, admitted only by it.
            let stranger = SigningKey(seed: random.secret())
            let device = DeviceID(stranger.verifyingKey)
            var other: [OperationSet: (next: UInt32, latest: OperationID)] = [:]
            let admission = Admission(of: device, to: event, by: key)
            _ = say(.join, .join(admission, nil), at: now, by: stranger, in: &other)
            _ = takePhoto(by: stranger, in: &other)
        case 4:
            let photo = heard.last { $0.header.kind == OperationKind.photo.rawValue }?.id ?? .none
            _ = say(.hide, subject: photo, at: now, in: &chains)
            _ = say(.erase, subject: photo, at: now, in: &chains)
        default:
            let own = OperationID(DeviceID(key.verifyingKey).bytes32)
            _ = say(
                .grant, subject: own, argument: UInt64(Role.participant.rawValue), .grant(cancels: [revocation]),
                at: now,
                in: &chains)
            if let other = heard.last(where: { $0.header.kind == OperationKind.join.rawValue })?.header.device {
                _ = say(
                    .revokeDevice, subject: OperationID(other.bytes32), .revocation(heads: []), at: now, in: &chains)
            }
        }
        saidInVain += said.map(\.id)
        return said
    }
}
