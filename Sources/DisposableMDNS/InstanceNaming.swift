// SPDX-License-Identifier: Apache-2.0

/// The name to publish under when others have it or claim to have it (RFC 6762 §9): "NAME", "NAME #2" and so on, after
/// pauses that double.
///
/// A stranger can claim every name. So after ``MDNSLimits/conflictCountMax`` conflicts the name has 64 random bits in it,
/// which nobody else has by chance, and may be kept whatever is claimed: publishing never ends.
package struct InstanceNaming: Sendable {
    package let requested: String
    package private(set) var current: String
    /// Whether the name is random.
    package private(set) var isAsserted = false
    private var number = 1
    private var conflictCount = 0
    private var conflictAt: UInt64 = 0

    /// After so long without a conflict it is as if there had been none.
    private static let memoryMilliseconds: UInt64 = 600_000
    private static let pauseMillisecondsMax: UInt64 = 64_000

    /// - Parameter name: 1 to 63 bytes.
    package init(_ name: String) {
        requested = name
        current = name
    }

    /// Chooses what to do about a conflict.
    /// - Parameters:
    ///   - isTaken: whether another name is needed; if not, the same one is tried again.
    ///   - token: 64 random bits as text, for a name that is nobody else's.
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

    /// The longest beginning of the requested name, in whole characters, that leaves room for `suffix`.
    private func named(_ suffix: String) -> String {
        var name = requested
        while name.utf8.count + suffix.utf8.count > DomainName.labelByteCountMax { name.removeLast() }
        return name + suffix
    }
}
