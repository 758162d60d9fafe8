// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// The operations that a dishonest peer signs with its own key, at any place of its chains. Times are those of a wall
/// clock, in milliseconds.
struct DishonestChains {
    let key: SigningKey
    let event: EventID
    /// `nil` until it has been admitted.
    private(set) var join: VerifiedOperation?
    private var ends: [OperationSet: (next: UInt32, latest: OperationID)] = [:]

    init(key: SigningKey, event: EventID) {
        self.key = key
        self.event = event
    }

    var device: DeviceID { DeviceID(key.verifyingKey) }

    /// Joins with the first admission.
    mutating func join(with admission: Admission, at time: UInt64, _ random: inout SplitMix64) {
        guard join == nil else { return }
        join = operation(
            .join, body: OperationBody.encode(.join(admission, nil), salt: random.bytes(16)), place: 0, at: time)
    }

    /// Returns the next operation.
    mutating func next(
        _ kind: OperationKind, subject: OperationID = .none, argument: UInt64 = 0, body: [UInt8] = [], at time: UInt64
    ) -> VerifiedOperation? {
        let (place, previous) = end(of: kind.set)
        let next = operation(
            kind, subject: subject, argument: argument, body: body, place: place, after: previous, at: time)
        if let next { ends[kind.set] = (place + 1, next.id) }
        return next
    }

    /// Returns different operations that all have the next sequence.
    mutating func fork(_ count: Int, at time: UInt64, _ random: inout SplitMix64) -> [VerifiedOperation?] {
        let (place, previous) = end(of: .content)
        return (0..<count).map { number in
            let body = OperationBody.encode(.name(number % 2 == 0 ? "Eve" : "Mallory"), salt: random.bytes(16))
            let word = operation(.name, body: body, place: place, after: previous, at: time)
            if let word { ends[.content] = (place + 1, word.id) }
            return word
        }
    }

    /// Admits a device of its own. Returns its key and its join.
    func admitDevice(at time: UInt64, _ random: inout SplitMix64) -> (key: SigningKey, join: [UncheckedOperation]) {
        let newcomer = SigningKey(seed: random.secret())
        let admission = Admission(of: DeviceID(newcomer.verifyingKey), to: event, by: key)
        let join = operation(
            .join, body: OperationBody.encode(.join(admission, nil), salt: random.bytes(16)), place: 0, at: time,
            by: newcomer)
        return (newcomer, [join].compactMap(\.self).map(UncheckedOperation.init))
    }

    private func end(of set: OperationSet) -> (next: UInt32, latest: OperationID) {
        ends[set] ?? (set == .authority ? join.map { (1, $0.id) } : nil) ?? (0, .none)
    }

    private func operation(
        _ kind: OperationKind, subject: OperationID = .none, argument: UInt64 = 0, body: [UInt8], place: UInt32,
        after previous: OperationID = .none, at time: UInt64, by signer: SigningKey? = nil
    ) -> VerifiedOperation? {
        try? VerifiedOperation(
            draft: Draft(kind: kind, subject: subject, argument: argument, body: body), event: event, sequence: place,
            previous: previous,
            timestamp: HybridTimestamp(milliseconds: time, counter: UInt16(place & 0xFFFF)), key: signer ?? key)
    }
}
