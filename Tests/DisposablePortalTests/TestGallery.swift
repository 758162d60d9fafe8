// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Synchronization

/// An event in memory, with the photos that a test adds.
final class TestGallery: Gallery {
    struct Stopped: Error {}

    let eventKey: VerifyingKey
    let event: EventID
    let portalToken: SecretBytes
    let portalCode: String
    let wallCode: WallCode
    let replacedTokens: [SecretBytes]
    let replacedCodes: [String]
    let nodeKey: SigningKey
    var node: DeviceID { DeviceID(nodeKey.verifyingKey) }
    let folderPath: String
    private let isFolderOurs: Bool
    private let nodeSecret: SecretBytes
    let state: Mutex<State>

    /// - Parameter number: distinguishes test events; the same number is the same event.
    init(_ number: UInt8 = 1, name: String = "Garden party", folderPath: String? = nil) throws {
        eventKey = SigningKey(seed: Self.secret(number, 1, count: 32)).verifyingKey
        event = EventID(key: eventKey)
        portalToken = Self.secret(number, 2, count: 16)
        wallCode = WallCode(event: event, secret: Self.secret(number, 5, count: 32))
        replacedTokens = [Self.secret(number, 9, count: 16)]
        replacedCodes = [["0000RST0", "0000RST1"][Int(number) % 2]]
        portalCode = ["0123456Z", "K7QM3XPD"][Int(number) % 2]
        nodeKey = SigningKey(seed: Self.secret(number, 3, count: 32))
        nodeSecret = Self.secret(number, 4, count: 32)
        isFolderOurs = folderPath == nil
        self.folderPath =
            folderPath ?? FileManager.default.temporaryDirectory.path + "/portal-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: self.folderPath, withIntermediateDirectories: true)
        let now = UInt64(Date().timeIntervalSince1970 * 1000)
        state = Mutex(State(charter: Charter(name: name, startsAtMilliseconds: now, organizerName: "Olga")))
    }

    deinit { if isFolderOurs { try? FileManager.default.removeItem(atPath: folderPath) } }

    /// Reads or changes the content of the event.
    func with<Result>(_ body: (inout State) throws -> sending Result) rethrows -> Result {
        try state.withLock { try body(&$0) }
    }

    private static func secret(_ number: UInt8, _ purpose: UInt8, count: Int) -> SecretBytes {
        var bytes = [UInt8](repeating: number, count: count)
        bytes[0] = purpose
        return SecretBytes(consuming: &bytes)
    }

    var tokenText: String { Self.text(portalToken) }
    var replacedTokenText: String { Self.text(replacedTokens[0]) }

    private static func text(_ token: SecretBytes) -> String {
        token.withSpan { span in Data((0..<span.count).map { span[$0] }) }.base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
    var path: String { "/e/\(event.short)/" }

    func charter() async -> Charter? { state.withLock { $0.charter } }
    func sealed() async -> SealedPhotos? { state.withLock { $0.sealed } }
    func notice() async -> LatestNotice? { state.withLock { $0.notice } }
    func moments() async -> MomentsNow? { state.withLock { $0.moments } }
    func otherPages() async -> [OtherPages] { state.withLock { $0.others } }
    func pageProof(_ challenge: [UInt8], at authority: String) async -> Signature? {
        guard !state.withLock({ $0.servesNobody }) else { return nil }
        return nodeKey.signature(for: Domain.pageProof + event.bytes + challenge + Array(authority.utf8))
    }

    var folderKey: SecretBytes { KeyDerivation.key(from: nodeSecret, context: "test folder key", input: event.bytes) }

    func subKey(of guest: AuthorID) async throws -> DeviceID {
        DeviceID(
            SigningKey(seed: KeyDerivation.key(from: nodeSecret, context: "test sub-key", input: guest.bytes))
                .verifyingKey)
    }

    func enter(_ guest: AuthorID, delegation: Delegation) async throws {
        try state.withLock { state in
            if let reason = state.unavailable { throw Refusal.unavailable(reason: reason) }
            state.entered[guest] = delegation
        }
    }

    func guest(_ guest: AuthorID) async throws -> GuestStatus {
        state.withLock { state in
            GuestStatus(
                hasEntered: state.entered[guest] != nil, name: state.names[guest],
                usedFrameCount: state.items.count { $0.photo.author == guest }, frameLimit: state.frameLimit)
        }
    }

    func setName(_ name: String, of guest: AuthorID) async throws { state.withLock { $0.names[guest] = name } }

    func consent(of guest: AuthorID?) async -> GuestConsent? {
        state.withLock { state in
            guard let charter = state.charter else { return nil }
            let text = ConsentText(organizers: charter.organizer.consentText)
            let isGiven =
                guest.map { guest in state.consents.map { $0[guest]?.contains(text.id) == true } ?? true } ?? false
            return GuestConsent(text: text, isGiven: isGiven)
        }
    }

    func consent(to text: OperationID, by guest: AuthorID) async throws {
        try state.withLock { state in
            guard state.charter.map({ ConsentText(organizers: $0.organizer.consentText).id }) == text else {
                throw Refusal.otherConsentText
            }
            state.consents?[guest, default: []].insert(text)
        }
    }

    func eraseAll(of guest: AuthorID) async throws {
        state.withLock { state in
            state.names[guest] = nil
            for place in state.items.indices where state.items[place].photo.author == guest {
                state.items[place].isRemoved = true
            }
        }
    }

    func personalData(of guest: AuthorID, files: [PhotoID: String]) async throws -> [UInt8] {
        Array("{\"key\": \"\(guest)\", \"files\": \(files.values.sorted())}".utf8)
    }

    func photoQuarters(limit: Int, by author: AuthorID?, for viewer: AuthorID?) async throws -> [PhotoQuarter] {
        state.withLock { state in
            let shown = state.items.filter {
                !$0.isRemoved && (author == nil || $0.photo.author == author)
                    && ($0.photo.state != .waiting || (author != nil && author == viewer))
            }
            let quarters = Dictionary(grouping: shown.map(\.photo)) { $0.addedAtMilliseconds / 900_000 }
            return quarters.sorted { $0.key > $1.key }.prefix(limit).map { number, photos in
                let example = photos.filter { $0.available.contains(.thumbnail) }
                    .max { $0.addedAtMilliseconds < $1.addedAtMilliseconds }
                return PhotoQuarter(number: number, count: photos.count, example: example?.id)
            }
        }
    }

    func photographers(limit: Int) async throws -> PhotographerPage {
        state.withLock { state in
            let shown = state.items.filter { !$0.isRemoved && $0.photo.state != .waiting }
            let photos = Dictionary(grouping: shown, by: \.photo.author)
            let all = photos.map { Photographer(author: $0, name: state.names[$0], photoCount: $1.count) }
            let sorted = all.sorted { ($1.photoCount, $0.author) < ($0.photoCount, $1.author) }
            return PhotographerPage(photographers: Array(sorted.prefix(limit)), totalCount: all.count)
        }
    }

    func photos(
        before cursor: PhotoID?, limit: Int, by author: AuthorID?, among group: PhotoGroup, for viewer: AuthorID?
    ) async throws -> PhotoPage {
        try await photos(before: cursor, limit: limit, by: author, among: group, for: viewer, withVeiled: false)
    }

    func zoneCounts() async throws -> [ZoneCount] {
        state.withLock { state in
            let shown = state.items.filter { !$0.isRemoved && $0.photo.state != .waiting }
            let zones = shown.compactMap(\.photo.context.zone)
            let counts = Dictionary(grouping: zones) { $0 }.mapValues(\.count)
            return counts.sorted { $0.key < $1.key }.map { ZoneCount(name: $0.key, photoCount: $0.value) }
        }
    }

    func photos(
        before cursor: PhotoID?, limit: Int, by author: AuthorID?, among group: PhotoGroup, for viewer: AuthorID?,
        withVeiled: Bool
    ) async throws -> PhotoPage {
        state.withLock { state in
            var items = state.items[...]
            if let cursor {
                guard let index = items.firstIndex(where: { $0.photo.id == cursor }) else {
                    return PhotoPage(photos: [], next: nil, totalCount: 0, earliestMilliseconds: nil)
                }
                items = items[(index + 1)...]
            }
            func isShown(_ item: Item) -> Bool {
                guard !item.isRemoved, author == nil || item.photo.author == author, Self.belongs(item.photo, to: group)
                else { return false }
                if item.photo.isVeiled { return withVeiled || author != nil && author == viewer }
                return item.photo.state != .waiting || (author != nil && author == viewer)
            }
            let shown = items.filter(isShown)
            let page = Array(shown.prefix(limit).map(\.photo))
            return PhotoPage(
                photos: page, next: shown.count > limit ? page.last?.id : nil,
                totalCount: state.items.count(where: isShown),
                earliestMilliseconds: state.items.filter(isShown).map(\.photo.addedAtMilliseconds).min())
        }
    }

    private static func belongs(_ photo: AlbumPhoto, to group: PhotoGroup) -> Bool {
        switch group {
        case .all: true
        case .highlights: photo.isHighlight
        case .moment(let day): photo.context.moment?.day == day
        case .mission(let id): photo.context.mission?.id == id
        case .zone(let name): photo.context.zone == name
        }
    }

    func highlightCount() async -> Int {
        state.withLock { $0.items.count { !$0.isRemoved && $0.photo.isHighlight && $0.photo.state != .waiting } }
    }

    static func item(_ id: PhotoID, for viewer: AuthorID?, in state: State) throws -> Item {
        guard let item = state.items.first(where: { $0.photo.id == id }), !item.isRemoved,
            item.photo.state != .waiting && !item.photo.isVeiled || item.photo.author == viewer
        else { throw Refusal.unknownPhoto(id.short) }
        return item
    }

    func photo(_ id: PhotoID, for viewer: AuthorID?) async throws -> AlbumPhoto {
        try state.withLock { try Self.item(id, for: viewer, in: $0).photo }
    }

    func bytes(_ blobClass: BlobClass, of id: PhotoID, for viewer: AuthorID?) async throws -> PhotoBytes {
        let item = try state.withLock { try Self.item(id, for: viewer, in: $0) }
        guard let bytes = item.bytes[blobClass] else { throw Refusal.notHere }
        return PhotoBytes(byteCount: UInt64(bytes.count), mediaType: item.photo.mediaType) { range in
            let end = self.state.withLock { state in
                state.readCount += 1
                return state.vanishing[id] ?? .max
            }
            guard range.upperBound <= end else { throw Refusal.notHere }
            return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        }
    }

    func checkTimes(of guest: AuthorID) async throws {
        if let error = state.withLock({ $0.untimely }) { throw error }
    }

    func add(fileAt path: String, by guest: AuthorID, mission: UInt32?, cameraAhead: Int64) async throws -> PhotoID {
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        let (delay, refusal) = state.withLock { state in
            state.adding.count += 1
            state.adding.underWayCount += 1
            state.adding.atOnceMax = max(state.adding.atOnceMax, state.adding.underWayCount)
            state.adding.paths.append(path)
            state.adding.camerasAhead.append(cameraAhead)
            state.adding.permissions.append(permissions)
            if state.adding.keepsFilesOpen { state.adding.openFiles.append(open(path, O_RDONLY | O_CLOEXEC)) }
            return (state.adding.delay, state.adding.refusals.isEmpty ? nil : state.adding.refusals.removeFirst())
        }
        defer { state.withLock { $0.adding.underWayCount -= 1 } }
        for _ in 0..<6_000 where state.withLock({ $0.adding.atOnceMax < $0.adding.togetherCount }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        if delay > .zero { try await Task.sleep(for: delay) }
        if let refusal { throw refusal }
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        guard state.withLock({ $0.entered[guest] != nil }) else { throw Refusal.notAdmitted }
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else {
            throw Refusal.refusedFile(reason: "this is no photo or film that can be shown")
        }
        let id = put(bytes, by: guest).id
        try await setMission(mission, of: id, by: guest)
        let isStopped = state.withLock { state in
            state.adding.stopCount -= 1
            return state.adding.stopCount >= 0
        }
        if isStopped { throw Stopped() }
        return id
    }

    func showsAtOnce(photosBy guest: AuthorID) async throws -> Bool { state.withLock { $0.sealed == nil } }

    /// Pictures that hold the last bytes of the preview.
    func smallPictures(of jpeg: [UInt8]) async throws -> SmallPictures {
        guard jpeg.count >= 100 else { throw Refusal.refusedFile(reason: "the preview cannot be decoded") }
        return SmallPictures(
            width: 4, height: 3, thumbnail: [0xFF, 0xD8] + jpeg.suffix(10), preview: [0xFF, 0xD8] + jpeg.suffix(90))
    }

    func remove(_ id: PhotoID, by guest: AuthorID) async throws -> PendingRemoval {
        try state.withLock { state in
            guard try Self.item(id, for: guest, in: state).photo.author == guest else { throw Refusal.notYours(id) }
            if let refusal = state.removalRefusal { throw refusal }
            state.leaving[id] = guest
        }
        return PendingRemoval(photo: id, dueAtMilliseconds: Self.removedAt)
    }

    func undoRemoval(of photo: PhotoID, by guest: AuthorID) async throws -> Bool {
        state.withLock { state in
            guard state.leaving[photo] == guest else { return false }
            state.leaving[photo] = nil
            return true
        }
    }

    func leaving(among photos: [PhotoID]) async -> Set<PhotoID> {
        state.withLock { state in Set(photos.filter { state.leaving[$0] != nil }) }
    }

    func updates() async -> any AsyncSequence<GalleryUpdate, Never> & Sendable {
        let (stream, sink) = AsyncStream.makeStream(of: GalleryUpdate.self, bufferingPolicy: .bufferingNewest(1024))
        state.withLock { $0.readers.append(sink) }
        return stream
    }

    // Controls for tests

    /// The time that each removal is answered with.
    static let removedAt: UInt64 = 1_700_000_010_000

    /// Removes the photos whose removal is pending: their time has come.
    func signRemovals() {
        let photos = state.withLock { state in
            let photos = Array(state.leaving.keys)
            for place in state.items.indices where photos.contains(state.items[place].photo.id) {
                state.items[place].isRemoved = true
            }
            state.removals += photos
            state.leaving = [:]
            return photos
        }
        for photo in photos { tell(.removed(photo)) }
    }

    /// Continues the waiting comments.
    func release() {
        for continuation in state.withLock({ state in
            defer { state.heldStatements = [] }
            return state.heldStatements
        }) { continuation.resume() }
    }

    /// Adds comments of strangers to a photo: each with its number and `text`.
    func say(_ count: Int, on photo: PhotoID, text: String = "") {
        state.withLock { state in
            state.comments[photo] = (0..<count).map { number in
                PhotoComment(
                    id: OperationID(BLAKE2b.hash(photo.bytes32.bytes + Array("\(number)".utf8))),
                    author: .stranger(UInt8(number % 200)), authorName: nil,
                    saidAtMilliseconds: UInt64(number), text: "\(number)\(text)")
            }
            state.noteRemarks(on: photo)
        }
    }

    func tell(_ update: GalleryUpdate) { for reader in state.withLock({ $0.readers }) { reader.yield(update) } }

    /// Adds a photo of these bytes to the gallery and notifies the streams.
    @discardableResult
    func put(
        _ bytes: [UInt8], by author: AuthorID, type: MediaType = .jpeg, isWaiting: Bool = false, isHere: Bool = true
    ) -> AlbumPhoto {
        let photo = state.withLock { state in
            let gone = Set(state.leaving.keys).union(state.items.filter(\.isRemoved).map(\.photo.id))
            var id = PhotoID(BLAKE2b.hash(bytes, author.bytes))
            while gone.contains(id) { id = PhotoID(BLAKE2b.hash(id.bytes)) }
            if let same = state.items.first(where: { $0.photo.id == id }) { return same.photo }
            let number = state.items.count + 1
            let photo = AlbumPhoto(
                id: id, author: author, authorName: state.names[author],
                state: isWaiting ? .waiting : .frame(UInt64(number)), addedAtMilliseconds: UInt64(number),
                takenAtMilliseconds: nil, width: 4, height: 3, mediaType: type, byteCount: UInt64(bytes.count),
                available: isHere ? Set(BlobClass.allCases) : [])
            state.items.insert(
                Item(photo: photo, bytes: isHere ? [.thumbnail: bytes, .preview: bytes, .original: bytes] : [:]), at: 0)
            return photo
        }
        tell(.photo(photo.id))
        return photo
    }
}

extension AuthorID {
    /// Returns the author of a person on another node.
    static func stranger(_ number: UInt8) -> AuthorID {
        var bytes = [UInt8](repeating: number, count: 32)
        return AuthorID(SigningKey(seed: SecretBytes(consuming: &bytes)).verifyingKey)
    }
}
