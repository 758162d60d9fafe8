// SPDX-License-Identifier: Apache-2.0

/// The earliest plausible time, for acts that cannot be undone: one machine's clock may be wrong by years
/// (protocol/disposable-v1.md §11.2.1).
///
/// 1. Organizers' devices suffice: the earliest of their wall clocks counts. A device that is an organizer's itself
///    counts its own, unless it has two or more peers and differs from their median by more than the tolerance.
/// 2. Without one, two devices with a role from an organizer suffice: the second latest of their clocks counts.
/// 3. Without these, the time is unknown, and nothing is done.
public enum CorroboratedClock {
    /// The largest difference between clocks that agree: ten minutes.
    public static let toleranceMilliseconds: UInt64 = 600_000

    public enum Standing: Equatable, Sendable {
        case organizer
        /// With a role that an organizer gave.
        case granted
        case member
    }

    /// A peer with its current wall-clock time, in milliseconds since 1970 UTC, as it has signed for this connection.
    public struct Witness: Equatable, Sendable {
        public let standing: Standing
        public let milliseconds: UInt64

        public init(standing: Standing, milliseconds: UInt64) {
            self.standing = standing
            self.milliseconds = milliseconds
        }
    }

    /// - Parameters:
    ///   - own: this machine's wall clock, in milliseconds since 1970 UTC.
    ///   - standing: this device's standing.
    ///   - witnesses: the clocks of other devices.
    public static func time(own: UInt64, standing: Standing, witnesses: [Witness]) -> UInt64? {
        var organizers = witnesses.filter { $0.standing == .organizer }.map(\.milliseconds)
        if standing == .organizer, agrees(own, with: witnesses.map(\.milliseconds)) { organizers.append(own) }
        if let earliest = organizers.min() { return earliest }
        return witnesses.filter { $0.standing != .member }.map(\.milliseconds).sorted().dropLast().last
    }

    private static func agrees(_ own: UInt64, with others: [UInt64]) -> Bool {
        // One wrong clock must not stop the host.
        guard others.count > 1 else { return true }
        let median = others.sorted()[(others.count - 1) / 2]
        return max(own, median) - min(own, median) <= toleranceMilliseconds
    }
}
