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
    var wallCode: WallCode { hosting.links.wall }
    var replacedTokens: [SecretBytes] { hosting.links.replaced.map(\.token) }
    var replacedCodes: [String] { hosting.links.replaced.map(\.code) }
    var node: DeviceID { hosting.device }
    var folderPath: String { hosting.folderPath }
    var folderKey: SecretBytes { hosting.folderKey }

    func charter() async -> Charter? { await (try? served)?.charter }

    func notice() async -> LatestNotice? { await (try? served)?.latestNotice }

    func moments() async -> MomentsNow? { await (try? served)?.momentsNow }

    func missions(for viewer: AuthorID?) async -> [AnsweredMission] {
        await (try? served)?.missions(for: viewer) ?? []
    }

    func sealed() async -> SealedPhotos? { await (try? served)?.sealed }

    func otherPages() async -> [OtherPages] { await (try? served)?.otherPages ?? [] }

    func pageProof(_ challenge: [UInt8], at authority: String) async -> Signature? {
        await (try? served)?.pageProof(challenge, at: authority)
    }

    // Guests

    func subKey(of guest: AuthorID) async throws -> DeviceID { try await served.subKeyID(of: guest) }

    func enter(_ guest: AuthorID, delegation: Delegation) async throws {
        try await translated { try await served.enter(delegation) }
    }

    func guest(_ guest: AuthorID) async throws -> GuestStatus { try await served.guest(guest) }

    func setName(_ name: String, of guest: AuthorID) async throws {
        try await translated { try await served.setName(name, of: guest) }
    }

    func consent(of guest: AuthorID?) async -> GuestConsent? { await (try? served)?.consent(of: guest) }

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
        before cursor: PhotoID?, limit: Int, by author: AuthorID?, among group: PhotoGroup, for viewer: AuthorID?
    ) async throws -> PhotoPage {
        try await translated {
            if author == nil, group == .all, host.hasTwins(event) {
                return try await host.joinedPage(of: event, before: cursor, limit: limit, withVeiled: false)
            }
            return try await served.page(before: cursor, limit: limit, by: author, among: group, for: viewer)
        }
    }

    func highlightCount() async -> Int { await (try? served)?.highlightCount ?? 0 }

    func photographers(limit: Int) async throws -> PhotographerPage { try await served.photographers(limit: limit) }

    func zoneCounts() async throws -> [ZoneCount] { try await served.zoneCounts() }

    func photoQuarters(limit: Int, by author: AuthorID?, for viewer: AuthorID?) async throws -> [PhotoQuarter] {
        try await served.photoQuarters(limit: limit, by: author, for: viewer)
    }

    func photo(_ id: PhotoID, for viewer: AuthorID?) async throws -> AlbumPhoto {
        try await translated {
            guard let twin = await host.twin(with: id, of: event) else {
                return try await served.albumPhoto(id, for: viewer)
            }
            return try await twin.twinPhoto(id)
        }
    }

    func origins(of photos: [PhotoID]) async -> [PhotoID: String] {
        guard host.hasTwins(event) else { return [:] }
        return await host.twinPhotos(among: photos, of: event).mapValues(\.eventName)
    }

    func bytes(_ blobClass: BlobClass, of id: PhotoID, for viewer: AuthorID?) async throws -> PhotoBytes {
        try await translated {
            let twin = await host.twin(with: id, of: event)
            // What guests of the other event may not save, guests of this one may not either.
            if let twin, blobClass == .original, let rule = await twin.charter?.options.downloads, rule != .everyone {
                throw Refusal.notForSaving(rule)
            }
            let reader =
                if let twin { try await twin.reader(blobClass, of: id, for: nil) } else {
                    try await served.reader(blobClass, of: id, for: viewer)
                }
            guard let reader else { throw Refusal.notHere }
            return PhotoBytes(byteCount: reader.byteCount, mediaType: reader.mediaType) { try reader.read($0) }
        }
    }

    func checkTimes(of guest: AuthorID) async throws {
        try await translated { try await served.checkTimes(of: guest) }
    }

    func add(fileAt path: String, by guest: AuthorID, mission: UInt32?, cameraAhead: Int64) async throws -> PhotoID {
        try await translated {
            try await served.add(fileAt: path, by: guest, mission: mission, cameraAhead: cameraAhead)
        }
    }

    func showsAtOnce(photosBy guest: AuthorID) async throws -> Bool {
        try await served.showsAtOnce(photosBy: guest)
    }

    func smallPictures(of jpeg: [UInt8]) async throws -> SmallPictures {
        try await translated { try await served.smallPictures(of: jpeg) }
    }

    func remove(_ id: PhotoID, by guest: AuthorID) async throws -> PendingRemoval {
        try await translated { try await served.remove(id, by: guest) }
    }

    func undoRemoval(of photo: PhotoID, by guest: AuthorID) async throws -> Bool {
        try await translated { try await served.undoRemoval(of: photo, by: guest) }
    }

    func leaving(among photos: [PhotoID]) async -> Set<PhotoID> { await (try? served)?.leaving(among: photos) ?? [] }

    // Remarks

    func comments(
        on photo: PhotoID, before comment: OperationID?, limit: Int, for viewer: AuthorID?
    ) async throws -> CommentPage {
        try await translated {
            if let twin = await host.twin(with: photo, of: event) {
                return try await twin.comments(on: photo, before: comment, limit: limit, for: nil)
            }
            return try await served.comments(on: photo, before: comment, limit: limit, for: viewer)
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

    func gifts(of guest: AuthorID, limit: Int) async throws -> GuestGifts {
        try await served.gifts(of: guest, limit: limit)
    }

    func give(_ count: Int, to recipient: AuthorID, by guest: AuthorID, left: Int) async throws {
        try await translated { try await served.give(count, to: recipient, by: guest, left: left) }
    }

    func ticket(of guest: AuthorID) async throws -> GuestTicket {
        try await served.ticket(of: guest)
    }

    func use(ticket: String, by guest: AuthorID) async throws {
        try await translated { _ = try await served.use(ticket: ticket, by: guest) }
    }

    func vote(for viewer: AuthorID?) async throws -> PhotoVote? {
        try await served.vote(seenBy: viewer)
    }

    func vote(for photo: PhotoID?, in ballot: OperationID, by guest: AuthorID) async throws {
        try await translated { try await served.vote(for: photo, in: ballot, by: guest) }
    }

    func voteState() async -> PhotoVote.State? { await (try? served)?.voteState }

    func areVeilsOn() async -> Bool { await (try? served)?.areVeilsOn ?? false }

    func setVeil(_ isOn: Bool, on photo: PhotoID, by guest: AuthorID) async throws {
        try await translated { try await served.setVeil(isOn, on: photo, by: guest) }
    }

    func veiledPhoto(_ id: PhotoID) async -> AlbumPhoto? {
        if let twin = await host.twin(with: id, of: event) { return await twin.veiledPhoto(id) }
        return await (try? served)?.veiledPhoto(id)
    }

    func photosWithVeiled(before cursor: PhotoID?, limit: Int, by author: AuthorID?) async throws -> PhotoPage {
        try await translated {
            if author == nil, host.hasTwins(event) {
                return try await host.joinedPage(of: event, before: cursor, limit: limit, withVeiled: true)
            }
            return try await served.page(before: cursor, limit: limit, by: author, withVeiled: true, for: nil)
        }
    }

    func pictures() async -> EventPictures {
        // Without a picture the page shows the event as it is.
        EventPictures(
            cover: try? await served.picture(.cover), plan: try? await served.picture(.plan))
    }

    func planMap() async -> PlanMap? { try? await served.map() }

    func tile(_ name: TileName) async throws -> Tile? {
        try await translated { try await served.tile(name) }
    }

    func pins(in box: SpotBox, by author: AuthorID?, added times: Range<UInt64>?, limit: Int) async throws -> PinPage {
        try await served.pins(in: box, by: author, added: times, limit: limit)
    }

    func setSpot(_ spot: Spot?, on plan: PhotoID?, of photo: PhotoID, by guest: AuthorID) async throws {
        try await translated { try await served.setSpot(spot, on: plan, of: photo, by: guest) }
    }

    func updates() async -> any AsyncSequence<GalleryUpdate, Never> & Sendable { hosting.updates() }

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
