// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync

/// The event's view of the disk: its free space and its errors.
struct EventDisk {
    /// The present level of free space.
    var space = DiskSpace.plenty
    /// Whether the disk has room for blobs.
    var hasRoom: Bool { space == .plenty }
    /// The reason why the last operations could not be stored.
    var storageFailure: StoreError?
    /// Corrupt blobs that are being examined.
    var takingBack: Set<BlobRoot> = []
}
