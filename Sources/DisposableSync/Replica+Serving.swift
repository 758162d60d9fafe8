// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Serves chunks to peers (`ChunkService`).
extension Replica {
    mutating func receive(_ request: ChunkRequest, from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        guard peer.service.hasRoom(for: request) else {
            return refuse(request.request, .busy, connection)
        }
        guard isHere(request) else { return refuse(request.request, .notHere, connection) }
        peer.service.append(request)
        serveNext(to: connection)
    }

    /// Whether all requested chunks are stored.
    private func isHere(_ request: ChunkRequest) -> Bool {
        guard let entry = blobs[request.blob] else { return false }
        let chunks = Int(request.firstChunk)..<Int(request.firstChunk + request.chunkCount)
        guard chunks.upperBound <= request.blob.layout.chunkCount else { return false }
        guard !entry.isComplete else { return true }
        let present = scheduler.presentChunks(of: request.blob)
        return chunks.allSatisfy { present?[$0] == true }
    }

    private mutating func refuse(_ request: UInt32, _ code: ProtocolCode, _ connection: ConnectionID) {
        send(.refusal(request: request, code, retryAfterMilliseconds: code.mayRetry ? 500 : 0), to: connection)
    }

    /// Reads the next chunks for the peer while there is room.
    mutating func serveNext(to connection: ConnectionID) {
        while let peer = peers[connection], peer.outbox.hasRoom, let next = peer.service.next() {
            guard blobs[next.read.blob] != nil else {
                endRequest(next.request, .removed, connection)
                continue
            }
            let ticket = newTicket()
            peer.service.begin(next, ticket)
            outputs.append(.read(next.read, ticket))
        }
    }

    mutating func chunkRead(_ ticket: Ticket, _ result: ReadResult) {
        guard let (connection, peer) = peers.first(where: { $0.value.service.isReading(ticket) }) else { return }
        peer.service.end(ticket, with: result)
        while peers[connection] != nil, let (item, result) = peer.service.nextAnswer() {
            answer(item, with: result, to: connection)
        }
        serveNext(to: connection)
    }

    private mutating func answer(_ item: ChunkService.Item, with result: ReadResult, to connection: ConnectionID) {
        switch (item.read, result) {
        // The photo was withdrawn since.
        case _ where blobs[item.read.blob] == nil: endRequest(item.request, .removed, connection)
        case (.list, .list(let hashes)): send(.list(request: item.request, hashes: hashes), to: connection)
        case (.chunk(let blob, let index), .chunk(let ciphertext)):
            status.chunkTraffic[blob.blobClass].sentByteCount += UInt64(ciphertext.count)
            send(ciphertext, item.request, index, connection)
        default: endRequest(item.request, .notHere, connection)
        }
    }

    private mutating func endRequest(_ request: UInt32, _ code: ProtocolCode, _ connection: ConnectionID) {
        peers[connection]?.service.cancel(request)
        refuse(request, code, connection)
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
}
