// SPDX-License-Identifier: Apache-2.0

/// The choice of an instance name when others have or claim the present one (RFC 6762 §9): "NAME", "NAME #2" and so on,
/// after pauses that double.
///
/// Any host can claim every name. So after ``MDNSLimits/conflictCountMax`` conflicts the name contains 64 random bits,
/// which no other has by chance, and is kept despite any claim: publishing never ends.
package struct InstanceNaming: Sendable {
    package let requested: String
    package private(set) var current: String
    /// Whether the name is random.
    package private(set) var isAsserted = false
    private var number = 1
    private var conflictCount = 0
    private var conflictAt: UInt64 = 0

    /// After this time without a conflict the counter is reset.
    private static let memoryMilliseconds: UInt64 = 600_000
    private static let pauseMillisecondsMax: UInt64 = 64_000

    /// - Parameter name: 1 to 63 bytes.
    package init(_ name: String) {
        requested = name
        current = name
    }

    /// Handles a conflict.
    /// - Parameters:
    ///   - isTaken: whether another name is needed; if not, the same one is tried again.
    ///   - token: 64 random bits as text, for a unique name.
    /// - Returns: milliseconds to wait before the next attempt.
    package mutating func resolveConflict(isTaken: Bool, token: String, at now: UInt64) -> UInt64 {
        if now > conflictAt + Self.memoryMilliseconds { conflictCount = 0 }
        conflictAt = now
        conflictCount += 1
        isAsserted = isAsserted || conflictCount > MDNSLimits.conflictCountMax
        if isAsserted {
            current = named(" " + token)
        } else if isTaken {
            number += 1
            current = named(" #\(number)")
        }
        guard conflictCount > 1 else { return 0 }
        return min(250 << UInt64(min(conflictCount - 1, 16)), Self.pauseMillisecondsMax)
    }

    /// Returns the longest prefix of the requested name, in whole characters, that leaves room for `suffix`.
    private func named(_ suffix: String) -> String {
        var name = requested
        while name.utf8.count + suffix.utf8.count > DomainName.labelByteCountMax { name.removeLast() }
        return name + suffix
    }
}
