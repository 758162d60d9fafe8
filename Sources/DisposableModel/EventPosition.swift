// SPDX-License-Identifier: Apache-2.0

/// The position of an event on the map of the board, as its organizer gives it: whole thousandths of a degree of WGS
/// 84, about 100 m (protocol/disposable-v1.md §9.2). No device measures it.
public struct EventPosition: Hashable, Sendable {
    public static let latitudeMax: Int32 = 90_000
    public static let longitudeMax: Int32 = 180_000

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
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.thousandths)
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
        self.init(latitude: latitude, longitude: longitude)
        guard isWellFormed else { return nil }
    }

    /// Degrees with three decimals, the latitude first, as `init(written:)` reads them.
    public var written: String { "\(Self.degrees(latitude)), \(Self.degrees(longitude))" }

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

    /// Returns `nil` for a text that is no number of at most three digits before the point.
    private static func thousandths(_ part: Substring) -> Int32? {
        var text = part.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        let whole = text.drop { $0 == "-" || $0 == "+" }.prefix { $0 != "." }
        guard (1...3).contains(whole.count), text.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }),
            let number = Double(text)
        else { return nil }
        return Int32((number * 1_000).rounded())
    }

    private static func degrees(_ thousandths: Int32) -> String {
        let (whole, part) = abs(thousandths).quotientAndRemainder(dividingBy: 1_000)
        let decimals = String(part)
        return (thousandths < 0 ? "-" : "") + "\(whole)." + String(repeating: "0", count: 3 - decimals.count) + decimals
    }
}
