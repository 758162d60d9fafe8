// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSystem

/// The free space on the volume of a path.
public struct DiskRoom: Equatable, Sendable {
    public let path: String
    /// Without the space that is reserved for the administrator.
    public let freeByteCount: UInt64
    /// The space that is kept free (`DiskReserve`).
    public let reserveByteCount: UInt64
    /// The size of the volume.
    public let volumeByteCount: UInt64

    /// Throws `StoreError.file` if the volume cannot be examined.
    public init(at path: String) throws(StoreError) {
        let volume = try StoreFileSystem.volume(of: path)
        self.path = path
        freeByteCount = volume.freeByteCount
        volumeByteCount = volume.byteCount
        reserveByteCount = DiskReserve.byteCount(ofVolumeHolding: volumeByteCount)
    }

    /// The limit in bytes for the originals of one sponsor tree (`DiskReserve`).
    public var originalsPerTree: UInt64? {
        DiskReserve.originalsPerTree(freeByteCount: freeByteCount, volumeByteCount: volumeByteCount)
    }

    /// Throws `StoreError.belowReserve` unless `byteCount` bytes more leave a quarter of the reserve free.
    public func checkForOperations(_ byteCount: UInt64) throws(StoreError) {
        guard freeByteCount >= reserveByteCount / 4 + byteCount else {
            throw .belowReserve(path: path, freeByteCount: freeByteCount, reserveByteCount: reserveByteCount)
        }
    }

    /// Throws `StoreError.belowReserve` unless `byteCount` bytes more leave the reserve free.
    public func check(for byteCount: UInt64 = 0) throws(StoreError) {
        guard freeByteCount >= reserveByteCount + byteCount else {
            throw .belowReserve(path: path, freeByteCount: freeByteCount, reserveByteCount: reserveByteCount)
        }
    }
}
