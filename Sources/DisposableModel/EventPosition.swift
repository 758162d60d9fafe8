// SPDX-License-Identifier: Apache-2.0

/// The position of an event on the map of the board, as its organizer gives it: whole thousandths of a degree of WGS
/// 84, about 100 m (protocol/disposable-v1.md §9.2). No device measures it.
public struct EventPosition: Hashable, Sendable {
    public static let latitudeMax: Int32 = 90_000
    public static let longitudeMax: Int32 = 180_000
    private static let degrees = DecimalDegrees(decimalCount: 3)

    /// Thousandths of a degree, -`latitudeMax`...`latitudeMax`; north is positive.
    public var latitude: Int32
    /// Thousandths of a degree, -`longitudeMax`...`longitudeMax`; east is positive.
    public var longitude: Int32

    public init(latitude: Int32, longitude: Int32) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Reads degrees with a decimal point, the latitude first: `47.243, 6.022`. Further decimals are rounded. `nil` for
    /// any other text, and for a position that is not on the Earth.
    public init?(written text: String) {
        guard let (latitude, longitude) = Self.degrees.pair(written: text) else { return nil }
        self.init(latitude: latitude, longitude: longitude)
        guard isWellFormed else { return nil }
    }

    /// Degrees with three decimals, the latitude first, as `init(written:)` reads them.
    public var written: String { Self.degrees.text(latitude: latitude, longitude: longitude) }

    /// Whether both numbers are in their ranges: the same answer on every node.
    public var isWellFormed: Bool {
        (-Self.latitudeMax...Self.latitudeMax).contains(latitude)
            && (-Self.longitudeMax...Self.longitudeMax).contains(longitude)
    }

    /// The value in the digest. It begins with 1, so that it differs from no position.
    var bytes: [UInt8] {
        var bytes: [UInt8] = [1]
        bytes.appendBigEndian(latitude)
        bytes.appendBigEndian(longitude)
        return bytes
    }
}
