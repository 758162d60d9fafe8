// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableNode
import DisposablePortal
import DisposableSync

/// One event of a node for its pages: the adapter between node and portal.
struct NodeGallery: Gallery {
    private let host: Node
    let event: EventID
    private let hosting: EventNode.Hosting

    init(node: Node, event: EventID) async throws {
        host = node
        self.event = event
        hosting = try await host.event(event).hosting()
    }

    /// The event at present: a database that is rebuilt gets another one.
    private var served: EventNode {
        get async throws { try await host.event(event) }
    }

    var eventKey: VerifyingKey { hosting.eventKey }
    var portalToken: SecretBytes { hosting.links.current.token }
    var portalCode: String { hosting.links.current.code }
    var replacedTokens: [SecretBytes] { hosting.links.replaced.map(\.token) }
    var replacedCodes: [String] { hosting.links.replaced.map(\.code) }
    var node: DeviceID { hosting.device }
    var folderPath: String { hosting.folderPath }
    var folderKey: SecretBytes { hosting.folderKey }

    func charter() async -> Charter? { await (try? served)?.charter }

    func notice() async -> PortalNotice? {
        await (try? served)?.latestNotice.map {
            PortalNotice(id: $0.id.description, text: $0.text, saidAtMilliseconds: $0.saidAtMilliseconds)
        }
    }

    func moments() async -> PortalMoments? {
        guard let now = await (try? served)?.momentsNow else { return nil }
        func entry(_ entry: EventNode.MomentsNow.Entry) -> PortalMoments.Entry {
            PortalMoments.Entry(
                moment: entry.moment, link: entry.link, photoCount: entry.photoCount, lateCount: entry.lateCount)
        }
        return PortalMoments(
            hours: now.hours, commitment: now.commitment, isClockSet: now.isClockSet, running: now.running.map(entry),
            past: now.past.map(entry), milliseconds: now.milliseconds)
    }

    func missions(for viewer: AuthorID?) async -> [PortalMission] {
        (await (try? served)?.missions(for: viewer) ?? []).map {
            PortalMission(
                mission: $0.mission, photoCount: $0.photoCount, isAnswered: $0.isAnswered, examples: $0.examples)
        }
    }

    func sealed() async -> SealedPhotos? {
        guard let sealed = await (try? served)?.sealed else { return nil }
        return SealedPhotos(
            count: sealed.count, revealsAtMilliseconds: sealed.revealsAtMilliseconds,
            isForOrganizers: sealed.isForOrganizers)
    }

    func otherPages() async -> [OtherPages] {
        (await (try? served)?.otherPages ?? []).map {
            OtherPages(node: $0.device, name: $0.name, authorities: $0.addresses.map(\.description))
        }
    }

    func pageProof(_ challenge: [UInt8], at authority: String) async -> Signature? {
        await (try? served)?.pageProof(challenge, at: authority)
    }

    // Guests

    func subKey(of guest: AuthorID) async throws -> DeviceID { try await served.subKeyID(of: guest) }

    func enter(_ guest: AuthorID, delegation: Delegation) async throws {
        try await translated { try await served.enter(delegation) }
    }

    func guest(_ guest: AuthorID) async throws -> GuestStatus {
        let known = try await served.guest(guest)
        return GuestStatus(
            hasEntered: known.hasEntered, isRemoved: known.isRemoved, name: known.name,
            usedFrameCount: known.usedFrameCount, frameLimit: known.frameLimit)
    }

    func setName(_ name: String, of guest: AuthorID) async throws {
        try await translated { try await served.setName(name, of: guest) }
    }

    func consent(of guest: AuthorID?) async -> PortalConsent? {
        await (try? served)?.consent(of: guest).map { PortalConsent(text: $0.text, isGiven: $0.isGiven) }
    }

    func consent(to text: OperationID, by guest: AuthorID) async throws {
        try await translated { try await served.consent(to: text, by: guest) }
    }

    func personalData(of guest: AuthorID, files: [PhotoID: String]) async throws -> [UInt8] {
        try await translated { try await served.personalData(of: guest, files: files) }
    }

    func eraseAll(of guest: AuthorID) async throws {
        try await translated { try await served.eraseAll(of: guest) }
    }

    // Photos

    func photos(
        before cursor: PhotoCursor?, limit: Int, by author: AuthorID?, onlyHighlights: Bool, momentOf day: UInt32?,
        answering mission: UInt32?, for viewer: AuthorID?
    ) async throws -> PhotoPage {
        try await translated {
            let page = try await served.page(
                before: cursor?.photo, limit: limit, by: author, onlyHighlights: onlyHighlights, momentOf: day,
                answering: mission, for: viewer)
            return PhotoPage(page)
        }
    }

    func highlightCount() async -> Int { await (try? served)?.highlightCount ?? 0 }

    func photographers(limit: Int) async throws -> PhotographerPage {
        let counts = try await served.photographers(limit: limit)
        return PhotographerPage(
            photographers: counts.first.map {
                Photographer(author: $0.author, name: $0.name, photoCount: $0.photoCount)
            }, totalCount: counts.totalCount)
    }

    func photoQuarters(limit: Int, by author: AuthorID?, for viewer: AuthorID?) async throws -> [PhotoQuarter] {
        try await served.photoQuarters(limit: limit, by: author, for: viewer).map {
            PhotoQuarter(number: $0.number, count: $0.count, example: $0.example)
        }
    }

    func photo(_ id: PhotoID, for viewer: AuthorID?) async throws -> PortalPhoto {
        try await translated { PortalPhoto(try await served.albumPhoto(id, for: viewer)) }
    }

    func bytes(_ blobClass: BlobClass, of id: PhotoID, for viewer: AuthorID?) async throws -> PhotoBytes {
        try await translated {
            let photo = try await served.albumPhoto(id, for: viewer)
            guard let reader = try await served.reader(blobClass, of: photo) else { throw Refusal.notHere }
            // This node makes thumbnails and previews as JPEG, whatever the type of the original.
            let mediaType = blobClass == .original ? PortalPhoto(photo).mediaType : .jpeg
            return PhotoBytes(byteCount: reader.byteCount, mediaType: mediaType) { try reader.read($0) }
        }
    }

    func checkTimes(of guest: AuthorID) async throws {
        try await translated { try await served.checkTimes(of: guest) }
    }

    func add(
        fileAt path: String, by guest: AuthorID, mission: UInt32?, except leaving: @Sendable () async -> Set<PhotoID>
    ) async throws -> PhotoID {
        try await translated { try await served.add(fileAt: path, by: guest, mission: mission, except: leaving) }
    }

    func showsAtOnce(photosBy guest: AuthorID) async throws -> Bool {
        try await served.showsAtOnce(photosBy: guest)
    }

    func smallPictures(of jpeg: [UInt8]) async throws -> SmallPictures {
        try await translated {
            let pictures = try await served.smallPictures(of: jpeg)
            return SmallPictures(
                width: pictures.width, height: pictures.height, thumbnail: pictures.thumbnail, preview: pictures.preview
            )
        }
    }

    func remove(_ id: PhotoID, by guest: AuthorID) async throws {
        try await translated { try await served.remove(id, by: guest) }
    }

    // Remarks

    func comments(
        on photo: PhotoID, before comment: OperationID?, limit: Int, for viewer: AuthorID?
    ) async throws -> CommentPage {
        try await translated {
            let page = try await served.comments(on: photo, before: comment, limit: limit, for: viewer)
            return CommentPage(
                comments: page.comments.map {
                    PortalComment(
                        id: $0.id, author: $0.author, authorName: $0.authorName,
                        saidAtMilliseconds: $0.saidAtMilliseconds, text: $0.text)
                }, earlierCount: page.earlierCount)
        }
    }

    func comment(_ text: String, on photo: PhotoID, by guest: AuthorID) async throws -> OperationID {
        try await translated { try await served.comment(text, on: photo, by: guest) }
    }

    func removeComment(_ id: OperationID, on photo: PhotoID, by guest: AuthorID) async throws {
        try await translated { try await served.removeComment(id, on: photo, by: guest) }
    }

    func setCaption(_ text: String?, of photo: PhotoID, by guest: AuthorID) async throws {
        try await translated { try await served.setCaption(text, of: photo, by: guest) }
    }

    func react(_ emoji: Unicode.Scalar, isOn: Bool, to photo: PhotoID, by guest: AuthorID) async throws {
        try await translated { try await served.react(emoji, isOn: isOn, to: photo, by: guest) }
    }

    func setMission(_ id: UInt32?, of photo: PhotoID, by guest: AuthorID) async throws {
        try await translated { try await served.setMission(id, of: photo, by: guest) }
    }

    func turns(of photos: [PhotoID]) async throws -> [PhotoID: PhotoTurn] { await (try served).turns(of: photos) }

    func setTurn(_ turn: PhotoTurn, of photo: PhotoID, by guest: AuthorID) async throws {
        try await translated { try await served.setTurn(turn, of: photo, by: guest) }
    }

    func message(_ text: String, by guest: AuthorID) async throws -> OperationID {
        try await translated { try await served.message(text, by: guest) }
    }

    func removeMessage(_ id: OperationID, by guest: AuthorID) async throws {
        try await translated { try await served.removeMessage(id, by: guest) }
    }

    func gifts(of guest: AuthorID, limit: Int) async throws -> PortalGifts {
        let gifts = try await served.gifts(of: guest, limit: limit)
        func people(_ people: [EventNode.GiftPerson]) -> [PortalGifts.Person] {
            people.map { PortalGifts.Person(author: $0.author, name: $0.name, count: $0.count) }
        }
        return PortalGifts(
            left: gifts.left, received: people(gifts.received), given: people(gifts.given),
            people: people(gifts.people), peopleCount: gifts.peopleCount)
    }

    func give(_ count: Int, to recipient: AuthorID, by guest: AuthorID, left: Int) async throws {
        try await translated { try await served.give(count, to: recipient, by: guest, left: left) }
    }

    func vote(for viewer: AuthorID?) async throws -> PortalVote? {
        try await served.vote(seenBy: viewer).map(PortalVote.init)
    }

    func vote(for photo: PhotoID?, in ballot: OperationID, by guest: AuthorID) async throws {
        try await translated { try await served.vote(for: photo, in: ballot, by: guest) }
    }

    func voteState() async -> PortalVote.State? {
        await (try? served)?.voteState.map { PortalVote.State(ballot: $0.ballot, isOpen: $0.isOpen) }
    }

    func areVeilsOn() async -> Bool { await (try? served)?.areVeilsOn ?? false }

    func setVeil(_ isOn: Bool, on photo: PhotoID, by guest: AuthorID) async throws {
        try await translated { try await served.setVeil(isOn, on: photo, by: guest) }
    }

    func veiledPhoto(_ id: PhotoID) async -> PortalPhoto? {
        await (try? served)?.veiledPhoto(id).map(PortalPhoto.init)
    }

    func photosWithVeiled(before cursor: PhotoCursor?, limit: Int, by author: AuthorID?) async throws -> PhotoPage {
        try await translated {
            PhotoPage(
                try await served.page(before: cursor?.photo, limit: limit, by: author, withVeiled: true, for: nil))
        }
    }

    func pictures() async -> PortalPictures {
        func picture(_ role: PictureRole) async -> PortalPicture? {
            // Without it the page shows the event as it is.
            guard let picture = try? await served.picture(role) else { return nil }
            return PortalPicture(photo: picture.photo, width: picture.width, height: picture.height)
        }
        return PortalPictures(cover: await picture(.cover), plan: await picture(.plan))
    }

    func pins(in box: SpotBox, by author: AuthorID?, added times: Range<UInt64>?, limit: Int) async throws -> PinPage {
        let (pins, totalCount) = try await served.pins(in: box, by: author, added: times, limit: limit)
        return PinPage(
            pins: pins.map { Pin(photo: $0.photo, author: $0.author, authorName: $0.authorName, spot: $0.spot) },
            totalCount: totalCount)
    }

    func setSpot(_ spot: Spot?, on plan: PhotoID?, of photo: PhotoID, by guest: AuthorID) async throws {
        try await translated { try await served.setSpot(spot, on: plan, of: photo, by: guest) }
    }

    func updates() async -> any AsyncSequence<GalleryUpdate, Never> & Sendable {
        hosting.updates().map { update in
            switch update {
            case .photo(let photo): .photo(photo)
            case .removed(let photo): .removed(photo)
            case .parameters: .event
            case .messages: .messages
            case .everything: .everything
            }
        }
    }

    /// Unwraps the node's errors that a guest can act on.
    private func translated<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch let error as NodeError {
            switch error {
            case .refused(let refusal): throw refusal
            // The error itself names paths of this machine.
            case .storage: throw Refusal.unavailable(reason: "this node cannot use its disk at present")
            case .stopped: throw Refusal.unavailable(reason: "\(error)")
            default: throw error
            }
        }
    }
}

extension PhotoPage {
    init(_ page: EventNode.AlbumPage) {
        self.init(
            photos: page.photos.map(PortalPhoto.init), next: page.next.map(PhotoCursor.init),
            totalCount: page.totalCount, earliestMilliseconds: page.earliestMilliseconds)
    }
}

extension PortalPhoto {
    init(_ photo: EventNode.AlbumPhoto) {
        let state: State =
            switch photo.photo.status {
            case .frame(let slot): photo.isSealed ? .sealed(slot) : photo.isPlan ? .plan(slot) : .frame(slot)
            case .pending(let slot): .pending(slot)
            case .veiled(let slot): .veiled(slot)
            case .waiting, .hidden, .removed, .erased: .waiting
            }
        self.init(
            id: photo.photo.id, author: photo.photo.author, authorName: photo.authorName, state: state,
            addedAtMilliseconds: photo.photo.timestamp.milliseconds,
            takenAtMilliseconds: photo.manifest?.takenAtMilliseconds, width: photo.manifest?.width ?? 0,
            height: photo.manifest?.height ?? 0,
            mediaType: photo.original?.mediaType ?? photo.manifest?.mediaType ?? .other,
            byteCount: photo.original?.original.byteCount, available: photo.available, caption: photo.caption,
            commentCount: photo.commentCount, reactions: photo.reactions, isHighlight: photo.isHighlight,
            moment: photo.moment, mission: photo.mission, spot: photo.spot, turn: photo.turn)
    }
}
