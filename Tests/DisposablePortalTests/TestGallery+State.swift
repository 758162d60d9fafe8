// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Synchronization

extension TestGallery {
    struct Item: Sendable {
        var photo: AlbumPhoto
        var bytes: [BlobClass: [UInt8]]
        var isRemoved = false
    }

    struct Message: Sendable {
        let id: OperationID
        let author: AuthorID
        let text: String
    }

    struct State: Sendable {
        var charter: Charter?
        var sealed: SealedPhotos?
        /// The error that refuses photos because of the time.
        var untimely: Refusal?
        var notice: LatestNotice?
        var pictures = EventPictures()
        var map: PlanMap?
        var tiles: [TileName: Tile] = [:]
        var moments: MomentsNow?
        var others: [OtherPages] = []
        /// Whether the node lacks the role *page*.
        var servesNobody = false
        /// The names of the other events of photos, where galleries are joined.
        var origins: [PhotoID: String] = [:]
        /// Why no photo is veiled; `nil` if guests can.
        var veilRefusal: VeilRefusal? = .off
        var items: [Item] = []  // newest first
        var names: [AuthorID: String] = [:]
        /// The texts to which each guest agreed; `nil` if everybody agreed to all.
        var consents: [AuthorID: Set<OperationID>]?
        var comments: [PhotoID: [PhotoComment]] = [:]
        /// The frames that guests have given.
        var gifts: [AuthorID: GuestGifts] = [:]
        var giftRefusal: GiftRefusal?
        /// The vote for the photo of the night, and each guest's own.
        var vote: PhotoVote?
        var voteRefusal: VoteRefusal?
        var votes: [AuthorID: PhotoID?] = [:]
        var needsTicket = false
        /// The numbers of the guests' tickets.
        var tickets: [AuthorID: UInt64] = [:]
        var ticketRefusal: TicketRefusal?
        /// Messages to the organizers, oldest first.
        var messages: [Message] = []
        /// The limit of a guest's messages.
        var messageLimit = 50
        var entered: [AuthorID: Delegation] = [:]
        /// Photos whose removal is pending, with their guests.
        var leaving: [PhotoID: AuthorID] = [:]
        var removalRefusal: Refusal?
        var removals: [PhotoID] = []
        /// Whether comments wait for `release`.
        var holdsStatements = false
        var heldStatements: [CheckedContinuation<Void, Never>] = []
        /// The limit of a guest's photos.
        var frameLimit: UInt64? = 27
        var unavailable: String?
        var readers: [AsyncStream<GalleryUpdate>.Continuation] = []
        var adding = Adding()
        /// The offset from which the bytes of a photo are missing.
        var vanishing: [PhotoID: UInt64] = [:]
        var readCount = 0

        mutating func noteRemarks(on photo: PhotoID) {
            guard let place = items.firstIndex(where: { $0.photo.id == photo }) else { return }
            items[place].photo.commentCount = comments[photo]?.count ?? 0
        }
    }

    /// The behaviour of `add`, and a record of its calls.
    struct Adding: Sendable {
        /// Errors of the next calls, thrown before anything is added.
        var refusals: [Refusal] = []
        /// The number of the next calls that stop after the photo is added, as a machine may.
        var stopCount = 0
        var delay: Duration = .zero
        /// The number of calls that have to run at once before any of them continues.
        var togetherCount = 1
        var count = 0
        var underWayCount = 0
        var atOnceMax = 0
        var paths: [String] = []
        var camerasAhead: [Int64] = []
        var permissions: [Int?] = []
        /// Whether the files stay open after they were added, in `openFiles`.
        var keepsFilesOpen = false
        var openFiles: [Int32] = []
    }
}
