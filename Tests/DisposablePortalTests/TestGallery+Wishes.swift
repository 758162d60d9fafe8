// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Synchronization

/// Gifts, votes, veils, tickets, and the places on the plan.
extension TestGallery {
    func gifts(of guest: AuthorID, limit: Int) async throws -> GuestGifts {
        state.withLock { state in
            var gifts = state.gifts[guest, default: Self.noGifts]
            let others = state.names.filter { $0.key != guest }.sorted { $0.value < $1.value }
            gifts.people = others.prefix(limit).map { GuestGifts.Person(author: $0.key, name: $0.value, count: 2) }
            gifts.peopleCount = others.count
            return gifts
        }
    }

    func give(_ count: Int, to recipient: AuthorID, by guest: AuthorID, left: Int) async throws {
        try state.withLock { state in
            if let refusal = state.giftRefusal { throw Refusal.noGift(refusal) }
            var gifts = state.gifts[guest, default: Self.noGifts]
            guard gifts.left == left else { throw Refusal.noGift(.changed(left: gifts.left)) }
            gifts.left -= count
            gifts.given.append(GuestGifts.Person(author: recipient, name: state.names[recipient], count: count))
            state.gifts[guest] = gifts
        }
    }

    static let noGifts = GuestGifts(left: 3, received: [], given: [], people: [], peopleCount: 0)

    func vote(for viewer: AuthorID?) async throws -> PhotoVote? {
        state.withLock { state in
            var vote = state.vote
            vote?.hasVoted = viewer.map { state.votes[$0] != nil } ?? false
            return vote
        }
    }

    func vote(for photo: PhotoID?, in ballot: OperationID, by guest: AuthorID) async throws {
        try state.withLock { state in
            if let refusal = state.voteRefusal { throw Refusal.noVote(refusal) }
            guard let open = state.vote?.state, open.isOpen, open.ballot == ballot else {
                throw Refusal.noVote(.notOpen)
            }
            state.votes.updateValue(photo, forKey: guest)
        }
    }

    func voteState() async -> PhotoVote.State? { state.withLock { $0.vote?.state } }

    func areVeilsOn() async -> Bool { state.withLock { $0.veilRefusal != .off } }

    func setVeil(_ isOn: Bool, on photo: PhotoID, by guest: AuthorID) async throws {
        try state.withLock { state in
            guard let place = state.items.firstIndex(where: { $0.photo.id == photo && !$0.isRemoved }) else {
                throw Refusal.unknownPhoto(photo.short)
            }
            if isOn, let refusal = state.veilRefusal { throw Refusal.noVeil(refusal) }
            state.items[place].photo.state = isOn ? .veiled(1) : .frame(1)
        }
    }

    func veiledPhoto(_ id: PhotoID) async -> AlbumPhoto? {
        state.withLock { state in
            guard let item = state.items.first(where: { $0.photo.id == id && $0.photo.isVeiled }) else { return nil }
            return Self.blank(item.photo)
        }
    }

    static func blank(_ photo: AlbumPhoto) -> AlbumPhoto {
        AlbumPhoto(
            id: photo.id, author: photo.author, authorName: nil, state: photo.state,
            addedAtMilliseconds: photo.addedAtMilliseconds, takenAtMilliseconds: nil, width: 0, height: 0,
            mediaType: .other, byteCount: nil, available: [])
    }

    func photosWithVeiled(before cursor: PhotoID?, limit: Int, by author: AuthorID?) async throws -> PhotoPage {
        var page = try await photos(
            before: cursor, limit: limit, by: author, among: .all, for: nil, withVeiled: true)
        page.photos = page.photos.map { $0.isVeiled ? Self.blank($0) : $0 }
        return page
    }

    func pictures() async -> EventPictures { state.withLock { $0.pictures } }

    func planMap() async -> PlanMap? { state.withLock { $0.map } }

    func tile(_ name: TileName) async throws -> Tile? { state.withLock { $0.tiles[name] } }

    func pins(in box: SpotBox, by author: AuthorID?, added times: Range<UInt64>?, limit: Int) async throws -> PinPage {
        state.withLock { state in
            let pins = state.items.filter {
                !$0.isRemoved && (author == nil || $0.photo.author == author)
                    && times?.contains($0.photo.addedAtMilliseconds) != false
            }
                .compactMap { item in
                    item.photo.context.spot.map {
                        Pin(
                            photo: item.photo.id, author: item.photo.author, authorName: item.photo.authorName, spot: $0
                        )
                    }
                }.filter { box.contains($0.spot) }
            return PinPage(pins: Array(pins.prefix(limit)), totalCount: pins.count)
        }
    }

    func setSpot(_ spot: Spot?, on plan: PhotoID?, of photo: PhotoID, by guest: AuthorID) async throws {
        try state.withLock { state in
            guard try Self.item(photo, for: guest, in: state).photo.author == guest else {
                throw Refusal.notYours(photo)
            }
            guard spot == nil || plan == state.pictures.plan?.photo && plan != nil else { throw Refusal.otherPlan }
            guard let place = state.items.firstIndex(where: { $0.photo.id == photo }) else { return }
            state.items[place].photo.context.spot = spot
        }
    }

    func ticket(of guest: AuthorID) async throws -> GuestTicket {
        state.withLock { state in
            GuestTicket(isMissing: state.needsTicket && state.tickets[guest] == nil, number: state.tickets[guest])
        }
    }

    func use(ticket: String, by guest: AuthorID) async throws {
        try state.withLock { state in
            if let refusal = state.ticketRefusal { throw Refusal.noTicket(refusal) }
            state.tickets[guest] = 17
        }
    }
}
