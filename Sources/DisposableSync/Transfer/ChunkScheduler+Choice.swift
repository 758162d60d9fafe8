// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The choice of the chunks to request next.
extension ChunkScheduler {
    // A peer's lists are read in place: a copy held while they change would be copied with all its blobs.
    mutating func nextRequest(to peer: ConnectionID, at now: UInt64) -> ChunkRequest? {
        guard mayAsk(peer, at: now) else { return nil }
        for blobClass in BlobClass.allCases {
            let place = Int(blobClass.rawValue)
            let started = rarestStarted(place, of: peer)
            let fresh = started?.rank.isFirst == true ? nil : rarestFresh(place, of: peer)
            // A started blob is finished before another is begun, unless there are rarer chunks.
            if let run = started, fresh.map({ $0.rank < run.rank }) != true {
                return request(run.chunks, of: run.blob, from: peer, at: now)
            }
            guard let fresh else { continue }
            start(fresh.blob)
            return request(fresh.chunks, of: fresh.blob, from: peer, at: now)
        }
        return nil
    }

    private func mayAsk(_ peer: ConnectionID, at now: UInt64) -> Bool {
        guard let state = peers[peer] else { return false }
        return state.inFlightByteCount < state.windowByteCount && now >= state.pausedUntil
            && state.placeCount + Self.chunksPerRequest + 1 <= Limits.requestsPerPeerMax
    }

    /// Chunks that may be requested, all of one rank.
    private struct Run {
        let chunks: Range<Int>
        let blob: BlobID
        let rank: Rank
    }

    /// The order in which chunks are requested.
    private struct Rank: Comparable {
        let holderCount: Int
        /// 0: the chunk is in this node's share (`ChunkShares`).
        let turn: Int
        /// Whether no chunk comes before it.
        var isFirst: Bool { holderCount <= 1 && turn == 0 }

        static func < (left: Self, right: Self) -> Bool {
            (left.holderCount, left.turn) < (right.holderCount, right.turn)
        }
    }

    private mutating func rarestStarted(_ place: Int, of peer: ConnectionID) -> Run? {
        // Some of many others are examined each time, so that none is hidden by those that the peer cannot help with.
        let count = peers[peer]?.started[place].count ?? 0
        let offset = count > Self.startedCountMax ? Int.random(in: 0..<count, using: &random) : 0
        var rarest: Run?
        var found = 0
        for step in 0..<min(count, Self.startedCountMax) where found < Self.sampleCount {
            guard let blob = peers[peer]?.started[place].elements[(offset + step) % count],
                let run = missingRun(of: blob, for: peer)
            else { continue }
            if rarest.map({ run.rank < $0.rank }) ?? true { rarest = run }
            if run.rank.isFirst { break }
            found += 1
        }
        return rarest
    }

    /// Returns chunks of the rarest of a few blobs that the peer holds and that are not started.
    private mutating func rarestFresh(_ place: Int, of peer: ConnectionID) -> Run? {
        guard let freshCount = peers[peer]?.fresh[place].count, freshCount > 0 else { return nil }
        let offset = Int.random(in: 0..<freshCount, using: &random)
        var rarest: Run?
        for step in 0..<min(Self.sampleCount, freshCount) {
            let index = freshCount > Self.sampleCount ? Int.random(in: 0..<freshCount, using: &random) : offset + step
            guard let blob = peers[peer]?.fresh[place].elements[index % freshCount],
                let run = missingRun(of: blob, for: peer)
            else { continue }
            if rarest.map({ run.rank < $0.rank }) ?? true { rarest = run }
            if run.rank.isFirst { break }
        }
        return rarest
    }

    /// Returns consecutive missing chunks that the peer has, of those that the fewest peers have: the first from a random
    /// index on.
    private mutating func missingRun(of blob: BlobID, for peer: ConnectionID) -> Run? {
        guard let want = wants[blob], want.missingCount > 0 else { return nil }
        let isWhole = want.holders.contains(peer)
        let part = want.partialHolders[peer]
        guard isWhole || part != nil else { return nil }
        let count = want.chunks.count
        let offset = count > Self.chunksPerRequest ? Int.random(in: 0..<count, using: &random) : 0
        let isSource = isWhole && want.holders.count == 1
        let receivers = isSource ? peers.compactMap { want.holders.contains($0) ? nil : $1.member } : []
        func rank(of index: Int) -> Rank? {
            guard want.chunks[index] == .missing, isWhole || part?[index] == true else { return nil }
            return Rank(
                holderCount: want.holderCount(of: index),
                turn: isSource ? shares.turn(at: index / Self.chunksPerRequest, of: blob, among: receivers) : 0)
        }
        var rarest: (index: Int, rank: Rank)?
        for step in 0..<count {
            let index = (offset + step) % count
            guard let rank = rank(of: index) else { continue }
            if rarest.map({ rank < $0.rank }) ?? true { rarest = (index, rank) }
            if rank.holderCount <= want.holders.count, rank.turn == 0 { break }
        }
        guard let (first, lowest) = rarest else { return nil }
        let end = (first + 1..<min(count, first + runLength(of: peer))).first { rank(of: $0) != lowest }
        return Run(chunks: first..<(end ?? min(count, first + runLength(of: peer))), blob: blob, rank: lowest)
    }

    /// The number of chunks of one request: more only if the window has room for them, so that a slow peer is asked for
    /// little that others might be asked for meanwhile.
    private func runLength(of peer: ConnectionID) -> Int {
        guard let state = peers[peer] else { return 1 }
        let room = (state.windowByteCount - state.inFlightByteCount) / ChunkLayout.chunkCiphertextByteCount
        return min(max(room, 1), Self.chunksPerRequest)
    }
}
