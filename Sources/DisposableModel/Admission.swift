// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The consent of a device that is already in, without which a join counts for nothing: the sponsor's signature over
/// the event and the newcomer's device.
public struct Admission: Equatable, Sendable {
    /// A member, or the event key itself, whose admission makes the newcomer an organizer's device.
    public let sponsor: DeviceID
    public let signature: Signature

    public init(sponsor: DeviceID, signature: Signature) {
        self.sponsor = sponsor
        self.signature = signature
    }

    /// The admission of `device` by the holder of `key`.
    public init(of device: DeviceID, to event: EventID, by key: SigningKey) {
        sponsor = DeviceID(key.verifyingKey)
        signature = key.signature(for: Self.signedBytes(device: device, event: event))
    }

    public func admits(_ device: DeviceID, to event: EventID) -> Bool {
        sponsor.verifyingKey.isValid(signature, for: Self.signedBytes(device: device, event: event))
    }

    private static func signedBytes(device: DeviceID, event: EventID) -> [UInt8] {
        Domain.admission + event.bytes + device.bytes
    }
}
