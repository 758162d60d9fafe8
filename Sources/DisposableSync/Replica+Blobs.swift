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
            for device in (waitingOriginals[photo] ?? [:]).keys.sorted() { releaseOriginals(of: photo, by: device) }
        case .original(let manifest):
            let photo = PhotoID(header.subject)
            // Only the photo's author can describe its original.
            guard state.album.author(of: photo) == state.membership.author(of: header.device) else {
                waitingOriginals[photo, default: [:]][header.device, default: []].append(operation)
                photosAwaited[header.device, default: []].insert(photo)
                return
            }
            add(manifest.original.id, photo, header, stored)
        default: break
        }
    }

    /// Handles authors whose devices, or whose counting operations, have changed.
    mutating func releaseOriginals(by authors: Set<AuthorID>) {
        guard !photosAwaited.isEmpty else { return }
        for device in authors.flatMap(state.membership.devices) {
            for photo in (photosAwaited[device] ?? []).sorted() { releaseOriginals(of: photo, by: device) }
        }
    }

    private mutating func releaseOriginals(of photo: PhotoID, by device: DeviceID) {
        guard state.album.author(of: photo) == state.membership.author(of: device) else { return }
        let originals = waitingOriginals[photo]?.removeValue(forKey: device) ?? []
        if waitingOriginals[photo]?.isEmpty == true { waitingOriginals[photo] = nil }
        photosAwaited[device]?.remove(photo)
        if photosAwaited[device]?.isEmpty == true { photosAwaited[device] = nil }
        for original in originals { note(blobsOf: original) { _ in .absent } }
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
        guard !withdrawn.contains(photo.operationID) else {
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
        case .chunk(let chunk): outputs.append(.storeChunk(chunk))
        case .wrong:
            if scheduler.strikes(of: connection) >= Limits.badChunksMax { shun(connection) }
        case .malformed: close(connection, .malformed)
        }
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
        guard announceDueAt == nil, blobs.hasAnnouncements else { return }
        // The first of a burst at once, the others together.
        announceDueAt = max(now.milliseconds, announcedAt.map { $0 + UInt64(Limits.announcementMilliseconds) } ?? 0)
    }

    /// Announces the blobs gained since to every peer that was sent all holdings.
    mutating func announce() {
        announceDueAt = nil
        announcedAt = now.milliseconds
        let (whole, parts) = blobs.takeAnnouncements()
        let partial = partial(parts)
        let messages = blobs.haveMessages(whole: whole, partial: partial).map { PeerMessage.have($0).bytes }
        for (connection, peer) in peers where peer.haveSent {
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
        guard peers[connection]?.haveSent == false else { return }
        peers[connection]?.haveSent = true
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

    // Serving

    mutating func receive(_ request: ChunkRequest, from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        guard peer.servedCount + Int(request.chunkCount) + 1 <= Limits.requestsPerPeerMax else {
            refuse(request.request, .busy, connection)
            return
        }
        guard let entry = blobs[request.blob] else {
            refuse(request.request, .notHere, connection)
            return
        }
        let chunkCount = request.blob.layout.chunkCount
        let present = scheduler.presentChunks(of: request.blob)
        let chunks = Int(request.firstChunk)..<Int(request.firstChunk + request.chunkCount)
        guard chunks.upperBound <= chunkCount, chunks.allSatisfy({ entry.isComplete || present?[$0] == true }) else {
            refuse(request.request, .notHere, connection)
            return
        }
        let place = Int(request.blob.blobClass.rawValue)
        if request.withList {
            peers[connection]?.serving[place].append(.init(request: request.request, read: .list(request.blob)))
        }
        for index in chunks {
            peers[connection]?.serving[place].append(
                .init(request: request.request, read: .chunk(request.blob, index: index)))
        }
        serveNext(to: connection)
    }

    private mutating func refuse(_ request: UInt32, _ code: ProtocolCode, _ connection: ConnectionID) {
        send(.refusal(request: request, code, retryAfterMilliseconds: code.mayRetry ? 500 : 0), to: connection)
    }

    /// Reads the next chunks for the peer while there is room: two at a time, small classes first.
    mutating func serveNext(to connection: ConnectionID) {
        while let peer = peers[connection], peer.hasRoom, peer.reads.count < 2,
            let place = peer.serving.firstIndex(where: { !$0.isEmpty }),
            let next = peers[connection]!.serving[place].popFirst()
        {
            guard blobs[next.read.blob] != nil else {
                withdraw(next.request, from: connection)
                continue
            }
            let ticket = newTicket()
            peers[connection]!.reads.append(ReadInProgress(ticket: ticket, chunk: next))
            reading[ticket] = connection
            outputs.append(.read(next.read, ticket))
        }
    }

    mutating func chunkRead(_ ticket: Ticket, _ result: ReadResult) {
        guard let connection = reading.removeValue(forKey: ticket),
            let place = peers[connection]?.reads.firstIndex(where: { $0.ticket == ticket })
        else { return }
        peers[connection]!.reads[place].result = result
        while let read = peers[connection]?.reads.first, let result = read.result {
            peers[connection]!.reads.removeFirst()
            if !read.isCancelled { answer(read.chunk, with: result, to: connection) }
        }
        serveNext(to: connection)
    }

    private mutating func answer(_ chunk: ServedChunk, with result: ReadResult, to connection: ConnectionID) {
        switch (chunk.read, result) {
        case _ where blobs[chunk.read.blob] == nil: withdraw(chunk.request, from: connection)
        case (.list, .list(let hashes)): send(.list(request: chunk.request, hashes: hashes), to: connection)
        case (.chunk(_, let index), .chunk(let ciphertext)): send(ciphertext, chunk.request, index, connection)
        default:
            cancel(chunk.request, by: connection)
            refuse(chunk.request, .notHere, connection)
        }
    }

    /// Ends a request for a photo that was withdrawn since.
    private mutating func withdraw(_ request: UInt32, from connection: ConnectionID) {
        cancel(request, by: connection)
        refuse(request, .removed, connection)
    }

    private mutating func send(
        _ ciphertext: [UInt8], _ request: UInt32, _ index: Int, _ connection: ConnectionID
    ) {
        for start in stride(from: 0, to: ciphertext.count, by: Limits.dataByteCountMax) {
            let end = min(start + Limits.dataByteCountMax, ciphertext.count)
            send(
                .data(
                    ChunkFragment(
                        request: request, chunk: UInt32(index), offset: UInt32(start), bytes: ciphertext[start..<end])),
                to: connection)
        }
    }

    mutating func cancel(_ request: UInt32, by connection: ConnectionID) {
        guard peers[connection] != nil else { return }
        for place in peers[connection]!.serving.indices {
            peers[connection]!.serving[place].removeAll { $0.request == request }
        }
        for place in peers[connection]!.reads.indices where peers[connection]!.reads[place].chunk.request == request {
            peers[connection]!.reads[place].isCancelled = true
        }
    }
}
