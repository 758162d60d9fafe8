// SPDX-License-Identifier: Apache-2.0

/// How much of its reserve a node's disk has left, in steps: what costs most and is needed least is given up first.
public enum DiskSpace: Int, Comparable, Sendable {
    /// Less than a quarter of the reserve: of others' operations only those of moderators and organizers are taken.
    case noOperations
    /// Less than half: operations of others come without the bodies that the fold does not read.
    case noBodies
    /// Less than the reserve: no blobs are asked for.
    case noBlobs
    case plenty

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// - Parameters:
    ///   - freeByteCount: what the volume has free.
    ///   - reserveByteCount: what is to be kept free of it.
    ///   - now: the level so far: a higher one takes an eighth of the reserve more, so that it does not come and go.
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
