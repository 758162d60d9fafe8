// SPDX-License-Identifier: Apache-2.0

/// What a node leaves free on every volume that it writes photos to: for the machine, which does strange things
/// without, and for operations, which are small and go on being kept down to a quarter of it (§8.4).
public enum DiskReserve {
    /// 1 GiB; on a volume below 50 GiB 2 % of it, but 16 MiB or an eighth.
    /// - Parameter byteCount: all that the volume holds.
    public static func byteCount(ofVolumeHolding byteCount: UInt64) -> UInt64 {
        min(1 << 30, max(byteCount / 50, min(16 << 20, byteCount / 8)))
    }

    /// The limit in bytes for the originals of one sponsor tree that is not established. `nil`, no limit, while at least
    /// half of the volume is free; otherwise the larger of 1 GiB and an eighth of the volume
    /// (protocol/disposable-v1.md §11.4).
    public static func originalsPerTree(freeByteCount: UInt64, volumeByteCount: UInt64) -> UInt64? {
        freeByteCount >= volumeByteCount / 2 ? nil : max(1 << 30, volumeByteCount / 8)
    }
}
