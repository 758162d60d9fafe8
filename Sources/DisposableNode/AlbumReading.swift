// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync

/// Cached results of gallery queries, since every page needs them.
struct AlbumReading {
    /// The photos that are shown to all, oldest first, and the number of sealed photos in addition.
    var gallery: (visible: [Photo], sealedCount: Int)?
    /// The same including hidden ones.
    var sheet: [Photo]?
    /// The photos of each moment that are shown to all.
    var moments: [UInt32: MomentGroup]?
    /// The photos of each mission that are shown to all.
    var missions: [UInt32: [Photo]]?
    /// The photos on the plan that are shown to all, oldest first.
    var placed: [PlacedPhoto]?
    /// The highlights that are shown to all, oldest first.
    var highlights: [Photo]?
    /// The photos that are shown to all, with the veiled ones in their places.
    var withVeiled: [Photo]?
    /// The result of the event's vote, `nil` while it is open, and the number of authors with a vote.
    var vote: (result: VoteResult?, voterCount: Int)?
    /// The sizes of photos' originals, by the operations that describe them; these never change.
    var originalByteCounts: [OperationID: UInt64] = [:]
    var mailbox = Mailbox()
    /// The people who can receive frames, for a while.
    var recipients: (people: [GuestGifts.Person], until: ContinuousClock.Instant)?
    /// The pace at which removed members with the current secret are looked for.
    var outcasts = PacedAction()
    var loneWork = KeyedLocks<LoneWork>()

    /// The last card that this node has signed.
    var card: SignedCard?
    /// The activity of the hour before a time, in milliseconds since 1970 UTC.
    var activity: (before: UInt64, counted: RecentActivity)?

    mutating func forgetChanged() {
        (gallery, sheet, moments, missions, placed) = (nil, nil, nil, nil, nil)
        (highlights, withVeiled, vote) = (nil, nil, nil)
    }
}

/// The photos of one moment.
struct MomentGroup {
    /// Oldest first.
    var photos: [Photo] = []
    var lateCount = 0
}

/// A photo with its place on the plan.
struct PlacedPhoto {
    let photo: Photo
    let spot: Spot
}

/// Work for guests that is done once at a time.
enum LoneWork: Hashable {
    case adding(BlobID, by: AuthorID)
    case collectingPersonalData
}
