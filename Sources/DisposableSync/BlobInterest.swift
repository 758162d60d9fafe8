// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The part of a photo that a node fetches without a request (protocol/disposable-v1.md §11.4).
enum Interest {
    /// The photo does not count.
    case none
    /// The photo is not shown at present, and the share of its sponsor tree is used up.
    case thumbnail
    case all
}

/// The blobs that are not fetched, and the counters for that decision. Each node decides by itself: no set and no rule
/// of the fold depends on it.
struct BlobInterest {
    /// The classes of blobs that this node fetches without a request.
    let classes: Set<BlobClass>
    /// Photos with a blob of a kept class that is neither here nor wanted.
    var setAside: Set<PhotoID> = []
    /// Photos that the present batch describes.
    var undecided: OrderedSet<PhotoID> = []
    /// The stored chunks of blobs that are not wanted yet.
    var parts: [BlobID: (present: ChunkBitmap, hashes: [Bytes32])] = [:]
    /// Photos beyond their quotas that this node fetches, with their devices.
    var unshown: [PhotoID: DeviceID] = [:]
    /// The number of these photos in each tree.
    var unshownByTree = SponsorTrees()
    /// Photos that were fetched because they hold a frame with more than one claim: an author may move a frame from
    /// photo to photo without end.
    var contestedFrames: [RollFrame: Set<PhotoID>] = [:]
    /// Originals that are here or wanted, with the devices that described them, without those of this node and its
    /// guests.
    var originals: [BlobID: DeviceID] = [:]
    /// The bytes of these originals in each tree.
    var originalBytesByTree = SponsorTrees()
    /// The limit in bytes of each tree that is not established, `nil` for no limit.
    var originalsPerTree: UInt64?
    /// The review of all decisions. A request during one is part of it.
    var review = PacedAction()
    var pendingOriginals = PendingOriginals()
    /// Whether photos may have become void since their blobs were wanted.
    var mayBeVoid = false

    init(classes: Set<BlobClass>, originalsPerTree: UInt64?) {
        self.classes = classes
        self.originalsPerTree = originalsPerTree
    }

    /// Whether to fetch a photo that holds such a frame.
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

/// A frame of an author's quota.
struct RollFrame: Hashable {
    let author: AuthorID
    let slot: UInt64
}
