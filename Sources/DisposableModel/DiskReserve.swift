// SPDX-License-Identifier: Apache-2.0

/// The space that a node leaves free on every volume to which it writes photos: for the machine, which misbehaves
/// without, and for operations, which are small and are stored until a quarter of it is left (§8.4).
public enum DiskReserve {
    /// Returns 1 GiB; on a volume below 50 GiB 2 % of it, but at least 16 MiB or an eighth.
    /// - Parameter byteCount: the size of the volume.
    public static func byteCount(ofVolumeHolding byteCount: UInt64) -> UInt64 {
        min(1 << 30, max(byteCount / 50, min(16 << 20, byteCount / 8)))
    }

    /// Returns the limit in bytes for the originals of one sponsor tree that is not established. `nil`, no limit, while
    /// at least half of the volume is free; otherwise the larger of 1 GiB and an eighth of the volume
    /// (protocol/disposable-v1.md §11.4).
    public static func originalsPerTree(freeByteCount: UInt64, volumeByteCount: UInt64) -> UInt64? {
        freeByteCount >= volumeByteCount / 2 ? nil : max(1 << 30, volumeByteCount / 8)
    }
}
