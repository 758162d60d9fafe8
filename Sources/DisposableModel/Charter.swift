// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The parameters of an event, signed by the event key.
public struct Charter: Equatable, Sendable {
    /// What a person may give as the event's name, in characters as people count them.
    public static let nameCharacterCountMax = 80
    public static let durationHoursRange = 1...720
    public static let framesMax = 1_000
    public static let retentionHoursRange = 1...720

    /// A label.
    public var name: String
    /// Milliseconds since 1970 UTC.
    public var startsAtMilliseconds: UInt64
    public var durationHours: UInt32
    /// Photos a guest may take; 0 for no limit.
    public var frames: UInt32
    /// Hours after the end at which every node forgets the photos.
    public var retentionHours: UInt32
    /// Whether the advertisement shows the event's name to the whole network.
    public var isListed: Bool
    public var organizerName: String

    public init(
        name: String, startsAtMilliseconds: UInt64, durationHours: UInt32 = 192, frames: UInt32 = 27,
        retentionHours: UInt32 = 192, isListed: Bool = true, organizerName: String = ""
    ) {
        self.name = name
        self.startsAtMilliseconds = startsAtMilliseconds
        self.durationHours = durationHours
        self.frames = frames
        self.retentionHours = retentionHours
        self.isListed = isListed
        self.organizerName = organizerName
    }

    public var endsAtMilliseconds: UInt64 { startsAtMilliseconds + UInt64(durationHours) * 3_600_000 }

    /// Whether every field is in its range: the same answer on every node.
    public var isWellFormed: Bool {
        Label.isWellFormed(name) && (organizerName.isEmpty || Label.isWellFormed(organizerName))
            && Self.durationHoursRange.contains(Int(durationHours)) && frames <= Self.framesMax
            && Self.retentionHoursRange.contains(Int(retentionHours))
            && startsAtMilliseconds <= HybridTimestamp.millisecondsMax - 721 * 3_600_000
    }

    /// Whether a person may found an event with it: well-formed, with names that are short as people see them.
    public var isAcceptable: Bool {
        isWellFormed && Label.isAcceptable(name, characterCountMax: Self.nameCharacterCountMax)
            && (organizerName.isEmpty || Label.isAcceptable(organizerName))
    }
}

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
