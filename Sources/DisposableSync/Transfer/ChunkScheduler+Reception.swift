// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableWire
internal import DequeModule
internal import OrderedCollections

/// The outcome of requests: chunks that arrive and are stored or turn out wrong, lists, refusals, silence.
extension ChunkScheduler {
    // Arrivals

    package mutating func receive(list hashes: [Bytes32], request id: UInt32, from peer: ConnectionID) -> Reception {
        guard let request = requests[id], request.peer == peer, let want = wants[request.blob] else { return .nothing }
        guard want.hashes == nil else { return .nothing }
        guard hashes.count == want.chunks.count,
            BlobSealing.root(byteCount: want.layout.plaintextByteCount, chunkHashes: hashes) == request.blob.root
        else { return strike(id, request) }
        want.hashes = hashes
        return .nothing
    }

    package mutating func receive(_ fragment: ChunkFragment, from peer: ConnectionID, at now: UInt64) -> Reception {
        guard var request = requests[fragment.request], request.peer == peer, let want = wants[request.blob] else {
            return .nothing
        }
        let chunkByteCount = Int(want.layout.ciphertextRange(ofChunk: request.nextChunk).count)
        guard Int(fragment.chunk) == request.nextChunk, Int(fragment.offset) == request.buffer.count,
            request.buffer.count + fragment.bytes.count <= chunkByteCount
        else { return .malformed }
        // Removed while it changes, so that the buffer is not copied.
        requests[fragment.request]?.buffer = []
        if request.buffer.isEmpty { request.buffer.reserveCapacity(chunkByteCount) }
        request.buffer.append(contentsOf: fragment.bytes)
        request.lastProgress = now
        peers[peer]?.lastProgress = now
        measure(fragment.bytes.count, from: peer, at: now)
        guard request.buffer.count == chunkByteCount else {
            requests[fragment.request] = request
            return .nothing
        }
        return finish(fragment.request, request, want)
    }

    /// Passes a complete chunk on and advances the request.
    private mutating func finish(_ id: UInt32, _ request: Request, _ want: Want) -> Reception {
        let index = request.nextChunk
        // The list of a blob of one chunk is that chunk's hash; larger blobs' lists come first.
        guard want.hashes != nil || want.chunks.count == 1 else { return strike(id, request) }
        peers[request.peer]?.stallCount = 0
        setState(.arrived, of: index..<index + 1, in: request.blob)
        var request = request
        let ciphertext = request.buffer
        arrivals[Arrival(blob: request.blob, index: index)] = Arrived(peer: request.peer, byteCount: ciphertext.count)
        arrivedByteCount += ciphertext.count
        inFlightByteCount += ciphertext.count
        request.buffer = []
        request.nextChunk += 1
        if request.nextChunk == request.chunks.upperBound {
            drop(id, request)
        } else {
            requests[id] = request
        }
        return .chunk(
            ArrivedChunk(blob: request.blob, index: index, ciphertext: ciphertext, list: want.hashes))
    }

    private mutating func strike(_ id: UInt32, _ request: Request) -> Reception {
        drop(id, request)
        strike(request.peer, request.blob)
        return .wrong
    }

    /// The peer is not asked for the blob again.
    private mutating func strike(_ peer: ConnectionID, _ blob: BlobID) {
        lacks(peer, blob)
        peers[peer]?.strikes += 1
    }

    /// Records that an arrived chunk does not belong to the blob: it is missing again.
    /// - Returns: the connection that it came from; `nil` if the blob is no longer wanted.
    package mutating func turnedOutWrong(_ index: Int, of blob: BlobID) -> ConnectionID? {
        let arrival = Arrival(blob: blob, index: index)
        guard let peer = arrivals[arrival]?.peer else { return nil }
        settle(arrival)
        for (id, request) in requests where request.peer == peer && request.blob == blob { drop(id, request) }
        strike(peer, blob)
        if wants[blob]?.state(of: index) == .arrived { setState(.missing, of: index..<index + 1, in: blob) }
        return peer
    }

    /// Whether anything that the peer holds is still wanted: requested, to be requested, or not stored yet.
    package func awaits(_ peer: ConnectionID) -> Bool {
        requests.values.contains { $0.peer == peer } || wants.values.contains { $0.holders.contains(peer) }
    }

    /// Requested chunks that have not arrived, and arrived ones that are not stored.
    package var chunksInFlightCount: Int {
        requests.values.reduce(arrivals.count) { $0 + $1.chunks.upperBound - $1.nextChunk }
    }

    package func strikes(of peer: ConnectionID) -> Int { peers[peer]?.strikes ?? 0 }

    private mutating func measure(_ byteCount: Int, from peer: ConnectionID, at now: UInt64) {
        guard let state = peers[peer] else { return }
        state.measuredByteCount += byteCount
        let since = state.measuredSince ?? now
        state.measuredSince = since
        if now >= since + 200 {
            let rate = Double(state.measuredByteCount) / Double(now - since)
            state.rateBytesPerMillisecond =
                state.rateBytesPerMillisecond == 0 ? rate : 0.7 * state.rateBytesPerMillisecond + 0.3 * rate
            // Twice the bytes that the peer delivers in a round trip and 50 ms; a LAN's round trip is short against
            // that.
            let window = Int(state.rateBytesPerMillisecond * 110)
            state.windowByteCount = min(
                max(window, Self.windowByteCountRange.lowerBound), Self.windowByteCountRange.upperBound)
            state.measuredSince = now
            state.measuredByteCount = 0
            mayAskMore = true
        }
    }

    /// Records that the chunk is stored. Returns true if it was the blob's last.
    package mutating func stored(_ index: Int, of blob: BlobID) -> Bool {
        settle(Arrival(blob: blob, index: index))
        storePause = Self.storePauseMilliseconds
        guard let want = wants[blob], let state = want.state(of: index), state != .stored else { return false }
        setState(.stored, of: index..<index + 1, in: blob)
        want.storedCount += 1
        partial.insert(blob)
        guard want.storedCount == want.chunks.count else { return false }
        wants.removeValue(forKey: blob)
        unlist(blob, want)
        return true
    }

    /// Records that the disk did not take the chunk: it is missing again, and nothing is requested for a while.
    package mutating func storingFailed(_ index: Int, of blob: BlobID, at now: UInt64) {
        settle(Arrival(blob: blob, index: index))
        if now >= pausedUntil {
            pausedUntil = now + storePause
            storePause = min(2 * storePause, Self.storePauseMillisecondsMax)
        }
        guard wants[blob]?.state(of: index) == .arrived else { return }
        setState(.missing, of: index..<index + 1, in: blob)
    }

    /// Records whether the disk has room for blobs: chunks that failed for lack of it are tried again at once.
    package mutating func roomChanged(_ hasRoom: Bool) {
        self.hasRoom = hasRoom
        guard hasRoom else { return }
        pausedUntil = 0
        storePause = Self.storePauseMilliseconds
    }

    mutating func settle(_ arrival: Arrival) {
        mayAskMore = true
        let byteCount = arrivals.removeValue(forKey: arrival)?.byteCount ?? 0
        arrivedByteCount -= byteCount
        inFlightByteCount -= byteCount
    }

    /// Handles a peer's refusal of the request.
    package mutating func refused(
        _ id: UInt32, by peer: ConnectionID, retryAfter milliseconds: UInt64, at now: UInt64
    ) {
        guard let request = requests[id], request.peer == peer else { return }
        drop(id, request)
        if milliseconds > 0 {
            peers[peer]?.pausedUntil = now + milliseconds
        } else {
            lacks(peer, request.blob)
            refusals.append(Refusal(peer: peer, blob: request.blob, endsAt: now + Self.refusalMilliseconds))
            if refusals.count > Self.refusalCountMax { endRefusals(at: refusals[0].endsAt) }
        }
    }

    /// Counts peers that have refused a blob long ago as its holders again.
    private mutating func endRefusals(at now: UInt64) {
        while let refusal = refusals.first, refusal.endsAt <= now {
            refusals.removeFirst()
            holds(refusal.peer, refusal.blob)
        }
    }

    /// The incomplete blobs of which some chunks can be served already.
    package var startedBlobs: [BlobID] { partial.elements }

    /// Returns the chunks of an incomplete blob that can be served already.
    package func presentChunks(of blob: BlobID) -> ChunkBitmap? {
        guard let want = wants[blob], want.storedCount > 0 else { return nil }
        var bitmap = ChunkBitmap(chunkCount: want.chunks.count)
        for (index, state) in want.chunks.enumerated() where state == .stored { bitmap[index] = true }
        return bitmap
    }

    // Time

    /// Excludes the time until now from every peer's delay.
    package mutating func interrupted(at now: UInt64) {
        for id in requests.keys { requests[id]?.lastProgress = now }
        for peer in peers.keys {
            peers[peer]?.lastProgress = now
            // It is no measure of the peer's speed either.
            peers[peer]?.measuredSince = now
            peers[peer]?.measuredByteCount = 0
        }
    }

    /// Cancels requests that have stalled although another peer has the chunks, and those that the peer has lost.
    package mutating func cancelStalled(at now: UInt64) -> [Output] {
        checkedAt = now
        endRefusals(at: now)
        var outputs: [Output] = []
        for (id, request) in requests {
            guard let want = wants[request.blob], let state = peers[request.peer] else { continue }
            let silence = now - request.lastProgress
            let isStalled =
                silence >= Self.stallMilliseconds && now >= state.lastProgress + patience(state)
                && isHeld(request.nextChunk, want, byOtherThan: request.peer, at: now)
            guard isStalled || silence >= Self.lostMilliseconds else { continue }
            drop(id, request)
            if state.pausedUntil <= now { pause(request.peer, at: now) }
            outputs.append(.cancel(request.peer, request: id))
        }
        return outputs
    }

    /// Pauses a peer, longer each time, so that among several peers that promise and do not deliver not always one is
    /// next in turn.
    private mutating func pause(_ peer: ConnectionID, at now: UInt64) {
        let doublings = min(peers[peer]?.stallCount ?? 0, Self.stallDoublingsMax)
        peers[peer]?.pausedUntil = now + Self.stallMilliseconds << UInt64(doublings)
        peers[peer]?.stallCount += 1
    }

    /// Returns how long a peer may deliver nothing: 2 s, or four times the expected time of a chunk, but at most 10 s.
    private func patience(_ peer: Peer) -> UInt64 {
        guard peer.rateBytesPerMillisecond > 0 else { return Self.stallMilliseconds }
        let expected = 4 * Double(ChunkLayout.chunkCiphertextByteCount) / peer.rateBytesPerMillisecond
        return UInt64(min(max(Double(Self.stallMilliseconds), expected), 10_000))
    }

    private func isHeld(_ index: Int, _ want: Want, byOtherThan peer: ConnectionID, at now: UInt64) -> Bool {
        want.holders.contains { $0 != peer && (peers[$0]?.pausedUntil ?? 0) <= now }
            || want.partialHolders.contains { $0 != peer && $1[index] && (peers[$0]?.pausedUntil ?? 0) <= now }
    }

    /// Returns when `poll` or `cancelStalled` should be called next because of time alone.
    package func nextDeadline(after now: UInt64) -> UInt64? {
        guard !wants.isEmpty else { return nil }
        let check = requests.isEmpty ? nil : max(checkedAt + 500, now)
        var next = min(check ?? .max, refusals.first?.endsAt ?? .max)
        if pausedUntil > now { next = min(next, pausedUntil) }
        for peer in peers.values where peer.pausedUntil > now { next = min(next, peer.pausedUntil) }
        return next == .max ? nil : next
    }
}
