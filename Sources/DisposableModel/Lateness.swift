// SPDX-License-Identifier: Apache-2.0

/// The time after the end of an event during which photos are accepted.
public struct Lateness: Hashable, Sendable {
    public static let minutesMax: UInt32 = 43_200

    /// 0...`minutesMax`; 0 for photos until the end only.
    public var minutes: UInt32

    public init(minutes: UInt32) { self.minutes = minutes }

    /// The number in the message: 0 for photos of any time, otherwise one more than the minutes.
    public static func number(_ lateness: Lateness?) -> UInt32 { lateness.map { $0.minutes &+ 1 } ?? 0 }

    public init?(number: UInt32) {
        guard number > 0 else { return nil }
        minutes = number - 1
    }
}

/// The reason why a photo of some time does not count.
public enum Untimeliness: String, Equatable, Sendable {
    /// Before the start, or before the event was opened.
    case early
    /// After the end and the time for late photos.
    case late
}
