// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The agreement of a member that a device may join; without one a join does not count. The sponsor signs the event,
/// the newcomer's device and the epoch under which it joins.
public struct Admission: Equatable, Sendable {
    /// A member, or the event key itself, whose admission makes the newcomer an organizer's device.
    public let sponsor: DeviceID
    public let signature: Signature
    /// The epoch whose secret the newcomer has proved to know, `.none` for the invitation's secret.
    public let epoch: OperationID

    public init(sponsor: DeviceID, signature: Signature, epoch: OperationID = .none) {
        self.sponsor = sponsor
        self.signature = signature
        self.epoch = epoch
    }

    /// Creates the admission of `device`, signed by the holder of `key`.
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
