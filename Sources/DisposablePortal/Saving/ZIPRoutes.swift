// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWeb
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore

/// Downloads of photos as one file (protocol/guest-api.md §4).
struct ZIPRoutes: Sendable {
    private let limits: ZIPLimits
    private let places: DownloadPlaces

    init(limits: ZIPLimits) {
        self.limits = limits
        places = AnswerPlaces(limits.places, slowAfter: limits.slowAfter)
    }

    /// - Parameter group: at an event's path.
    func add(to group: RouterGroup) { group.post("zip", use: archive) }

    @Sendable private func archive(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.requireSession()
        let event = context.event
        let place = try places.place(for: session.owner, context)
        try event?.gate.admitArchive(for: session.owner, from: context.addressKey)
        let form = try await request.form(Form.self, byteCountMax: limits.formByteCount)
        try await checkRule(of: form, session)
        let (items, skippedCount) = try await items(of: form, session)
        if form.me == "1", let guest = session.guest { try event?.gate.admitRecord(of: guest) }
        let record = form.me == "1" ? try await record(of: items, session) : nil
        guard !items.isEmpty || record != nil else {
            throw PortalError(.notFound, "not-here", "there are no photos to save here yet", hint: "try again later")
        }
        let (gallery, guest) = (session.gallery, session.guest)
        let archive = ZIPArchive(items, record: record) { [sessions = event?.sessions, session = session.id] photo in
            // The rest of it is not for a phone whose session has ended meanwhile.
            if let sessions, await !sessions.isOpen(session) { throw PortalError.noSession }
            return try await gallery.bytes(.original, of: photo, for: guest)
        }
        return archive.response(named: await gallery.charter()?.name, skippedCount: skippedCount, holding: place)
    }

    private struct Form: Decodable {
        var ids: String?
        var mine: String?
        var all: String?
        /// With `mine`: everything about the guest.
        var me: String?
    }

    /// Throws `.notForSaving` for photos of others, or all, that guests may not save at this event. Everything about
    /// oneself, one's photos included, is everybody's.
    private func checkRule(of form: Form, _ session: GuestSession) async throws {
        let rule = await session.gallery.options().downloads
        guard rule != .everyone, form.me != "1", form.ids?.isEmpty ?? true else { return }
        guard rule == .own, form.mine == "1" else { throw Refusal.notForSaving(rule) }
    }

    /// Everything about the guest in a file of the archive.
    private func record(of items: [ZIPArchive.Item], _ session: GuestSession) async throws -> ZIPArchive.Record {
        guard let guest = session.guest else { throw PortalError(Refusal.notAdmitted) }
        // The order of the pages depends on the schedule, which may change between two of them.
        let files = Dictionary(zip(items.map(\.id), ZIPArchive.names(of: items))) { first, _ in first }
        let bytes = try await session.gallery.personalData(of: guest, files: files)
        return ZIPArchive.Record(name: "me.json", bytes: bytes, modified: DOSTime(milliseconds: Milliseconds.now))
    }

    /// Returns the requested photos, in the requested order or oldest first, and the number of those that are not here.
    private func items(of form: Form, _ session: GuestSession) async throws -> ([ZIPArchive.Item], skippedCount: Int) {
        var (items, skippedCount) = ([ZIPArchive.Item](), 0)
        func add(_ photo: AlbumPhoto) throws {
            if let item = ZIPArchive.Item(photo) { items.append(item) } else { skippedCount += 1 }
            guard items.count <= limits.entries else {
                throw PortalError(
                    .contentTooLarge, "too-many-photos", "an archive has at most \(limits.entries) photos",
                    hint: "select some of them")
            }
        }
        guard form.me == nil || (form.me == "1" && form.mine == "1" && form.all == nil && form.ids == nil) else {
            throw PortalError.malformed("me is 1, and goes with mine alone")
        }
        if let ids = form.ids, !ids.isEmpty {
            var seen: Set<PhotoID> = []
            var unknownCount = 0
            for word in ids.split(separator: " ") {
                guard let id = PhotoID(hex: word) else {
                    throw PortalError.malformed("ids contains a text that is not a photo's id")
                }
                guard seen.insert(id).inserted else { continue }
                do {
                    let photo = try await session.gallery.photo(id, for: session.guest)
                    try await session.gallery.checkSaving(of: photo, by: session.guest)
                    try add(photo)
                } catch Refusal.unknownPhoto {
                    (skippedCount, unknownCount) = (skippedCount + 1, unknownCount + 1)
                    guard unknownCount <= limits.unknownIDs else {
                        throw PortalError.malformed("more than \(limits.unknownIDs) of the ids are those of no photo")
                    }
                }
            }
            return (items, skippedCount)
        }
        guard form.mine == "1" || form.all == "1" else {
            throw PortalError.malformed("the form has none of ids, mine and all")
        }
        guard form.mine != "1" || session.guest != nil else { throw PortalError(Refusal.notAdmitted) }
        var cursor: PhotoID?
        repeat {
            let page = try await session.gallery.photos(
                before: cursor, limit: 200, by: form.mine == "1" ? session.guest : nil,
                for: form.mine == "1" ? session.guest : nil)
            for photo in page.photos { try add(photo) }
            cursor = page.next
        } while cursor != nil
        items.reverse()
        return (items, skippedCount)
    }
}

extension HTTPField.Name {
    /// The number of requested photos that are not in the archive.
    static let disposableSkipped = Self("Disposable-Skipped")!
}
