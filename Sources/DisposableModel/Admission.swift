// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The consent of a device that is already in, without which a join counts for nothing: the sponsor's signature over
/// the event, the newcomer's device and the epoch under which it comes.
public struct Admission: Equatable, Sendable {
    /// A member, or the event key itself, whose admission makes the newcomer an organizer's device.
    public let sponsor: DeviceID
    public let signature: Signature
    /// The epoch whose secret the newcomer has shown, `.none` for the invitation's.
    public let epoch: OperationID

    public init(sponsor: DeviceID, signature: Signature, epoch: OperationID = .none) {
        self.sponsor = sponsor
        self.signature = signature
        self.epoch = epoch
    }

    /// The admission of `device` by the holder of `key`.
    public init(of device: DeviceID, to event: EventID, under epoch: OperationID = .none, by key: SigningKey) {
        sponsor = DeviceID(key.verifyingKey)
        signature = key.signature(for: Self.signedBytes(device: device, event: event, epoch: epoch))
        self.epoch = epoch
    }

    public func admits(_ device: DeviceID, to event: EventID) -> Bool {
        sponsor.verifyingKey.isValid(signature, for: Self.signedBytes(device: device, event: event, epoch: epoch))
    }

    private static func signedBytes(device: DeviceID, event: EventID, epoch: OperationID) -> [UInt8] {
        Domain.admission + event.bytes + device.bytes + (epoch == .none ? [] : epoch.bytes)
    }
}
