// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The parameters of an event, signed by the event key.
public struct Charter: Equatable, Sendable {
    public static let nameCharacterCountMax = 80
    public static let durationHoursRange = 1...720
    public static let framesMax = 1_000
    public static let retentionHoursRange = 1...720

    /// 1...80 characters on one line.
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

    /// Whether every field is in its range.
    public var isWellFormed: Bool {
        Label.isWellFormed(name, characterCountMax: Self.nameCharacterCountMax)
            && (organizerName.isEmpty || Label.isWellFormed(organizerName))
            && Self.durationHoursRange.contains(Int(durationHours)) && frames <= Self.framesMax
            && Self.retentionHoursRange.contains(Int(retentionHours))
            && startsAtMilliseconds <= HybridTimestamp.millisecondsMax - 721 * 3_600_000
    }
}

/// Text that people give as a name: it is shown in lists, pages and file names, so it holds no control characters.
public enum Label {
    public static let characterCountMax = 40
    public static let byteCountMax = 320

    public static func isWellFormed(_ text: String, characterCountMax: Int = Label.characterCountMax) -> Bool {
        (1...characterCountMax).contains(text.count) && text.utf8.count <= byteCountMax
            && text.unicodeScalars.allSatisfy { !isControl($0) } && text.unicodeScalars.contains(where: isVisible)
    }

    /// Joiners, variation selectors and the like are part of names and emoji, but alone they leave nothing to see.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
    }

    /// Control, line-separator and direction-override characters, which would let a name disturb what stands around it.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
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
