// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The hours of the day in which moments begin, at the event's place.
public struct MomentHours: Hashable, Sendable {
    public static let minutesOfDay: UInt32 = 1_440
    public static let offsetRange: ClosedRange<Int32> = -840...840

    /// The first minute of the day, 0...1,439.
    public var from: UInt32
    /// The minute after the last one, 1...1,440. The hours go past midnight if it is not greater than `from`.
    public var to: UInt32
    /// The minutes by which the clocks of the place are ahead of UTC.
    public var utcOffset: Int32

    public init(from: UInt32, to: UInt32, utcOffset: Int32 = 0) {
        self.from = from
        self.to = to
        self.utcOffset = utcOffset
    }

    var isWellFormed: Bool {
        from < Self.minutesOfDay && (1...Self.minutesOfDay).contains(to) && from != to
            && Self.offsetRange.contains(utcOffset)
    }

    /// Whether a minute, counted from 1970 UTC, is within the hours.
    func contains(minute: UInt64) -> Bool {
        // Two days more, so that the sum is not negative for minutes of the first day of 1970.
        let day = Int64(Self.minutesOfDay)
        let local = UInt32((Int64(minute) + Int64(utcOffset) + 2 * day) % day)
        return from < to ? (from..<to).contains(local) : local >= from || local < to
    }
}

/// Five minutes of one day in which everybody takes a photo (protocol/disposable-v1.md §9.16).
public struct Moment: Hashable, Sendable {
    public static let milliseconds: UInt64 = 300_000
    /// The time after the five minutes in which photos belong to the moment as late ones, for slow transfers.
    public static let graceMilliseconds: UInt64 = 60_000

    /// From 1, as R-61 counts days.
    public let day: UInt32
    /// A whole minute, in milliseconds since 1970 UTC.
    public let startsAtMilliseconds: UInt64

    public var endsAtMilliseconds: UInt64 { startsAtMilliseconds + Self.milliseconds }

    /// Returns whether a photo of this time is late; `nil` if it does not belong to the moment.
    func isLate(at milliseconds: UInt64) -> Bool? {
        guard milliseconds >= startsAtMilliseconds, milliseconds < endsAtMilliseconds + Self.graceMilliseconds else {
            return nil
        }
        return milliseconds >= endsAtMilliseconds
    }
}

/// The moment to which a photo belongs.
public struct MomentVerdict: Codable, Hashable, Sendable {
    /// The day of the moment.
    public let day: UInt32
    /// Whether the photo was added within the grace after the five minutes.
    public let isLate: Bool

    private enum CodingKeys: String, CodingKey {
        case day
        case isLate = "late"
    }

    public init(day: UInt32, isLate: Bool) {
        self.day = day
        self.isLate = isLate
    }
}

/// The values from which the minutes of the moments follow: a chain of hashes, of which guests learn each link when its
/// moment is over. A link proves itself: hashed as often as its day says, it gives the commitment, which guests have
/// from the beginning.
public struct MomentKeys: Equatable, Sendable {
    /// The length of the salt with which every body begins.
    public static let saltByteCount = 16
    /// The most days that an event lasts.
    public static let dayCountMax: UInt32 = 30

    /// The commitment, then the link of each day.
    private let links: [Bytes32]

    /// - Parameters:
    ///   - salt: the salt of the first charter's body. All nodes of the event have it, and guests do not.
    ///   - event: the event of the moments.
    public init(salt: [UInt8], event: EventID) {
        var parent = SecretBytes(copying: salt.span, in: .ordinary)
        var links: [Bytes32] = []
        for context in [Domain.Key.moment] + Array(repeating: Domain.Key.momentLink, count: Int(Self.dayCountMax)) {
            parent = KeyDerivation.key(from: parent, context: context, input: event.bytes)
            links.append(parent.withSpan { span in Bytes32((0..<span.count).map { span[$0] })! })  // 32 bytes
        }
        self.links = links.reversed()
    }

    public var commitment: Bytes32 { links[0] }

    /// Returns the link of a day in 1...`dayCountMax`; `nil` for another.
    public func link(of day: UInt32) -> Bytes32? { (1...Self.dayCountMax).contains(day) ? links[Int(day)] : nil }

    /// Returns which of so many minutes a day's moment begins with.
    func index(of day: UInt32, among count: Int) -> Int? {
        guard count > 0, let link = link(of: day) else { return nil }
        return Int(link.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % UInt64(count))
    }
}
