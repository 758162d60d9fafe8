// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation

/// Queries of the gallery.
extension EventNode {
    /// A photo with the content of its bodies; `nil` if a body is missing.
    struct DescribedPhoto: Sendable {
        let photo: Photo
        let manifest: PhotoManifest?
        let original: OriginalManifest?
        let author: String
        let isMine: Bool
        let state: String
        /// The key that its author has released.
        let released: ReleasedKeys?
        let remarks: PhotoRemarks
        let moment: MomentVerdict?
        let mission: Mission?
        /// The place on the event's plan.
        let spot: Spot?
        /// The zone of the node that took it in.
        let zone: String?
        let turn: PhotoTurn

        var mediaType: MediaType { original?.mediaType ?? manifest?.mediaType ?? .other }
    }

    func photo(named text: String) throws -> Photo {
        let matches = replica.state.photos.filter {
            $0.id.description.hasPrefix(text.lowercased())
        }
        guard let first = matches.first, !text.isEmpty else { throw NodeError.refused(.unknownPhoto(text)) }
        guard matches.count == 1 else { throw NodeError.ambiguousPhoto(text) }
        return first
    }

    /// Adds the stored bodies to photos, a thousand at a time.
    func describe(
        _ photos: [Photo], includesComments: Bool = true
    ) async throws -> [DescribedPhoto] {
        var described: [DescribedPhoto] = []
        for start in stride(from: 0, to: photos.count, by: 1_000) {
            let batch = photos[start..<min(start + 1_000, photos.count)]
            let album = replica.state.album
            let bodies = batch.map {
                PhotoBodies(original: album.originals(of: $0.id).first, keyRelease: album.keyReleases(of: $0.id).first)
            }
            let ids = batch.map(\.id.operationID) + bodies.flatMap(\.ids)
            let operations = try await readers.run { [store] in try store.operations(ids) }
            let contents = Dictionary(operations.map { ($0.id, $0.content) }) { first, _ in first }
            described += describe(zip(batch, bodies), contents, includesComments: includesComments)
        }
        return described
    }

    /// The operations that describe a photo in addition to its own.
    private struct PhotoBodies {
        let original: OperationID?
        let keyRelease: OperationID?
        var ids: [OperationID] { [original, keyRelease].compactMap(\.self) }
    }

    private func describe(
        _ photos: some Sequence<(Photo, PhotoBodies)>, _ contents: [OperationID: OperationContent?],
        includesComments: Bool
    ) -> [DescribedPhoto] {
        // Once for all photos: each access copies it.
        let replica = replica
        let state = replica.state
        let plan = state.picture(.plan)?.id
        return photos.map { photo, bodies in
            var manifest: PhotoManifest?
            if case .photo(let found)?? = contents[photo.id.operationID] { manifest = found }
            var original: OriginalManifest?
            if let id = bodies.original, case .original(let found)?? = contents[id] { original = found }
            var released: ReleasedKeys?
            if let id = bodies.keyRelease, case .keyRelease(let keys)?? = contents[id] { released = keys }
            let mediaType = original?.mediaType ?? manifest?.mediaType
            let isVideo = mediaType?.rawValue.hasPrefix("video/") == true
            return DescribedPhoto(
                photo: photo, manifest: manifest, original: original,
                author: state.album.shownName(of: photo.author) ?? photo.author.short,
                isMine: photo.author == replica.authorID, state: word(for: photo, in: replica),
                released: released,
                remarks: PhotoRemarks(about: photo.id, in: state.album, includesComments: includesComments),
                moment: state.moment(of: photo.id), mission: state.mission(of: photo.id),
                spot: plan.flatMap { state.album.spot(of: photo.id, on: $0) }, zone: state.zone(of: photo),
                turn: isVideo ? .none : state.album.turn(of: photo.id))
        }
    }

    private func word(for photo: Photo, in replica: Replica) -> String {
        switch photo.status {
        case .removed: return "removed"
        case .erased: return "erased"
        case .hidden: return "hidden"
        case .waiting: return "waiting"
        case .pending: return "pending"
        case .veiled: return "veiled"
        case .frame:
            guard mayBeSeen(photo, by: replica.authorID, in: replica) else { return "sealed" }
            if replica.isComplete(.original, of: photo.id) { return "complete" }
            if replica.isComplete(.preview, of: photo.id) { return "preview" }
            return replica.isComplete(.thumbnail, of: photo.id) ? "thumbnail" : "announced"
        }
    }

    /// The visible photos in order; with `onlyMine` this device's, waiting and removed ones included; with `onlyHidden`
    /// the hidden ones; with `onlyPending` the pending ones; with `onlyVeiled` the veiled ones.
    func gallery(
        onlyMine: Bool, onlyHidden: Bool = false, onlyPending: Bool = false, onlyVeiled: Bool = false
    ) async throws -> [DescribedPhoto] {
        guard onlyMine || onlyHidden || onlyPending || onlyVeiled else {
            return try await describe(replica.state.gallery)
        }
        let photos = replica.state.photos.filter {
            (!onlyMine || $0.author == replica.authorID) && (!onlyHidden || $0.status == .hidden)
                && (!onlyPending || $0.status.isPending) && (!onlyVeiled || $0.status.isVeiled)
        }
        return try await describe(photos.sorted { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) })
    }

    /// The photos that are shown, in order.
    package var photos: [GalleryPhoto] {
        get async throws { try await gallery(onlyMine: false).map(\.asGalleryPhoto) }
    }

    /// Warns if an organizer has signed an operation that only a newer version understands.
    func lookAtVersion() {
        guard replica.state.needsNewerVersion else {
            return solve(.olderVersion, "\(name) no longer needs a newer version")
        }
        note(
            .olderVersion,
            "\(name) needs a newer version of disposable: an organizer uses what this one does not know. The gallery may "
                + "be shown wrongly here, and guests are served no pages of it. Install the version that the organizers use"
        )
    }

    /// Reports that this node was removed from the event, and that it was reinstated.
    func lookAtMembership() {
        guard replica.isPutOut else {
            return solve(.removed, "this node is a member of \(name) again")
        }
        note(
            .removed,
            "this node was removed from \(name): its changes no longer count. An organizer can reinstate it"
        )
    }

    public var isAdmitted: Bool { replica.isAdmitted }

    public var status: EventStatus {
        let state = replica.state
        let photos = state.photos
        let gallery = state.visible(among: photos)
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
            event: event.description, name: name, isOrganizer: store.keys.organizer != nil,
            isAdmitted: replica.isAdmitted, isPutOut: replica.isPutOut,
            phase: state.charter?.phase(at: now.wallClockMilliseconds, isRevealed: state.isRevealed).rawValue,
            endsAt: state.charter?.endsAtMilliseconds, expiresAt: state.charter?.expiresAtMilliseconds,
            photos: photoNumbers(of: photos, gallery),
            operations: .init(
                digest: state.digest?.description, needsNewerVersion: state.needsNewerVersion,
                operationCount: OperationSet.allCases.reduce(0) { $0 + Int(replica.summary(of: $1).count) },
                memberCount: state.membership.count, epoch: epochStatus, waiting: waitingTrees),
            network: .init(
                listen: context.reach.listenAddress, discovery: context.reach.discoveryMode, peers: peers,
                receivedByteCount: replica.traffic.receivedByteCount, sentByteCount: replica.traffic.sentByteCount,
                nodes: nodeClaims, guestURL: guestLinks.first,
                otherPages: otherPages.map {
                    OtherPagesInfo(
                        device: $0.node.description, name: $0.name, addresses: $0.addresses.map(\.description))
                }, program: context.reach.portal?.program),
            problems: context.problems.all + originalsLeftOut(of: gallery, replica)
                + waitingTrees.prefix(4).map(\.problem),
            notices: state.album.notices.compactMap { RemarkInfo($0, in: state.album) }, moments: momentInfo,
            isReader: departure.isReader ? true : nil)
    }
}

extension EventNode {
    private func photoNumbers(of photos: [Photo], _ gallery: [Photo]) -> EventStatus.Photos {
        // Once for all photos: each access copies it.
        let replica = replica
        let state = replica.state
        return EventStatus.Photos(
            photoCount: gallery.count, sealedCount: gallery.count { !state.isOpen($0.id) },
            pendingCount: photos.count(where: \.status.isPending),
            veiledCount: photos.count(where: \.status.isVeiled),
            completeCount: gallery.count { replica.isComplete(.original, of: $0.id) },
            missingBlobCount: replica.missingBlobCount, toDestroyCount: replica.destructible.count,
            copies: copies(in: gallery), framesUsed: state.album.usedSlotCount(of: replica.authorID),
            frames: rollLimit(of: replica.authorID))
    }

    /// The sponsor trees that have used up their budget, so that their operations wait.
    private var waitingTrees: [WaitingTreeInfo] {
        replica.waitingTrees.map { tree in
            let author = replica.state.membership.author(of: tree.root)
            return WaitingTreeInfo(
                device: tree.root.description, name: replica.state.album.shownName(of: author) ?? author.short,
                deviceCount: tree.deviceCount, operationCount: tree.operationCount, byteCount: tree.byteCount,
                unitCount: tree.unitCount, isEstablished: tree.isEstablished)
        }
    }

    /// Returns a message about the authors whose originals are not fetched, because the disk is more than half full and
    /// their sponsor trees have used up their share.
    private func originalsLeftOut(of gallery: [Photo], _ replica: Replica) -> [String] {
        guard replica.originalsPerTree != nil else { return [] }
        var counts: [AuthorID: Int] = [:]
        for photo in gallery where replica.isSetAside(photo.id) && !replica.isComplete(.original, of: photo.id) {
            counts[photo.author, default: 0] += 1
        }
        return counts.map { author, count in
            let name = replica.state.album.shownName(of: author) ?? author.short
            return "originals of \(count) photos of \(name) are not kept here: the disk is more than half full, and "
                + "photos of \(name) and of the members admitted by \(name) have used up their share of it"
        }.sorted()
    }
}

extension WaitingTreeInfo {
    /// The message for a person.
    fileprivate var problem: String {
        let others = deviceCount - 1
        let devices = others == 0 ? "" : " and \(others) \(others == 1 ? "device" : "devices") admitted by it"
        let size = byteCount.formatted(.byteCount(style: .file, spellsOutZero: false))
        let key = device.prefix(8)
        let grant = isEstablished ? "" : ", or accepts it at any speed after `disposable role grant page \(key)`"
        return "\(operationCount) operations (\(size)) of \(name)\(devices) wait and are accepted slowly, because "
            + "\(name) has reached the limit of this node; an organizer removes what should not be here with "
            + "`disposable role revoke participant \(key) --with-admitted`\(grant)"
    }
}

extension EventNode.DescribedPhoto {
    /// The photo for display and output.
    var asGalleryPhoto: GalleryPhoto {
        // Annotations of a photo are shown only with the photo.
        let remarks = state == "sealed" ? PhotoRemarks.none : remarks
        return GalleryPhoto(
            id: photo.id.description, author: author, device: photo.author.description, frame: photo.status.slot,
            takenAt: manifest?.takenAtMilliseconds.map(Timestamps.iso8601),
            addedAt: Timestamps.iso8601(photo.timestamp.milliseconds),
            picture: .init(
                byteCount: original?.original.byteCount, sha256: original?.sha256.description,
                mediaType: (original?.mediaType ?? manifest?.mediaType ?? .other).rawValue,
                width: manifest?.width ?? 0, height: manifest?.height ?? 0, turn: turn == .none ? nil : turn.degrees),
            state: state, isMine: isMine, caption: remarks.caption,
            reactions: remarks.reactions, comments: remarks.comments, moment: moment, mission: mission, spot: spot,
            zone: state == "sealed" ? nil : zone)
    }
}
