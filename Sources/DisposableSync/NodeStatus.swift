// SPDX-License-Identifier: Apache-2.0

/// The condition of this node, as its machine and its owner determine it, and what was reported about it.
struct NodeStatus {
    /// The port of the listener, for peers to dial.
    var listenPort: UInt16
    var diskSpace = DiskSpace.plenty
    /// Whether the store has lost operations, some of which may be this device's own.
    var mustReconcile: Bool
    /// Whether this device's join has counted.
    var wasAdmitted = false
    /// From here on every connection is refused, and nothing is due.
    var isStopping = false
    var notices = Notices()
    /// The bytes of all connections, including closed ones.
    var traffic = Traffic()
    var chunkTraffic = ChunkTraffic()

    /// Whether operations of others are stored at all; those of organizers always are.
    var storesOperations: Bool { diskSpace > .noOperations }
    /// Whether bodies that the fold does not read are stored.
    var storesBodies: Bool { diskSpace >= .noBlobs }
}
