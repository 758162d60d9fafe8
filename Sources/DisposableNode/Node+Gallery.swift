// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation

/// Looking at what is here.
extension Node {
    /// A photo with what its bodies say; `nil` where a body is not here.
    struct DescribedPhoto: Sendable {
        let photo: Photo
        let manifest: PhotoManifest?
        let original: OriginalManifest?
        let author: String
        let isMine: Bool
        let state: String
        /// What its author has opened it with, by itself.
        let released: ReleasedKeys?
        let remarks: PhotoRemarks
    }

    /// The event that a person means; the only one when they say nothing.
    public func event(named text: String?) throws -> EventID {
        let events = self.events
        guard let text else {
            guard rebuilding.isEmpty else { throw NodeError.rebuilding }
            guard let first = events.first else { throw NodeError.noEvents(path: folder.path) }
            guard events.count == 1 else { throw NodeError.severalEvents(sessions.values.map(\.name).sorted()) }
            return first
        }
        let matches = events.filter { $0.description.hasPrefix(text.lowercased()) || sessions[$0]?.name == text }
        guard let first = matches.first else {
            throw rebuilding.isEmpty ? NodeError.unknownEvent(text) : NodeError.rebuilding
        }
        guard matches.count == 1 else { throw NodeError.severalEvents(matches.map(\.short)) }
        return first
    }

    func photo(named text: String, in event: EventID) throws -> Photo {
        let matches = (sessions[event]?.replica.state.photos ?? []).filter {
            $0.id.description.hasPrefix(text.lowercased())
        }
        guard let first = matches.first, !text.isEmpty else { throw NodeError.unknownPhoto(text) }
        guard matches.count == 1 else { throw NodeError.ambiguousPhoto(text) }
        return first
    }

    /// Adds to photos what the store knows of them, a thousand at a time.
    func describe(_ photos: [Photo], of event: EventID) async throws -> [DescribedPhoto] {
        guard let session = sessions[event] else { throw NodeError.stopped }
        let state = session.replica.state
        var described: [DescribedPhoto] = []
        for start in stride(from: 0, to: photos.count, by: 1_000) {
            let batch = photos[start..<min(start + 1_000, photos.count)]
            let ids =
                batch.map(\.id.operationID)
                + batch.flatMap {
                    state.album.originals(of: $0.id).prefix(1) + state.album.keyReleases(of: $0.id).prefix(1)
                }
            let operations = try await readers.run { [store = session.store] in try store.operations(ids) }
            let contents = Dictionary(operations.map { ($0.id, $0.content) }) { first, _ in first }
            for photo in batch {
                var manifest: PhotoManifest?
                if case .photo(let found)?? = contents[photo.id.operationID] { manifest = found }
                var original: OriginalManifest?
                if let id = state.album.originals(of: photo.id).first, case .original(let found)?? = contents[id] {
                    original = found
                }
                var released: ReleasedKeys?
                if let id = state.album.keyReleases(of: photo.id).first, case .keyRelease(let keys)?? = contents[id] {
                    released = keys
                }
                described.append(
                    DescribedPhoto(
                        photo: photo, manifest: manifest, original: original,
                        author: state.album.shownName(of: photo.author) ?? photo.author.short,
                        isMine: photo.author == session.replica.authorID, state: word(for: photo, event),
                        released: released,
                        remarks: PhotoRemarks(about: photo.id, in: state.album)))
            }
        }
        return described
    }

    private func word(for photo: Photo, _ event: EventID) -> String {
        switch photo.status {
        case .removed: return "removed"
        case .erased: return "erased"
        case .hidden: return "hidden"
        case .waiting: return "waiting"
        case .frame:
            guard let replica = sessions[event]?.replica else { return "announced" }
            guard mayBeSeen(photo, by: replica.authorID, in: event) else { return "sealed" }
            if replica.isComplete(.original, of: photo.id) { return "complete" }
            if replica.isComplete(.preview, of: photo.id) { return "preview" }
            return replica.isComplete(.thumbnail, of: photo.id) ? "thumbnail" : "announced"
        }
    }

    /// The visible photos in order; with `onlyMine` this device's, waiting and removed ones included.
    func gallery(of event: EventID, onlyMine: Bool) async throws -> [DescribedPhoto] {
        guard let replica = sessions[event]?.replica else { throw NodeError.stopped }
        let photos =
            onlyMine
            ? replica.state.photos.filter { $0.author == replica.authorID }.sorted {
                ($0.timestamp, $0.id) < ($1.timestamp, $1.id)
            }
            : replica.state.gallery
        return try await describe(photos, of: event)
    }

    /// Tells the person where an organizer's newer version has stated what this one must know and does not.
    func lookAtVersion(of event: EventID) {
        guard let session = sessions[event] else { return }
        guard session.replica.state.needsNewerVersion else {
            return solve(.olderVersion(event), "\(session.name) no longer needs a newer version")
        }
        note(
            .olderVersion(event),
            "\(session.name) needs a newer version of disposable: an organizer uses what this one does not know, and the "
                + "gallery may be shown wrongly here. Install the version that the organizers use")
    }

    /// Tells the person that this node was put out, and that it is in again.
    func lookAtMembership(of event: EventID) {
        guard let session = sessions[event] else { return }
        guard session.replica.isPutOut else {
            return solve(.putOut(event), "this node is a member of \(session.name) again")
        }
        note(
            .putOut(event),
            "this node was put out of \(session.name): nothing that it adds counts any more. An organizer can take it in again"
        )
    }

    public func isAdmitted(to event: EventID) -> Bool { sessions[event]?.replica.isAdmitted == true }

    public func status(of event: EventID) throws -> EventStatus {
        guard let session = sessions[event] else { throw NodeError.stopped }
        let replica = session.replica
        let state = replica.state
        let gallery = state.gallery
        let peers = replica.livePeers.map { peer in
            PeerInfo(
                device: peer.device.description,
                name: state.album.shownName(of: state.membership.author(of: peer.device)), address: peer.address,
                isAdmitted: peer.isAdmitted, isSynchronized: peer.isSynchronized,
                clockDifferenceMilliseconds: peer.clockDifferenceMilliseconds,
                roundTripMilliseconds: peer.roundTripMilliseconds, receivedByteCount: peer.receivedByteCount,
                sentByteCount: peer.sentByteCount)
        }
        return EventStatus(
            event: event.description, name: session.name, isOrganizer: session.store.keys.organizer != nil,
            isAdmitted: replica.isAdmitted, isPutOut: replica.isPutOut, digest: state.digest?.description,
            needsNewerVersion: state.needsNewerVersion, photoCount: gallery.count,
            sealedCount: gallery.count { !state.isOpen($0.id) },
            completeCount: gallery.count { replica.isComplete(.original, of: $0.id) },
            missingBlobCount: replica.missingBlobCount,
            operationCount: OperationSet.allCases.reduce(0) { $0 + Int(replica.summary(of: $1).count) },
            memberCount: state.membership.count, framesUsed: state.album.usedSlotCount(of: replica.authorID),
            frames: state.rollLimit(of: replica.authorID), listen: listenAddress, discovery: discoveryName,
            peers: peers, receivedByteCount: replica.receivedByteCount, sentByteCount: replica.sentByteCount,
            toDestroyCount: replica.destructible.count,
            expiresAt: state.charter?.expiresAtMilliseconds, copies: copies(of: session, gallery: gallery),
            nodes: nodeClaims(of: session), epoch: epochStatus(of: session),
            guestURL: pageAddresses(of: event)?.first.map { guestLink(of: session).text(at: $0) },
            otherPages: otherPages(of: event).map {
                OtherPagesInfo(device: $0.device.description, name: $0.name, addresses: $0.addresses.map(\.description))
            }, problems: problems.values.sorted() + originalsLeftOut(of: gallery, replica),
            notices: state.album.notices.compactMap { RemarkInfo($0, in: state.album) })
    }
}

extension Node {
    /// Of which authors originals are not fetched, because the disk is more than half full and their sponsor trees have
    /// their share of it.
    private func originalsLeftOut(of gallery: [Photo], _ replica: Replica) -> [String] {
        var counts: [AuthorID: Int] = [:]
        for photo in gallery where replica.isSetAside(photo.id) { counts[photo.author, default: 0] += 1 }
        return counts.map { author, count in
            let name = replica.state.album.shownName(of: author) ?? author.short
            return "originals of \(count) photos of \(name) are not kept here: the disk is more than half full, and "
                + "photos of \(name) and of those that came in with \(name) take up their share of it"
        }.sorted()
    }
}

extension Node.DescribedPhoto {
    /// As it is shown and printed.
    var asGalleryPhoto: GalleryPhoto {
        // What is said about what one is not shown yet is not shown either.
        let remarks = state == "sealed" ? PhotoRemarks.none : remarks
        return GalleryPhoto(
            id: photo.id.description, author: author, device: photo.author.description, frame: photo.status.frame,
            takenAt: manifest?.takenAtMilliseconds.map(Timestamps.iso8601),
            addedAt: Timestamps.iso8601(photo.timestamp.milliseconds),
            byteCount: original?.original.byteCount, sha256: original?.sha256.description,
            mediaType: (original?.mediaType ?? manifest?.mediaType ?? .other).rawValue, width: manifest?.width ?? 0,
            height: manifest?.height ?? 0, state: state, isMine: isMine, caption: remarks.caption,
            reactions: remarks.reactions, comments: remarks.comments)
    }
}

enum Timestamps {
    /// UTC with milliseconds, `2026-11-21T10:30:00.000Z`.
    static func iso8601(_ milliseconds: UInt64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    }
}
