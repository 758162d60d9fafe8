// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableWire

/// The first operations of an event, signed once by its organizer.
public enum Founding {
    /// Returns the charter by the event key, and the join of the organizer's device, with which the approval rule is
    /// stated if there is one.
    /// - Parameters:
    ///   - charter: the event's settings, well-formed.
    ///   - approval: the photos of guests that wait for approval.
    ///   - veils: whether guests can have photos veiled.
    ///   - share: the body of the share of the reveal key's secret half with index 1, for the organizer's device.
    ///   - pageSealing: whether guests' pages seal photos until the reveal; the charter has a reveal key then.
    ///   - eventKey: the key that makes the event.
    ///   - deviceKey: the key of the organizer's device.
    ///   - charterSalt: 16 random bytes.
    ///   - joinSalt: 16 random bytes.
    ///   - wallClockMilliseconds: the time now, since 1970 UTC.
    public static func operations(
        charter: Charter, approval: ApprovalRule = .none, veils: Bool = false, share: [UInt8]? = nil,
        pageSealing: Bool = false, eventKey: SigningKey, deviceKey: SigningKey, charterSalt: [UInt8], joinSalt: [UInt8],
        wallClockMilliseconds: UInt64
    ) throws(Refusal) -> [VerifiedOperation] {
        let event = EventID(key: eventKey.verifyingKey)
        var charterSigner = ChainSigner(
            chains: [:], clock: HybridClock(), event: event, key: eventKey,
            wallClockMilliseconds: wallClockMilliseconds)
        _ = try charterSigner.sign(
            Draft(kind: .charter, body: OperationBody.encode(.charter(charter), salt: charterSalt)))
        let admission = Admission(of: DeviceID(deviceKey.verifyingKey), to: event, by: eventKey)
        var joinSigner = ChainSigner(
            chains: [:], clock: HybridClock(), event: event, key: deviceKey,
            wallClockMilliseconds: wallClockMilliseconds)
        _ = try joinSigner.sign(Draft(kind: .join, body: OperationBody.encode(.join(admission, nil), salt: joinSalt)))
        if approval != .none { _ = try joinSigner.sign(Draft(approval: approval, follows: [], salt: joinSalt)) }
        if veils { _ = try joinSigner.sign(Draft(kind: .veiling)) }
        if let share {
            let subject = OperationID(DeviceID(deviceKey.verifyingKey).bytes32)
            _ = try joinSigner.sign(Draft(kind: .share, subject: subject, argument: 1, body: share))
        }
        if pageSealing { _ = try joinSigner.sign(Draft(kind: .pageSealing)) }
        return charterSigner.signed + joinSigner.signed
    }
}
