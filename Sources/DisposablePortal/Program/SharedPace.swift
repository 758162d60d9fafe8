// SPDX-License-Identifier: Apache-2.0

/// A rate that all answers of a kind share. Each waits for its turn before it sends its next part, so that answers that
/// take long leave the rest of the network to others, however many they are. Pure.
package struct SharedPace: Sendable {
    private let bytesPerSecond: Int
    /// The end of the last turn.
    private var freeAt: ContinuousClock.Instant?

    /// - Parameter bytesPerSecond: at least 1.
    package init(bytesPerSecond: Int) { self.bytesPerSecond = bytesPerSecond }

    /// Returns the time at which a part may be sent: at once after a pause, or else when the parts before it have had
    /// their time. Turns that were not used cannot be saved up.
    package mutating func turn(byteCount: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let start = max(freeAt ?? now, now)
        freeAt = start + Duration.seconds(1) * byteCount / bytesPerSecond
        return start
    }
}
