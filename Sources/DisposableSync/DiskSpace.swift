// SPDX-License-Identifier: Apache-2.0

/// The free part of the reserve of a node's disk, in steps: the node first gives up what costs most and is needed
/// least.
public enum DiskSpace: Int, Comparable, Sendable {
    /// Less than a quarter of the reserve: of other devices' operations only those of moderators and organizers are
    /// accepted.
    case noOperations
    /// Less than half: operations of other devices are stored without the bodies that the fold does not read.
    case noBodies
    /// Less than the reserve: no blobs are requested.
    case noBlobs
    case plenty

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// - Parameters:
    ///   - freeByteCount: the free bytes of the volume.
    ///   - reserveByteCount: the bytes to keep free.
    ///   - now: the present level: a higher one requires an eighth of the reserve more, as hysteresis.
    public init(freeByteCount: UInt64, reserveByteCount: UInt64, now: DiskSpace) {
        func level(_ free: UInt64) -> DiskSpace {
            if free >= reserveByteCount { return .plenty }
            if free >= reserveByteCount / 2 { return .noBlobs }
            return free >= reserveByteCount / 4 ? .noBodies : .noOperations
        }
        let margin = reserveByteCount / 8
        self = min(level(freeByteCount), max(now, level(freeByteCount > margin ? freeByteCount - margin : 0)))
    }
}
