// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// One event of a node, with its photos and guests, as the pages need it; implemented by the program and by tests.
///
/// Every call returns the present state. Errors that the guest can act on are `Refusal`; other errors are those of the
/// machine and are shown as such.
public protocol Gallery: Sendable {
    var event: EventID { get }
    /// The event's public key, from which the fingerprint words are derived.
    var eventKey: VerifyingKey { get }
    /// The token that opens the pages: the 16 bytes after `#` in the guests' link.
    var portalToken: SecretBytes { get }
    /// The code to type, eight characters of Crockford's base 32 in upper case.
    var portalCode: String { get }
    /// The codes that the wall shows, and the token of its link.
    var wallCode: WallCode { get }
    /// The tokens and codes that were replaced by these: on earlier print-outs.
    var replacedTokens: [SecretBytes] { get }
    var replacedCodes: [String] { get }
    /// The serving device, to which guests' keys delegate.
    var node: DeviceID { get }
    /// An existing folder of the event, readable by the node's owner only, where the portal keeps its sessions and the
    /// fragments of unfinished uploads. It is removed with the event.
    var folderPath: String { get }
    /// The node's key of 32 bytes for what the portal keeps there without a session. It is not in that folder.
    var folderKey: SecretBytes { get }

    /// `nil` until the event's charter is here.
    func charter() async -> Charter?
    /// Returns the photos that are still sealed; `nil` if photos are shown at once, or have been revealed.
    func sealed() async -> SealedPhotos?
    /// Returns the latest notice of an organizer; `nil` if there is none, or it was deleted.
    func notice() async -> LatestNotice?
    /// Returns what guests may know of the moments now; `nil` if the event has none.
    func moments() async -> MomentsNow?
    /// Returns the missions in the organizers' order.
    func missions(for viewer: AuthorID?) async -> [AnsweredMission]

    /// Other portals of the event, the most likely to be available first; at most eight.
    func otherPages() async -> [OtherPages]
    /// Returns the node's signature that it answers at `authority`, to the `challenge` of 32 bytes
    /// (protocol/guest-api.md §8); `nil` if it serves no guests beyond its own machine.
    func pageProof(_ challenge: [UInt8], at authority: String) async -> Signature?

    // Guests

    /// Returns the key with which this node signs for `guest`: always the same for the same guest.
    func subKey(of guest: AuthorID) async throws -> DeviceID
    /// Makes the sub-key a device of the event, unless it is one; durable when this returns. Before that nothing can be
    /// signed for the guest.
    /// - Parameter delegation: the guest's delegation to its sub-key here (`Delegation`), checked by the caller.
    func enter(_ guest: AuthorID, delegation: Delegation) async throws
    func guest(_ guest: AuthorID) async throws -> GuestStatus
    func setName(_ name: String, of guest: AuthorID) async throws
    /// Returns the consent text for adding photos; `nil` until the event's charter is here.
    func consent(of guest: AuthorID?) async -> GuestConsent?
    /// Signs the guest's consent to the text with this hash; durable when this returns. Throws `.otherConsentText` if
    /// that is not the present text.
    func consent(to text: OperationID, by guest: AuthorID) async throws
    /// Everything that is known here about the guest, but the files of the photos: a JSON text.
    /// - Parameter files: the names that those have beside it.
    func personalData(of guest: AuthorID, files: [PhotoID: String]) async throws -> [UInt8]
    /// Takes back all that the guest has given, here or at other nodes: photos, texts, reactions, names. On disk when
    /// this returns; the guest stays in the event.
    func eraseAll(of guest: AuthorID) async throws

    // Photos

    /// Returns the visible photos, newest first; with `author` that guest's only. If `viewer` is the author, its
    /// waiting ones are included, and deleted ones are not.
    /// - Parameters:
    ///   - cursor: `PhotoPage.next` of the previous page; `nil` for the newest.
    ///   - group: a part of everybody's photos, or all.
    func photos(
        before cursor: PhotoID?, limit: Int, by author: AuthorID?, among group: PhotoGroup, for viewer: AuthorID?
    ) async throws -> PhotoPage
    /// The number of visible photos that organizers have made highlights.
    func highlightCount() async -> Int
    /// Returns the authors of visible photos, the one with the most first, at most `limit` of them.
    func photographers(limit: Int) async throws -> PhotographerPage
    /// Returns the zones at which visible photos came in.
    func zoneCounts() async throws -> [ZoneCount]
    /// Returns the quarters of an hour in which visible photos were added, the latest first, at most `limit` of them;
    /// with `author` for that guest's photos only. If `viewer` is the author, its waiting ones are included.
    func photoQuarters(limit: Int, by author: AuthorID?, for viewer: AuthorID?) async throws -> [PhotoQuarter]
    /// A photo that `viewer` may see: a visible one, or its own that waits. Throws `Refusal.unknownPhoto`.
    func photo(_ id: PhotoID, for viewer: AuthorID?) async throws -> AlbumPhoto
    /// Returns the names of the other events to which photos belong, by the ids of those that are another event's,
    /// whose gallery is joined with this one.
    func origins(of photos: [PhotoID]) async -> [PhotoID: String]
    /// Returns the plaintext bytes of a photo that `viewer` may see. Throws `.unknownPhoto`, or `.notHere` while the
    /// node has not fetched them.
    func bytes(_ blobClass: BlobClass, of id: PhotoID, for viewer: AuthorID?) async throws -> PhotoBytes
    /// Throws `.notBegun` or `.over` where the guest can add no photo now.
    func checkTimes(of guest: AuthorID) async throws
    /// States the file as a photo of `guest` in its next free frame, and returns when that is on disk. The file is the
    /// caller's to delete, and its metadata may be overwritten in it. The same bytes by the same guest again are the
    /// photo that they were before, unless its removal is pending.
    ///
    /// Throws `.refusedFile` for what is no photo, `.refusedVideo`, `.metadataLeft`, `.rollFull`, `.notBegun`, `.over`,
    /// `.notAdmitted`.
    /// - Parameters:
    ///   - mission: the id of the mission that the photo answers.
    ///   - cameraAhead: the milliseconds by which the clock of the guest's camera is ahead; negative if it is behind.
    func add(fileAt path: String, by guest: AuthorID, mission: UInt32?, cameraAhead: Int64) async throws -> PhotoID
    /// Whether a photo that the guest adds now is shown to everybody at once.
    func showsAtOnce(photosBy guest: AuthorID) async throws -> Bool
    /// Makes the small pictures of a JPEG that a page has made of a photo. Throws `.refusedFile` for one that cannot be
    /// decoded, `.unavailable` if the node cannot do it now.
    func smallPictures(of jpeg: [UInt8]) async throws -> SmallPictures
    /// Removes the guest's own photo for everybody ten seconds later, also if the node stops or crashes before that;
    /// for a photo whose removal is pending already the time stays. On disk when this returns. Throws `.unknownPhoto`,
    /// `.notYours`, `.tooFast`, `.unavailable`.
    func remove(_ id: PhotoID, by guest: AuthorID) async throws -> PendingRemoval
    /// Undoes a removal. Returns false if none of the guest's is pending for the photo. On disk when this returns.
    func undoRemoval(of photo: PhotoID, by guest: AuthorID) async throws -> Bool
    /// Returns those of the photos whose removal is pending.
    func leaving(among photos: [PhotoID]) async -> Set<PhotoID>

    // Annotations; all calls throw `.unknownPhoto` for a photo that the guest may not see.

    /// Returns the newest comments, or those before `comment`; at most `limit` of them. Throws `.unknownComment`.
    func comments(
        on photo: PhotoID, before comment: OperationID?, limit: Int, for viewer: AuthorID?
    ) async throws -> CommentPage
    /// Durable when this returns. Throws `.malformedText`, `.tooManyComments`, `.tooFast`.
    func comment(_ text: String, on photo: PhotoID, by guest: AuthorID) async throws -> OperationID
    /// Throws `.unknownComment`, `.notYours`.
    func removeComment(_ id: OperationID, on photo: PhotoID, by guest: AuthorID) async throws
    /// Sets the caption of the guest's own photo, or deletes it with `nil`. On disk when this returns. Throws
    /// `.notYours`, `.malformedText`, `.notShownYet`, `.tooFast`.
    func setCaption(_ text: String?, of photo: PhotoID, by guest: AuthorID) async throws
    /// Returns the photos that are the event's cover and plan, if they are shown to all.
    func pictures() async -> EventPictures
    /// Returns the photos of a part of the plan that are shown to all, newest first, at most `limit` of them; with
    /// `author` that guest's only.
    func pins(in box: SpotBox, by author: AuthorID?, added times: Range<UInt64>?, limit: Int) async throws -> PinPage
    /// Returns the map of the present plan that this node serves; `nil` if it has none.
    func planMap() async -> PlanMap?
    /// Returns a tile of that map; `nil` if it has no such tile.
    func tile(_ name: TileName) async throws -> Tile?
    /// Puts the guest's own photo on the plan, or takes it off with `nil`. On disk when this returns. Throws `.notYours`,
    /// `.notShownYet`, `.tooFast`, and `.otherPlan` if `plan` is not the event's present one.
    func setSpot(_ spot: Spot?, on plan: PhotoID?, of photo: PhotoID, by guest: AuthorID) async throws
    /// - Parameter emoji: of `Remarks.emoji`. Nothing where it is so already. Throws `.tooFast`.
    func react(_ emoji: Unicode.Scalar, isOn: Bool, to photo: PhotoID, by guest: AuthorID) async throws
    /// Turns the guest's own photo when it is shown; nothing where it is so already. Throws `.notYours`, `.tooFast`.
    func setTurn(_ turn: PhotoTurn, of photo: PhotoID, by guest: AuthorID) async throws
    /// Returns the turns of those photos that their authors have turned.
    func turns(of photos: [PhotoID]) async throws -> [PhotoID: PhotoTurn]
    /// Sends the organizers a text that only they can read. Durable when this returns. Throws `.malformedText`,
    /// `.tooManyMessages`, `.tooFast`.
    func message(_ text: String, by guest: AuthorID) async throws -> OperationID
    /// Takes back a message of the guest's own. Durable when this returns. Throws `.unknownMessage`.
    func removeMessage(_ id: OperationID, by guest: AuthorID) async throws
    /// Returns the frames that the guest has given and received, and the possible recipients: at most `limit`.
    func gifts(of guest: AuthorID, limit: Int) async throws -> GuestGifts
    /// Gives frames of the guest's own to somebody else, for good. Durable when this returns. Throws `.noGift`.
    /// - Parameter left: how many the guest was told that it can give; refused where it is another number.
    func give(_ count: Int, to recipient: AuthorID, by guest: AuthorID, left: Int) async throws
    /// Returns the ticket of the guest.
    func ticket(of guest: AuthorID) async throws -> GuestTicket
    /// Uses a ticket for the guest: its text, or a link with it. Durable when this returns. Throws `.noTicket`.
    func use(ticket: String, by guest: AuthorID) async throws
    /// Returns the vote for the photo of the night, as `viewer` may see it; `nil` if there never was one.
    func vote(for viewer: AuthorID?) async throws -> PhotoVote?
    /// Votes for a photo of somebody else, or for none, in place of an earlier vote. Durable when this returns. Throws
    /// `.noVote`, `.unknownPhoto`, `.tooFast`.
    /// - Parameter ballot: the vote that the guest has seen.
    func vote(for photo: PhotoID?, in ballot: OperationID, by guest: AuthorID) async throws
    /// The vote and whether it is open; `nil` if there never was one.
    func voteState() async -> PhotoVote.State?
    /// Whether guests can have photos of others veiled.
    func areVeilsOn() async -> Bool
    /// Requests a veil for a photo of somebody else, or withdraws the request. The operation is on disk when this returns.
    /// A repeated call signs no operation. Throws `.noVeil`, `.tooFast`.
    func setVeil(_ isOn: Bool, on photo: PhotoID, by guest: AuthorID) async throws
    /// Returns a veiled photo without anything of it; `nil` if it is not veiled.
    func veiledPhoto(_ id: PhotoID) async -> AlbumPhoto?
    /// Returns the visible photos, with the veiled ones in their places, newest first; with `author` that guest's only.
    func photosWithVeiled(before cursor: PhotoID?, limit: Int, by author: AuthorID?) async throws -> PhotoPage
    /// Sets the mission that the guest's own photo answers; `nil` for none. Nothing where it is so already. Throws
    /// `.notYours`, `.unknownMission`, `.tooFast`.
    func setMission(_ id: UInt32?, of photo: PhotoID, by guest: AuthorID) async throws

    /// Returns the changes from now on, for one reader. The newest 1,024 are kept for a slow reader; one that finds a
    /// gap reloads everything.
    func updates() async -> any AsyncSequence<GalleryUpdate, Never> & Sendable
}

extension Gallery {
    /// Returns why the guest has no frame for one more photo.
    func fullRefusal(of guest: AuthorID, limit: UInt64) async throws -> Refusal {
        try await ticket(of: guest).isMissing ? .noTicket(.missing) : .rollFull(limit: limit)
    }

    /// Returns a page of all photos.
    func photos(
        before cursor: PhotoID?, limit: Int, by author: AuthorID?, for viewer: AuthorID?
    ) async throws -> PhotoPage {
        try await photos(before: cursor, limit: limit, by: author, among: .all, for: viewer)
    }
}
