// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// What a node fetches of a photo without being asked (protocol/disposable-v1.md §11.4).
enum Interest {
    /// The photo counts for nothing.
    case none
    /// Nobody is shown the photo at present, and as many others of its sponsor tree are fetched already.
    case thumbnail
    case all
}

/// Which blobs are left out, and what is counted to decide that. Each node decides by itself: no set and no rule of the
/// fold depends on it.
struct BlobInterest {
    /// Photos of which some blob of a kept class is neither here nor wanted.
    var setAside: Set<PhotoID> = []
    /// Photos about which something is described in the present batch.
    var undecided: OrderedSet<PhotoID> = []
    /// The chunks that the store has of blobs that are not wanted yet.
    var parts: [BlobID: (present: ChunkBitmap, hashes: [Bytes32])] = [:]
    /// Photos beyond their rolls that this node fetches, with the devices that stated them.
    var unshown: [PhotoID: DeviceID] = [:]
    /// How many these are.
    var unshownByTree = SponsorTrees()
    /// Photos that were fetched because they hold a frame that more than one claim was made to: an author may move a
    /// frame from photo to photo without end.
    var contestedFrames: [RollFrame: Set<PhotoID>] = [:]
    /// Originals that are here or wanted, with the devices that described them. Not those of this node and its guests.
    var originals: [BlobID: DeviceID] = [:]
    /// Their bytes.
    var originalBytesByTree = SponsorTrees()
    /// When all decisions are made again, and when they were.
    var reviewDueAt: UInt64?
    var reviewedAt: UInt64?
    /// Whether photos may count for nothing that counted when their blobs were wanted.
    var mayBeVoid = false

    /// Whether a photo that holds such a frame is fetched.
    mutating func takesContested(_ frame: RollFrame, by photo: PhotoID) -> Bool {
        let photos = contestedFrames[frame] ?? []
        guard !photos.contains(photo) else { return true }
        guard photos.count < Limits.contestedFramePhotosMax else { return false }
        contestedFrames[frame] = photos.union([photo])
        return true
    }

    mutating func standingChanged() {
        unshownByTree.standingChanged()
        originalBytesByTree.standingChanged()
    }
}

/// A frame of somebody's roll.
struct RollFrame: Hashable {
    let author: AuthorID
    let slot: UInt64
}
