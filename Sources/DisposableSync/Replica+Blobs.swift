// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Blobs: which exist, which peers have them, requesting and serving chunks.
extension Replica {
    /// Records which blobs an operation of the sets describes. At the end of the batch the replica decides which of
    /// them to fetch.
    mutating func note(blobsOf operation: VerifiedOperation, stored: (BlobID) -> StoredBlob) {
        let header = operation.header
        switch operation.content {
        case .photo(let manifest):
            let photo = PhotoID(operation.id)
            if let thumbnail = manifest.thumbnail { add(thumbnail.id, photo, header, stored) }
            if let preview = manifest.preview { add(preview.id, photo, header, stored) }
            for device in interests.pendingOriginals.devices(awaiting: photo) {
                releaseOriginals(of: photo, by: device)
            }
        case .original(let manifest):
            let photo = PhotoID(header.subject)
            // Only the photo's author can describe its original.
            guard state.album.author(of: photo) == state.membership.author(of: header.device) else {
                return interests.pendingOriginals.insert(operation)
            }
            add(manifest.original.id, photo, header, stored)
        default: break
        }
    }

    /// Handles authors whose devices, or whose counting operations, have changed.
    mutating func releaseOriginals(by authors: Set<AuthorID>) {
        guard !interests.pendingOriginals.isEmpty else { return }
        // In an order that does not follow from hashing: photos are decided about, and requested, in this order.
        for device in authors.flatMap(state.membership.devices).sorted() {
            for photo in interests.pendingOriginals.photos(awaitedBy: device) {
                releaseOriginals(of: photo, by: device)
            }
        }
    }

    private mutating func releaseOriginals(of photo: PhotoID, by device: DeviceID) {
        guard state.album.author(of: photo) == state.membership.author(of: device) else { return }
        for original in interests.pendingOriginals.take(photo, by: device) { note(blobsOf: original) { _ in .absent } }
    }

    private mutating func add(
        _ blob: BlobID, _ photo: PhotoID, _ header: OperationHeader, _ stored: (BlobID) -> StoredBlob
    ) {
        var present: ChunkBitmap?
        var hashes: [Bytes32]?
        var isComplete = false
        switch stored(blob) {
        case .absent: break
        case .partial(let chunks, let list): (present, hashes) = (chunks, list)
        case .complete: isComplete = true
        }
        let description = BlobCatalogue.Description(device: header.device, sequence: header.sequence, photo: photo)
        guard !index.withdrawals.contains(photo.operationID) else {
            return blobs.addWithdrawn(blob, description: description, isComplete: isComplete)
        }
        let isNew = blobs.add(blob, description: description, isComplete: isComplete)
        if isComplete, !isNew {
            // Wanted until now, and already here from another source.
            blobs.complete(blob)
            for output in scheduler.unwant(blob) { perform(output) }
        }
        scheduleAnnouncement()
        if blobs.isComplete(blob) { count(original: blob, of: header.device) }
        if let present, let hashes { interests.parts[blob] = (present, hashes) }
        interests.undecided.append(photo)
    }

    /// Wants a blob, from any peer that has it.
    mutating func want(_ blob: BlobID) {
        let part = interests.parts.removeValue(forKey: blob)
        let holders = peers.filter { _, peer in
            blobs[blob]?.descriptions.contains { description in
                peer.holdings.contains(description.sequence, device: description.device, blobClass: blob.blobClass)
            } == true
        }.map(\.key)
        scheduler.want(blob, present: part?.present, hashes: part?.hashes, holders: holders)
    }

    /// Wants a blob again of which this node has less than it has announced: peers that request it are refused
    /// meanwhile.
    mutating func takenBack(_ root: BlobRoot, left: StoredBlob) {
        if case .complete = left { return }
        for blob in blobs.blobs(with: root) {
            for output in scheduler.unwant(blob) { perform(output) }
            blobs.takeBack(blob)
            scheduleRegister()
            if case .partial(let chunks, let list) = left { interests.parts[blob] = (chunks, list) }
            if isOfInterest(blob) { want(blob) } else { setAside(blob) }
            outputs.append(.changed(.album(.photos(blobs.photos(with: blob)))))
        }
    }

    // Requesting

    mutating func perform(_ output: ChunkScheduler.Output) {
        switch output {
        case .request(let connection, let request): send(.request(request), to: connection)
        case .cancel(let connection, let request): send(.cancel(request: request), to: connection)
        }
    }

    mutating func settle(_ reception: ChunkScheduler.Reception, from connection: ConnectionID) {
        switch reception {
        case .nothing: break
        case .chunk(let chunk):
            if peers[connection]?.isBundle != true {
                status.chunkTraffic[chunk.blob.blobClass].receivedByteCount += UInt64(chunk.ciphertext.count)
            }
            outputs.append(.storeChunk(chunk))
        case .wrong: banIfDue(connection)
        case .malformed: close(connection, .malformed)
        }
    }

    private mutating func banIfDue(_ connection: ConnectionID) {
        // A file answers no better the next time, and its other blobs may be right.
        let isBundle = peers[connection]?.isBundle == true
        if !isBundle, scheduler.strikes(of: connection) >= Limits.badChunksMax { ban(connection) }
    }

    mutating func chunkTurnedOutWrong(_ blob: BlobID, index: Int) {
        if let connection = scheduler.turnedOutWrong(index, of: blob) { banIfDue(connection) }
    }

    mutating func chunkStored(_ blob: BlobID, index: Int) {
        if scheduler.stored(index, of: blob) {
            blobs.complete(blob)
            outputs.append(.changed(.blobComplete(blob)))
        } else {
            blobs.gained(chunkOf: blob)
        }
        scheduleAnnouncement()
    }

    // Announcing

    mutating func scheduleAnnouncement() {
        if blobs.hasAnnouncements { scheduleRegister() }
        guard blobs.hasAnnouncements else { return }
        gossip.announcement.request(pause: UInt64(Limits.announcementMilliseconds), at: now.milliseconds)
    }

    /// Announces the blobs gained since to every peer that was sent all holdings.
    mutating func announce() {
        gossip.announcement.done(at: now.milliseconds)
        let (whole, parts) = blobs.takeAnnouncements()
        let partial = partial(parts)
        let messages = blobs.haveMessages(whole: whole, partial: partial).map { PeerMessage.have($0).bytes }
        for (connection, peer) in peers where peer.outbox.hasHoldings {
            // A peer that holds a blob needs no other holder, unless it made the blob and may be leaving.
            let news = whole.filter { !blobs.holds($0, in: peer.holdings) || isMade($0, by: peer.device) }
            if news.count == whole.count {
                for message in messages { send(message, to: connection) }
            } else {
                for message in blobs.haveMessages(whole: news, partial: partial) {
                    send(.have(message), to: connection)
                }
            }
        }
    }

    private func isMade(_ blob: BlobID, by device: DeviceID?) -> Bool {
        guard let device else { return false }
        return blobs[blob]?.descriptions.contains { isOwn($0.device, of: device) } == true
    }

    private func partial(_ blobs: [BlobID]) -> [(BlobID, ChunkBitmap)] {
        blobs.compactMap { blob in scheduler.presentChunks(of: blob).map { (blob, $0) } }
    }

    /// Sends all holdings, once for each connection.
    mutating func sendHoldings(to connection: ConnectionID) {
        guard let peer = peers[connection], !peer.isBundle, !peer.outbox.hasHoldings else { return }
        peer.outbox.hasHoldings = true
        for message in blobs.haveMessages(whole: blobs.completeBlobs, partial: partial(scheduler.startedBlobs)) {
            send(.have(message), to: connection)
        }
    }

    mutating func receive(_ have: Have, from connection: ConnectionID) {
        for holding in have.holdings {
            for range in holding.sequences {
                guard peers[connection]?.holdings.rangeCount ?? .max < Limits.holdingRangesPerPeerMax else {
                    close(connection, .limitExceeded)
                    return
                }
                var news =
                    peers[connection]?.holdings.insert(range, device: holding.device, blobClass: holding.blobClass)
                    ?? []
                // One that it had lost and has again, or a few that were assumed to be held.
                if news.isEmpty, range.count <= (peers[connection]?.holdings.isExact == false ? 64 : 1) {
                    news = [range]
                }
                for range in news {
                    for blob in blobs.blobs(of: holding.device, holding.blobClass, in: range) {
                        scheduler.holds(connection, blob)
                    }
                }
            }
        }
        for partial in have.partials { scheduler.holds(connection, partial.chunks, of: partial.blob) }
        sendHoldings(to: connection)
    }
}
